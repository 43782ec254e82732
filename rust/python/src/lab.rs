//! The instruments of the textbook floor, as Python asks for them: an order of moves, a function that evaluates, the
//! columns of a recorded tree.

use std::{cell::RefCell, sync::Arc};

use pyo3::exceptions::PyMemoryError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyInt};
use shakmaty::Chess;

use super::errors::{checks, unknown};
use super::{board::python_board, interrupt::attached};
use betacut_classic::observer::{Columns, Extent, Recorder};
use betacut_classic::textbook::lab::{Evaluate, Instruments};
use betacut_classic::textbook::profile::Stopwatch;
use betacut_classic::textbook::trace::{Listener, Tracer};
use betacut_core::limits::{Poll, Stopped};
use betacut_core::move_order::order::{Criterion, Oracle, Orderer};
use betacut_core::{position::Position, score::Score};
use betacut_exact::ExactOracle;

/// The instruments that were asked for, before the search.
#[derive(Default)]
pub struct Wanted {
    /// What moves are ordered by.
    pub order: Vec<Criterion>,
    /// The function that evaluates, if there is one.
    pub evaluation: Option<Arc<Py<PyAny>>>,
    /// What is recorded of the search.
    pub extent: Option<Extent>,
    /// The function that is told, line by line, and whether the search deepens: then its passes are depths.
    pub trace: Option<(Arc<Py<PyAny>>, bool)>,
    /// Whether its time is measured.
    pub is_profiled: bool,
}

impl Wanted {
    /// Reads an order, as pairs of name and seed, and a function that evaluates.
    pub fn new(order: Option<Vec<(String, u64)>>, evaluation: Option<&Bound<'_, PyAny>>) -> PyResult<Wanted> {
        let order = order.unwrap_or_default();
        let criterion = |(name, seed): (String, u64)| {
            Criterion::from_name(&name, seed).ok_or_else(|| unknown("order", &name))
        };
        Ok(Wanted {
            order: order.into_iter().map(criterion).collect::<PyResult<_>>()?,
            evaluation: evaluation.map(|function| Arc::new(function.clone().unbind())),
            ..Wanted::default()
        })
    }

    /// The function that evaluates, if there is one.
    pub fn callable<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyAny>> {
        self.evaluation.as_ref().map(|function| function.bind(py).clone())
    }

    /// Whether there is nothing but the usual.
    pub fn is_nothing(&self) -> bool {
        self.order.is_empty()
            && self.evaluation.is_none()
            && self.extent.is_none()
            && self.trace.is_none()
            && !self.is_profiled
    }
}

/// What the instruments hold after the search.
#[derive(Default)]
pub struct Left {
    /// What a function of Python's raised.
    pub raised: Option<PyErr>,
    /// What was recorded.
    pub recorder: Option<Recorder>,
}

/// Runs `work` with the instruments; both may ask `poll` whether to stop.
pub fn equipped<T, E: From<Stopped>>(
    wanted: Wanted,
    position: &Position,
    poll: Poll<'_>,
    work: impl FnOnce(&mut Instruments<'_>, Poll<'_>) -> Result<T, E>,
) -> (Result<T, E>, Left) {
    let poll = RefCell::new(poll);
    let mut search_poll = || (poll.borrow_mut())();
    let mut oracle_poll = || (poll.borrow_mut())();
    // 1. What the instruments stand on.
    let mut oracle = None;
    if wanted.order.iter().any(|criterion| criterion.asks_the_oracle()) {
        match ExactOracle::new(&mut oracle_poll) {
            Ok(made) => oracle = Some(made),
            Err(error) => return (Err(Stopped::from(error).into()), Left::default()),
        }
    }
    let mut callable = wanted.evaluation.map(|function| Callable { function, raised: None });
    let (mut told, deepens) = wanted
        .trace
        .map_or((None, false), |(function, deepens)| (Some(Callable { function, raised: None }), deepens));
    // 2. The search.
    let mut instruments = Instruments::default();
    instruments.order = Orderer::new(wanted.order, oracle.as_mut().map(|oracle| oracle as &mut dyn Oracle));
    instruments.evaluation = callable.as_mut().map(|callable| callable as &mut dyn Evaluate);
    instruments.recorder =
        wanted.extent.map(|extent| Recorder::new(position.turn(), position.mode(), extent));
    instruments.tracer = told.as_mut().map(|told| Tracer::new(told, position, deepens));
    instruments.stopwatch = wanted.is_profiled.then(Stopwatch::default);
    let done = work(&mut instruments, &mut search_poll);
    // 3. What is left.
    let recorder = instruments.recorder.take();
    drop(instruments);
    let raised = callable.and_then(|callable| callable.raised).or(told.and_then(|told| told.raised));
    (done, Left { raised, recorder })
}

/// A Python function that evaluates, or is told.
struct Callable {
    function: Arc<Py<PyAny>>,
    raised: Option<PyErr>,
}

impl Evaluate for Callable {
    fn score(&mut self, position: &Position) -> Result<Score, Stopped> {
        let (function, chess) = (Arc::clone(&self.function), position.chess().clone());
        attached(move |py| ask(py, &function, &chess)).map_err(|error| {
            self.raised = Some(error);
            Stopped::Interrupted
        })
    }
}

impl Listener for Callable {
    fn line(&mut self, text: String) -> Result<(), Stopped> {
        let function = Arc::clone(&self.function);
        attached(move |py| function.call1(py, (text,)).map(drop)).map_err(|error| {
            self.raised = Some(error);
            Stopped::Interrupted
        })
    }
}

/// Scores that need no second look.
const USUAL: std::ops::Range<Score> = -50_000..50_000;

fn ask(py: Python<'_>, function: &Py<PyAny>, chess: &Chess) -> PyResult<Score> {
    let board = python_board(py, chess)?;
    let score = function.bind(py).call1((board,))?;
    // Whatever else counts as an int, or is out of range, is looked at there.
    if score.is_exact_instance_of::<PyInt>()
        && let Ok(score) = score.extract::<Score>()
        && USUAL.contains(&score)
    {
        return Ok(score);
    }
    checks(py)?.call_method1("check_evaluation_score", (score,))?.extract()
}

/// The columns as bytes, by name, in the byte order of the machine.
pub fn columns_as_bytes<'py>(py: Python<'py>, columns: &Columns) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let bytes: [(&str, &[u8]); 16] = [
        ("parent", bytemuck::cast_slice(&columns.parent)),
        ("first_child", bytemuck::cast_slice(&columns.first_child)),
        ("move", bytemuck::cast_slice(&columns.moves)),
        ("ply", &columns.ply),
        ("depth", bytemuck::cast_slice(&columns.depth)),
        ("alpha", bytemuck::cast_slice(&columns.alpha)),
        ("beta", bytemuck::cast_slice(&columns.beta)),
        ("value", bytemuck::cast_slice(&columns.value)),
        ("static", bytemuck::cast_slice(&columns.static_score)),
        ("bound", &columns.bound),
        ("kind", &columns.kind),
        ("end", &columns.end),
        ("children", bytemuck::cast_slice(&columns.children)),
        ("pruned", bytemuck::cast_slice(&columns.pruned)),
        ("size", bytemuck::cast_slice(&columns.size)),
        ("flags", &columns.flags),
    ];
    for (name, column) in bytes {
        let column = PyBytes::new_with(py, column.len(), |room| {
            room.copy_from_slice(column);
            Ok(())
        })
        .map_err(|_| PyMemoryError::new_err("out of memory: no room for the columns of the tree"))?;
        dict.set_item(name, column)?;
    }
    Ok(dict)
}
