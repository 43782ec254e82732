//! The searches compared ([`fuzz`]), measured ([`measure`]) and tuned ([`tuning`]); what matches say ([`statistics`]).

pub mod fuzz;
pub mod measure;
pub mod statistics;
pub mod tuning;
