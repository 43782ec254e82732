//! `betacut-tune` at a prompt.

use std::process::{Command, Stdio};

#[test]
fn a_reader_that_leaves_is_no_error() {
    for command in ["", "show", "spsa --list"] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_betacut-tune"));
        let mut running = program.args(command.split_whitespace()).stdout(Stdio::piped()).spawn().unwrap();
        drop(running.stdout.take());
        assert!(running.wait().unwrap().success(), "{command}");
    }
}

#[test]
fn help_is_given_wherever_it_is_asked_for() {
    for command in ["--help", "games --help", "match --a elo=500 -h", "help"] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_betacut-tune"));
        let output = program.args(command.split_whitespace()).output().unwrap();
        assert!(output.status.success() && output.stdout.starts_with(b"betacut-tune games "), "{command}");
    }
}
