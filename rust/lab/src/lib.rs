//! The searches compared ([`fuzz`]), measured ([`measure`]) and tuned ([`tuning`]).

pub mod fuzz;
pub mod measure;
pub mod tuning;
