//! Where the bindings find what is written in Python: the names of its modules stand here, and only here.

/// The argument checks and their messages.
pub const ARGUMENTS: &str = "betacut.core.arguments";
/// What notices that the coroutine which awaits a search was cancelled.
pub const AWAITED: &str = "betacut.core.awaited";
/// The types that results are made of.
pub const RESULTS: &str = "betacut.results";

pub mod exceptions {
    pyo3::import_exception!(betacut.lab.certificates.checker, CertificateError);
    pyo3::import_exception!(betacut.core.exceptions, CacheInUseError);
    pyo3::import_exception!(betacut.core.exceptions, CacheMismatchError);
    pyo3::import_exception!(betacut.core.exceptions, InvalidPositionError);
    pyo3::import_exception!(betacut.core.exceptions, OriginalCrashError);
    pyo3::import_exception!(betacut.core.exceptions, PlayerInUseError);
}
