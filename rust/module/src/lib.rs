//! The bindings, linked as the Python module `betacut._betacut`. A crate of its own, so that the bindings can be compiled
//! for size: what the linker optimises goes by the level of the crate that is linked.

pub use betacut_bindings::_betacut;
