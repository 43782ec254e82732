//! The exact search against the textbook, on positions that libFuzzer makes up byte by byte.
#![no_main]

use betacut_lab::fuzz::check_bytes;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Err(difference) = check_bytes(bytes) {
        panic!("{difference}");
    }
});
