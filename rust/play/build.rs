//! Tells the crate which compiler makes it: the command `compiler` says so.

use std::{env, process::Command};

fn main() {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let said = Command::new(rustc).arg("--version").output().map(|output| output.stdout);
    let version = String::from_utf8_lossy(&said.unwrap_or_default()).trim().to_owned();
    let version = if version.is_empty() { "rustc" } else { &version };
    println!("cargo::rustc-env=RUSTC_VERSION={version}");
    println!("cargo::rerun-if-changed=build.rs");
}
