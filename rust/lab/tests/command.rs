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
#[cfg(target_os = "linux")]
fn output_that_cannot_be_written_is_an_error_after_the_work() {
    let folder = std::env::temp_dir().join(format!("betacut-full-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("queue"), "a: --games 2 --nodes 50 --hash 1\nb: --games 2 --nodes 60 --hash 1")
        .unwrap();
    let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let run = |command: &str, stderr: Stdio| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_betacut-tune"));
        program.args(command.split_whitespace()).current_dir(&folder).stdout(full()).stderr(stderr);
        let done = program.output().unwrap();
        assert_eq!(done.status.code(), Some(2), "{command}");
        String::from_utf8(done.stderr).unwrap()
    };
    let lost = "betacut-tune: cannot write the output: No space left on device (os error 28)\n";
    let games = "games --games 2 --nodes 50 games";
    for command in ["", "show TEMPO", "spsa --list", "match --games 2 --nodes 50", games, "queue queue"] {
        assert_eq!(run(command, Stdio::piped()), lost, "{command}");
    }
    assert!(fs::read(folder.join("games")).unwrap().len() > 100);
    let results = || fs::read_to_string(folder.join("tests.log")).unwrap().lines().count();
    assert_eq!(results(), 2);
    fs::remove_file(folder.join("tests.log")).unwrap();
    run("queue queue", full().into());
    assert_eq!(results(), 2);
    fs::remove_dir_all(folder).unwrap();
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

#[test]
fn a_byte_order_mark_is_no_part_of_a_file() {
    let folder = std::env::temp_dir().join(format!("betacut-mark-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let tests = "a: --games 2 --nodes 50 --hash 1 --openings openings\n";
    let files = [
        ("openings", "4k3/8/8/8/8/8/4P3/4K3 w - -\n"),
        ("parameters", "# name, start, min, max, c_end, r_end\naspiration_width, 9, 4, 18, 0.7, 0.002\n"),
        ("queue", tests),
    ];
    for (name, text) in files {
        fs::write(folder.join(name), format!("\u{feff}{text}")).unwrap();
    }
    for command in ["spsa parameters --list", "queue queue"] {
        let mut program = Command::new(env!("CARGO_BIN_EXE_betacut-tune"));
        let done = program.args(command.split_whitespace()).current_dir(&folder).output().unwrap();
        assert_eq!(String::from_utf8(done.stderr).unwrap(), "", "{command}");
        assert!(done.status.success() && !done.stdout.starts_with("\u{feff}".as_bytes()), "{command}");
    }
    assert!(fs::read_to_string(folder.join("tests.log")).unwrap().ends_with(&format!("\t{tests}")));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_would_lose_or_hide_something_is_refused() {
    let folder = std::env::temp_dir().join(format!("betacut-refused-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let said = |command: &str, says: &str| {
        let mut program = Command::new(env!("CARGO_BIN_EXE_betacut-tune"));
        let done = program.args(command.split_whitespace()).current_dir(&folder).output().unwrap();
        let text = String::from_utf8(done.stderr).unwrap();
        assert_eq!(done.status.code(), Some(if says.is_empty() { 0 } else { 2 }), "{command}: {text}");
        assert!(text.contains(says), "{command}: {text}");
    };
    said("games --games 2 --nodes 50 --threads 1 a", "");
    fs::copy(folder.join("a"), folder.join("b")).unwrap();
    fs::copy(folder.join("a"), folder.join("kept")).unwrap();
    for command in ["fit", "tables", "train"] {
        said(&format!("{command} a --out ./a"), "./a: is a file that is read: --out must be another");
        said(
            &format!("{command} a b --out c"),
            "b: game 0 by seed 1 and 50 nodes a move stands in another file, too",
        );
    }
    assert_eq!(fs::read(folder.join("a")).unwrap(), fs::read(folder.join("kept")).unwrap());
    fs::write(folder.join("tests.log"), "a: --games 2 --nodes 50 --hash 1").unwrap();
    for command in ["queue tests.log", "queue --log tests.log ./tests.log"] {
        said(command, "tests.log: is a file that is read: --log must be another");
    }
    assert_eq!(fs::read(folder.join("tests.log")).unwrap(), b"a: --games 2 --nodes 50 --hash 1");
    fs::remove_file(folder.join("tests.log")).unwrap();
    let odd = "--games must be an even number, each opening being played twice, not 3";
    said("match --games 3 --nodes 50", odd);
    said("techniques --games 3 --nodes 50", odd);
    said(
        "match --games 2 --nodes 50 --a null_move=0,null_move=1",
        "\"null_move=1\": null_move is changed twice",
    );
    said("tables a --out t.json", "t.json: tables are written as TOML: name a file that ends in .toml");
    said("show tempo temp", "there is no term \"temp\"; there are ");
    said("games --games 1 --nodes 50 d help", "one file must be named, not 2");
    // A tempo of sixty pawns decides every opening.
    said("start weights.rs", "");
    let text = fs::read_to_string(folder.join("weights.rs")).unwrap();
    let (before, after) = text.split_once("// TEMPO").unwrap();
    let (line, pair) = after.split_once("p(").unwrap();
    let text = format!("{before}// TEMPO{line}p(6000, 6000{}", &pair[pair.find(')').unwrap()..]);
    fs::write(folder.join("weights.rs"), text).unwrap();
    said("games --games 1 --nodes 20 --weights weights.rs e", "1 of 1 games could not be played");
    let players = "--weights-a weights.rs --weights-b weights.rs --games 2 --nodes 20";
    said(&format!("match {players}"), "none of the 1 pairs could be played");
    fs::write(folder.join("queue"), format!("bad: {players}")).unwrap();
    for _ in 0..2 {
        said("queue queue", "1 of the tests could not be played");
    }
    fs::remove_dir_all(folder).unwrap();
}
