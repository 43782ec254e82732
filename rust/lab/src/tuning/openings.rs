//! Where games begin: some plies at random, or positions from a file.

use shakmaty::{CastlingMode, Chess, FromSetup as _, Move, Position as _, fen::Fen};

use betacut_core::random;

/// A beginning: a position and moves from there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Where the game starts.
    pub start: Chess,
    /// How castling is written.
    pub mode: CastlingMode,
    /// The moves that are played before the players think.
    pub moves: Vec<Move>,
}

/// The stream of numbers of a game or a pair of games: the same for the same seed and number.
pub fn stream(seed: u64, number: u64) -> u64 {
    let mut state = seed;
    random::next(&mut state) ^ number.wrapping_mul(0xd134_2543_de82_ef95)
}

/// A number below `bound`, which is at least 1.
pub fn below(stream: &mut u64, bound: usize) -> usize {
    ((random::next(stream) as u128 * bound as u128) >> 64) as usize
}

/// Puts values into an order that depends on the state of a stream alone.
pub fn shuffle<T>(values: &mut [T], stream: &mut u64) {
    for at in (1..values.len()).rev() {
        values.swap(at, below(stream, at + 1));
    }
}

/// Moves at random from the start of the game; none if that is over then.
pub fn random_opening(stream: &mut u64, plies: usize) -> Option<Opening> {
    let start = Chess::default();
    let mut position = start.clone();
    let mut moves = Vec::new();
    for _ in 0..plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            return None;
        }
        let chosen = legal[below(stream, legal.len())];
        moves.push(chosen);
        position.play_unchecked(chosen);
    }
    (!position.legal_moves().is_empty()).then_some(Opening { start, mode: CastlingMode::Standard, moves })
}

/// The positions of a text with one FEN or EPD a line, and what is wrong with the other lines.
pub fn read_epd(text: &str) -> (Vec<Opening>, Vec<String>) {
    let (mut openings, mut problems) = (Vec::new(), Vec::new());
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match position(line) {
            Ok(opening) => openings.push(opening),
            Err(reason) => problems.push(format!("line {}: {reason}: {line:?}", index + 1)),
        }
    }
    (openings, problems)
}

fn position(line: &str) -> Result<Opening, String> {
    let mut fields: Vec<&str> = line.split_whitespace().take(6).collect();
    // Operations follow the fourth field of an EPD.
    let is_fen = fields.len() == 6 && fields[4..].iter().all(|field| field.parse::<u32>().is_ok());
    if !is_fen {
        fields.truncate(4);
    }
    let setup = fields.join(" ").parse::<Fen>().map_err(|error| error.to_string())?.into_setup();
    let mode = CastlingMode::detect(&setup);
    let start = Chess::from_setup(setup, mode).map_err(|error| error.to_string())?;
    if start.legal_moves().is_empty() {
        return Err("the game is over".to_owned());
    }
    Ok(Opening { start, mode, moves: Vec::new() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_a_function_of_the_seed() {
        let of = |seed, number| random_opening(&mut stream(seed, number), 8).unwrap();
        assert_eq!(of(1, 5), of(1, 5));
        assert_ne!(of(1, 5), of(1, 6));
        assert_ne!(of(1, 5), of(2, 5));
        assert_eq!(of(1, 5).moves.len(), 8);
    }

    #[test]
    fn lines_of_epd_and_fen_are_read_and_others_told() {
        let (openings, problems) = read_epd(
            "# openings\n\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - id \"e4\";\n\
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
             \n\
             rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNX w KQkq -\n\
             rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -\n",
        );
        assert_eq!(openings.len(), 2);
        assert_eq!(openings[1].start, Chess::default());
        assert_eq!(problems.len(), 2);
        assert!(problems[0].starts_with("line 5: "), "{problems:?}");
        assert!(problems[1].starts_with("line 6: the game is over"), "{problems:?}");
    }
}
