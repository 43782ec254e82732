//! What the benchmarks need beside the searches: yardsticks, and a look inside; the statistics of matches. No part of the
//! public interface.

use std::time::Instant;

use pyo3::prelude::*;

use super::results::{Found, Outcome};
use super::{board::ReadBoard, errors::unknown, interrupt::detached};
use betacut_core::score::{Depth, Score};
use betacut_core::{limits::Limits, perft, position::Position};
use betacut_exact::{Question, Techniques};
use betacut_lab::measure::{alone, minimal, yardstick};
use betacut_lab::statistics::{Estimate, Sample};

/// The yardstick of the exact search: the value, the number of best moves, and the nodes it visited.
#[pyfunction]
pub fn yardstick_search(py: Python, board: &Bound<'_, PyAny>, depth: Depth) -> PyResult<(Score, usize, u64)> {
    let position = ReadBoard::new(board)?.position;
    let found = detached(py, |poll| yardstick::search(position.chess(), depth, false, poll))?;
    Ok((found.score, found.best_moves, found.nodes))
}

/// The yardstick of the textbook floor: the number of positions made by shakmaty's make-every-node perft.
#[pyfunction]
pub fn yardstick_perft(py: Python<'_>, board: &Bound<'_, PyAny>, depth: u32) -> PyResult<u64> {
    let position = ReadBoard::new(board)?.position;
    detached(py, |poll| perft::yardstick(position.chess(), depth, &mut Limits::new(poll)))
}

/// The number of leaves counted by shakmaty's bulk perft.
#[pyfunction]
pub fn yardstick_bulk_perft(py: Python<'_>, board: &Bound<'_, PyAny>, depth: u32) -> PyResult<u64> {
    let position = ReadBoard::new(board)?.position;
    detached(py, |poll| perft::bulk(position.chess(), depth, &mut Limits::new(poll)))
}

/// The number of nodes of the left-first minimal graph.
#[pyfunction]
pub fn left_first_minimal_graph(py: Python<'_>, board: &Bound<'_, PyAny>, depth: Depth) -> PyResult<u64> {
    let position = ReadBoard::new(board)?.position;
    detached(py, |poll| minimal::left_first_minimal_graph(&position, depth, &mut Limits::new(poll)))
}

/// The names of the techniques of the exact search without quiescence that can be left out.
#[pyfunction]
pub fn techniques() -> Vec<&'static str> {
    let mut all = Techniques::ALL;
    all.switches().into_iter().map(|(name, _)| name).filter(|&name| name != "quiet_bounds").collect()
}

/// The exact search on one thread with all techniques but one, or with all.
#[pyfunction]
pub fn search_without(
    py: Python<'_>,
    board: &Bound<'_, PyAny>,
    depth: Depth,
    technique: Option<&str>,
) -> PyResult<Found> {
    let techniques = match technique {
        None => Techniques::ALL,
        Some(name) => Techniques::without(name).ok_or_else(|| unknown("technique", name))?,
    };
    let position = ReadBoard::new(board)?.position;
    let question = Question { techniques, ..Question::new(depth) };
    let start = Instant::now();
    let answer = detached(py, |poll| betacut_exact::search(&position, &question, None, poll))?;
    Ok(Found::new(position, Outcome::Exact(answer), start.elapsed()))
}

/// Positions that were read, to be searched and nothing else.
#[pyclass(frozen, module = "betacut._betacut")]
pub struct ReadPositions(Vec<Position<'static>>);

#[pymethods]
impl ReadPositions {
    #[new]
    #[pyo3(signature = (boards, /))]
    fn new(boards: &Bound<'_, PyAny>) -> PyResult<ReadPositions> {
        let read = |board: PyResult<Bound<'_, PyAny>>| Ok(ReadBoard::new(&board?)?.position);
        boards.try_iter()?.map(read).collect::<PyResult<_>>().map(ReadPositions)
    }

    /// Searches all of them on this thread; the nodes.
    fn search(&self, py: Python<'_>, depth: Depth, with_best_moves: bool, with_line: bool) -> PyResult<u64> {
        detached(py, |poll| alone::search_all(&self.0, depth, with_best_moves, with_line, poll))
    }
}

/// How often each score came up, in pairs of games or in games. Use `betacut.games.match.statistics`.
#[pyclass(frozen, name = "Sample", module = "betacut._betacut")]
pub struct PySample(Sample);

/// The value, the ends of the interval, and whether that is the exact binomial one.
type Figure = (f64, f64, f64, bool);

fn figure(Estimate { value, low, high, exact }: Estimate) -> Figure {
    (value, low, high, exact)
}

#[pymethods]
impl PySample {
    #[new]
    #[pyo3(signature = (counts, /))]
    fn new(counts: Vec<f64>) -> PySample {
        PySample(Sample(counts))
    }

    fn elo(&self, confidence: f64) -> Figure {
        figure(self.0.elo(confidence))
    }

    fn normalized_elo(&self, confidence: f64) -> Figure {
        figure(self.0.normalized_elo(confidence))
    }

    fn superiority(&self) -> f64 {
        self.0.superiority()
    }

    #[pyo3(signature = (elo0, elo1, *, normalized))]
    fn llr(&self, elo0: f64, elo1: f64, normalized: bool) -> f64 {
        self.0.llr([elo0, elo1], normalized)
    }
}
