//! `betacut-tune` at a prompt.

use std::fs;
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

#[test]
fn a_run_that_fails_leaves_no_file() {
    let out = std::env::temp_dir().join(format!("betacut-command-{}", std::process::id()));
    for command in ["fit", "tables"] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_betacut-tune"));
        program.args([command, "no-such-games", "--out"]).arg(&out);
        assert_eq!(program.output().unwrap().status.code(), Some(2));
        assert!(!out.exists());
        fs::write(&out, "older").unwrap();
        program.output().unwrap();
        assert_eq!(fs::read(&out).unwrap(), b"older");
        fs::remove_file(&out).unwrap();
    }
}

#[test]
#[cfg(unix)]
fn an_argument_that_is_no_text_is_named() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let output = Command::new(env!("CARGO_BIN_EXE_betacut-tune"))
        .args(["network".as_ref(), OsStr::from_bytes(b"\xff.net")])
        .output()
        .unwrap();
    let said = "betacut-tune: an argument must be UTF-8, not \u{fffd}.net\n";
    assert_eq!(String::from_utf8(output.stderr).unwrap(), said);
}

#[test]
fn techniques_are_measured_by_soft_nodes_too() {
    let said = |limit: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_betacut-tune"));
        program
            .args(format!("techniques null_move --games 2 --hash 1 --nodes 300 {limit}").split_whitespace());
        let said = String::from_utf8(program.output().unwrap().stdout).unwrap();
        said.rsplit_once(',').unwrap().0.to_owned()
    };
    assert_ne!(said(""), said("--soft-nodes 1"));
}
