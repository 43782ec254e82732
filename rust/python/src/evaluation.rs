//! Evaluations as data. `betacut.evaluation` checks what the user gave and makes these.

use std::{ops::Deref, sync::Arc};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{errors::unknown, interrupt::detached};
use betacut_core::evaluation::{self, PhaseRule, Phased, presets};
use betacut_core::{limits::Stopped, score::Score};

/// Makes the default where there is stack for it: a thread that Python started may have next to none.
pub fn make_default(py: Python<'_>) -> PyResult<()> {
    detached(py, |_| {
        presets::simplified();
        Ok::<_, Stopped>(())
    })
}

/// The compiled side of `betacut.Evaluation`, and how the exact search applies it.
#[pyclass(frozen, name = "CompiledEvaluation", module = "betacut._betacut")]
pub struct PyEvaluation {
    evaluation: Arc<evaluation::Evaluation>,
    quiescence: bool,
}

#[pymethods]
impl PyEvaluation {
    /// By what each piece is worth on each square in both phases, from pawn to king and from a1 to h8.
    #[new]
    #[pyo3(signature = (name, phase, middlegame, endgame, /))]
    fn new(
        py: Python<'_>,
        name: Option<String>,
        phase: &str,
        middlegame: [Vec<Score>; 6],
        endgame: [Vec<Score>; 6],
    ) -> PyResult<PyEvaluation> {
        let rule = PhaseRule::from_name(phase).ok_or_else(|| unknown("phase", phase))?;
        let mut pieces = [[Phased::default(); 64]; 6];
        for (squares, (middlegame, endgame)) in pieces.iter_mut().zip(middlegame.iter().zip(&endgame)) {
            for (worth, (&middlegame, &endgame)) in squares.iter_mut().zip(middlegame.iter().zip(endgame)) {
                *worth = Phased { middlegame, endgame };
            }
        }
        let made = detached(py, |_| {
            Ok::<_, Stopped>(evaluation::Evaluation::new(name, rule, &pieces).map(Arc::new))
        })?;
        let made = made.map_err(|error| PyValueError::new_err(error.to_string()))?;
        // The default has no more than one object in the core, which searches recognise at once.
        let default = presets::simplified();
        let same = made == *default && made.name() == default.name();
        let evaluation = if same { Arc::clone(default) } else { made };
        Ok(PyEvaluation { evaluation, quiescence: false })
    }

    /// The same for leaves that are valued by quiescence.
    fn with_quiescence(&self) -> PyEvaluation {
        PyEvaluation { evaluation: Arc::clone(&self.evaluation), quiescence: true }
    }

    /// Whether the exact search can derive its bounds from the tables.
    #[getter]
    fn has_bounds(&self) -> bool {
        self.evaluation.values().has_bounds
    }

    /// 64 bits of what it computes.
    #[getter]
    fn hash(&self) -> u64 {
        self.evaluation.hash()
    }
}

/// How a search values its leaves: by an evaluation from Python, or the default.
#[derive(Clone, Default)]
pub struct Chosen {
    evaluation: Option<Arc<evaluation::Evaluation>>,
    /// Whether a leaf is worth what is left once every capture has been answered; the exact search alone knows that.
    pub quiescence: bool,
}

impl Chosen {
    /// The one that was given, if any.
    pub fn new(given: Option<&Bound<'_, PyEvaluation>>) -> Chosen {
        let Some(given) = given.map(Bound::get) else { return Chosen::default() };
        let other = !Arc::ptr_eq(&given.evaluation, presets::simplified());
        Chosen { evaluation: other.then(|| Arc::clone(&given.evaluation)), quiescence: given.quiescence }
    }

    pub fn share(&self) -> Arc<evaluation::Evaluation> {
        Arc::clone(self.evaluation.as_ref().unwrap_or_else(|| presets::simplified()))
    }

    /// Whether the evaluation is the default.
    pub fn is_default(&self) -> bool {
        self.evaluation.is_none()
    }
}

impl Deref for Chosen {
    type Target = evaluation::Evaluation;

    fn deref(&self) -> &evaluation::Evaluation {
        self.evaluation.as_deref().unwrap_or_else(|| presets::simplified())
    }
}
