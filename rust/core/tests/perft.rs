//! The canonical move list finds the published numbers of legal move sequences.

use betacut_core::limits::Limits;
use betacut_core::perft::{bulk, perft, yardstick};
use betacut_core::position::Position;

#[test]
fn published_counts() {
    let files = [
        include_str!("../../../tests/positions/perft.epd"),
        include_str!("../../../tests/positions/chess960.epd"),
    ];
    for line in files.into_iter().flat_map(str::lines) {
        let mut fields = line.split(" ;");
        let position = Position::from_fen(fields.next().unwrap()).unwrap();
        for field in fields {
            let (depth, count) = field.trim_start_matches('D').split_once(' ').unwrap();
            let (depth, count) = (depth.parse().unwrap(), count.parse::<u64>().unwrap());
            if count > 5_000_000 {
                continue; // `tests/engine/test_laws.py` counts them, in a build for speed
            }
            let found = perft(&position, depth, &mut Limits::new(&mut || false)).unwrap();
            assert_eq!(found, count, "{} at depth {depth}", position.fen());
        }
    }
}

#[test]
fn the_yardstick_makes_every_position() {
    let start = Position::initial();
    let made = yardstick(start.chess(), 4, &mut Limits::new(&mut || false)).unwrap();
    assert_eq!(made, 20 + 400 + 8_902 + 197_281);
    let leaves = bulk(start.chess(), 4, &mut Limits::new(&mut || false)).unwrap();
    assert_eq!(leaves, 197_281);
}

#[test]
fn a_count_can_be_stopped() {
    let start = Position::initial();
    assert!(perft(&start, 6, &mut Limits::new(&mut || true)).is_err());
}
