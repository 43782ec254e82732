//! `betacut-tune queue` as a user runs it: killed, started again, with mistakes in the file.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{fs, thread, time::Duration};

const QUEUE: &str = "# A queue.
quiet: --a quiescence=0 --nodes 100 --games 40 --hash 1
wrong: --a quiescance=0 --nodes 100 --games 40
passes: --a null_move=0 --nodes 100 --games 8 --hash 1 --sprt 0,8";

fn queue(folder: &Path, threads: u32) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_betacut-tune"));
    command.args(["queue", "queue.txt", "--threads", &threads.to_string()]).current_dir(folder);
    command
}

/// The results of the log, but for commit, date and speed.
fn results(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("tests.log")).unwrap();
    let without_speed = |line: &str| {
        let [_, _, signature, result, test] = line.split('\t').collect::<Vec<_>>().try_into().unwrap();
        let cut = result.rfind(',').unwrap();
        format!("{signature} {} {test}", &result[..cut])
    };
    text.lines().map(without_speed).collect()
}

#[test]
fn a_queue_that_is_killed_has_the_results_of_one_that_is_not() {
    let root = std::env::temp_dir().join(format!("betacut-queue-{}", std::process::id()));
    let folders = ["whole", "killed-1", "killed-3"].map(|name| root.join(name));
    for folder in &folders {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("queue.txt"), QUEUE).unwrap();
    }
    let said = |folder, threads| {
        let done = queue(folder, threads).output().unwrap();
        // One line is wrong.
        assert_eq!(done.status.code(), Some(2));
        String::from_utf8([done.stdout, done.stderr].concat()).unwrap()
    };
    let first = said(&folders[0], 2);
    assert!(first.contains("queue.txt, line 3: there is no parameter \"quiescance\"\n"), "{first}");
    let whole = results(&folders[0]);
    assert_eq!(whole.len(), 2);
    assert!(whole[0].ends_with(" quiet: --a quiescence=0 --nodes 100 --games 40 --hash 1"), "{whole:?}");
    for (folder, threads) in folders[1..].iter().zip([1, 3]) {
        let mut child = queue(folder, threads).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while !folder.join("tests.log.state").exists() {
            assert_eq!(child.try_wait().unwrap(), None);
            thread::sleep(Duration::from_millis(1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!(results(folder), [""; 0]);
        assert!(said(folder, threads).contains("goes on after "));
        assert_eq!(results(folder), whole);
        assert_eq!(said(folder, threads).matches(": stands in tests.log\n").count(), 2);
        assert_eq!(results(folder), whole);
    }
    fs::remove_dir_all(root).unwrap();
}
