//! The Python module `betacut._betacut`: the table of contents of the bindings.
//!
//! The public functions, with their documentation and argument checks, are in `betacut.engine`; this layer reads
//! the board, releases the GIL, runs the core and maps its errors.

mod batch;
mod board;
mod cache;
mod certificate;
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
mod _betacut {
    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        betacut_core::key::make_table();
        super::interrupt::check_awaited(module.py())?;
        super::evaluation::make_default(module.py())
    }

    #[pymodule_export]
    use super::batch::Stream;
    #[pymodule_export]
    use super::cache::PyCache;
    #[pymodule_export]
    use super::certificate::certify;
    #[pymodule_export]
    use super::columns::TableSearch;
    #[pymodule_export]
    use super::evaluation::PyEvaluation;
    #[pymodule_export]
    use super::exact::{Analysis, line, search_exact, search_window};
    #[pymodule_export]
    use super::files::{PgnReader, pgn_pieces, text_pieces};
    #[pymodule_export]
    use super::fuzz::{PyFuzzer, fuzz_kinds, fuzz_position};
    #[pymodule_export]
    use super::measure::{
        PySample, ReadPositions, left_first_minimal_graph, search_without, techniques, yardstick_bulk_perft,
        yardstick_perft, yardstick_search,
    };
    #[pymodule_export]
    use super::play::{PlayEngine, PlaySearch, play_options};
    #[pymodule_export]
    use super::results::Found;
    #[pymodule_export]
    use super::table::PyTable;
    #[pymodule_export]
    use super::textbook::{
        evaluate_move, evaluate_position, find_mate, is_endgame, legal_moves, perft, record, search, see,
        tables,
    };

    #[pymodule_export]
    use super::uci::{uci_fault, uci_main};

    // The other published programs: a line each.
    #[pymodule_export]
    use super::originals::chessai::{chessai_board_score, chessai_evaluate_move, chessai_search};
    #[pymodule_export]
    use super::originals::cosc76::{PyPlayer, cosc76_evaluate};
    #[pymodule_export]
    use super::originals::didactic::{
        didactic_evaluate, didactic_heuristic, didactic_increment, didactic_is_endgame, didactic_search,
        didactic_see_capture, didactic_tree_count,
    };
    #[pymodule_export]
    use super::originals::{PyRecording, python_chess_view};

    #[allow(non_upper_case_globals)]
    #[pymodule_export]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
