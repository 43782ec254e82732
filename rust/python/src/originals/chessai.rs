//! The searches of `ChessAI`. Arguments other than the board arrive checked by `betacut.originals.chessai`.

use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use shakmaty::Color;

use super::recording::{PyRecording, recorded};
use super::{PythonTablebase, asked, python_moves, read, read_with_move};
use crate::errors::{raised, unknown};
use crate::interrupt::{MOST_PLIES, detached_with};
use betacut_classic::originals::chessai::evaluation::{self, Evaluation, Evaluator, Place};
use betacut_classic::originals::chessai::{self, Algorithm, Call, Memory, Outcome};
use betacut_core::limits::{Limits, Stopped};
use betacut_core::score::Score;
use betacut_core::window::Window;

/// Runs `work` with an evaluator; if the tablebase raised an exception, that is the error.
fn evaluating<T>(
    use_heuristic: bool,
    ending: bool,
    mut tablebase: Option<PythonTablebase>,
    work: impl FnOnce(Evaluator<'_>) -> Result<T, Stopped>,
) -> PyResult<T> {
    let done = work(Evaluator { use_heuristic, ending, tablebase: asked(&mut tablebase) });
    done.map_err(|stopped| {
        tablebase.and_then(|tablebase| tablebase.raised).unwrap_or_else(|| raised(stopped))
    })
}

/// A search, or a `call` of `get_best_move` with alpha, beta, `ai_turn` and `last_eval`:
/// `(score, used_endgame, path, counts, cache_size, seconds)`; `betacut.originals.chessai` names the counts.
#[pyfunction]
#[pyo3(signature = (
    algorithm, board, depth, *, call=None, use_heuristic=true, ending=false, tablebase=None, record=None
))]
pub fn chessai_search<'py>(
    py: Python<'py>,
    algorithm: &str,
    board: &Bound<'py, PyAny>,
    depth: u32,
    call: Option<(Score, Score, bool, Score)>,
    use_heuristic: bool,
    ending: bool,
    tablebase: Option<Py<PyAny>>,
    record: Option<&Bound<'py, PyRecording>>,
) -> PyResult<Bound<'py, PyAny>> {
    let algorithm = Algorithm::from_name(algorithm).ok_or_else(|| unknown("algorithm", algorithm))?;
    let (root, line) = read(board)?;
    let call =
        call.map(|(alpha, beta, ai_turn, score)| Call { window: Window { alpha, beta }, ai_turn, score });
    let tablebase = PythonTablebase::new(tablebase, |py, error| error.is_instance_of::<PyKeyError>(py));
    // Single moves and captures cost no depth.
    let (outcome, seconds) = recorded(record, root.turn(), |recorder| {
        detached_with(py, MOST_PLIES, |memory: &mut Memory, poll| {
            evaluating(use_heuristic, ending, tablebase, |evaluator| {
                let limits = Limits::new(poll);
                chessai::search(algorithm, &root, line, depth, call, evaluator, memory, limits, recorder)
            })
        })
    });
    let Outcome { score, path, used_endgame, counts, cache_size } = outcome?;
    let extensions = (counts.single_extensions, counts.capture_extensions);
    let counts = (counts.nodes, counts.evals, extensions, counts.max_ply, counts.cache_hits);
    let found = (score, used_endgame, python_moves(py, path)?, counts, cache_size, seconds);
    Ok(found.into_pyobject(py)?.into_any())
}

/// `(score, used_endgame)` of one move.
#[pyfunction]
#[pyo3(signature = (
    board, m, *, is_opponent=false, prev_score=0, depth=0, use_heuristic=true, ending=false, tablebase=None
))]
pub fn chessai_evaluate_move(
    board: &Bound<'_, PyAny>,
    m: &Bound<'_, PyAny>,
    is_opponent: bool,
    prev_score: Score,
    depth: u32,
    use_heuristic: bool,
    ending: bool,
    tablebase: Option<Py<PyAny>>,
) -> PyResult<(Score, bool)> {
    let (node, mut line, m) = read_with_move(board, m)?;
    line.push(&node);
    let place = Place { ai_turn: !is_opponent, depth, ply: 0, score: prev_score };
    let tablebase = PythonTablebase::new(tablebase, |py, error| error.is_instance_of::<PyKeyError>(py));
    let Evaluation { score, used_endgame, .. } =
        evaluating(use_heuristic, ending, tablebase, |mut evaluator| {
            evaluator.evaluate_move(&node, m, &node.play(m), &line, place)
        })?;
    Ok((score, used_endgame))
}

/// The board's score for White or Black.
#[pyfunction]
#[pyo3(signature = (board, white, *, ending=false))]
pub fn chessai_board_score(board: &Bound<'_, PyAny>, white: bool, ending: bool) -> PyResult<Score> {
    let (node, _) = read(board)?;
    Ok(evaluation::board_score(node.board(), Color::from_white(white), ending))
}
