//! The table of contents of the bindings, which read the board, release the GIL, run the core and map its errors.
//! Documentation and argument checks are in `betacut.engine`.

// Arguments and results are those of Python's functions.
#![allow(clippy::too_many_arguments, clippy::type_complexity, clippy::needless_pass_by_value)]

mod batch;
mod board;
mod cache;
mod columns;
mod errors;
mod evaluation;
mod exact;
mod files;
mod fuzz;
mod interrupt;
mod lab;
mod measure;
mod modules;
mod originals;
mod play;
mod results;
mod table;
mod textbook;
mod uci;

use pyo3::prelude::*;

/// The Rust core of betacut. Use `betacut.engine`.
#[pymodule(gil_used = false)]
pub mod _betacut {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        betacut_core::key::make_table();
        super::interrupt::check_awaited(module.py())?;
        super::evaluation::make_default(module.py())
    }

    #[pymodule_export]
    use super::{
        batch::Stream,
        cache::PyCache,
        columns::TableSearch,
        evaluation::PyEvaluation,
        exact::{Analysis, certify, line, search_exact, search_window},
        files::{PgnReader, pgn_pieces, text_pieces},
        fuzz::{PyFuzzer, fuzz_kinds, fuzz_position},
        measure::{
            PySample, ReadPositions, left_first_minimal_graph, search_without, techniques,
            yardstick_bulk_perft, yardstick_perft, yardstick_search,
        },
        play::{PlayEngine, PlaySearch, play_options},
        results::Found,
        table::PyTable,
        textbook::{
            evaluate_move, evaluate_position, find_mate, is_endgame, legal_moves, perft, record, search, see,
            tables, terminal,
        },
        uci::{uci_fault, uci_main},
    };

    // The other published programs: a line each.
    #[pymodule_export]
    use super::originals::{
        PyRecording,
        chessai::{chessai_board_score, chessai_evaluate_move, chessai_search},
        cosc76::{PyPlayer, cosc76_evaluate},
        didactic::{
            didactic_evaluate, didactic_heuristic, didactic_increment, didactic_is_endgame, didactic_search,
            didactic_see_capture, didactic_tree_count,
        },
        python_chess_view,
    };

    #[allow(non_upper_case_globals)]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
