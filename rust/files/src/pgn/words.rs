//! What a word of a game's main line stands for: a move in standard algebraic notation, as it is written in the wild.
//!
//! Also read: castling with zeros (`0-0`), long notation (`Ng1-f3`, `e2-e4`, `e2e4`), promotions without a sign or in small
//! letters (`e8Q`, `e8=q`), captures without a sign (`ed5`), and marks behind the move (`Nf3+-`, `exd6ep`).

use shakmaty::san::{San, SanError};
use shakmaty::uci::UciMove;
use shakmaty::{Chess, Move, Role};

/// What is wrong with a word that is written as no move is.
pub const UNREADABLE: &str = "is no move that can be read";

/// Reads a word as a move, or says what is wrong with it, such as `is not legal`.
pub fn read_move(word: &[u8], position: &Chess) -> Result<Move, &'static str> {
    if let Ok(san) = San::from_ascii(word)
        && let Ok(found) = san.to_move(position)
    {
        return Ok(found);
    }
    if matches!(word, b"--" | b"Z0" | b"0000" | b"@@@@") {
        return Err("is not legal: it is a null move");
    }
    let plain = normalized(word);
    if plain.len() >= 4 && is_square(&plain[..2]) && is_square(&plain[2..4]) {
        let uci: Vec<u8> = plain.iter().filter(|&&byte| byte != b'=').map(u8::to_ascii_lowercase).collect();
        let uci = UciMove::from_ascii(&uci).map_err(|_| UNREADABLE)?;
        return uci.to_move(position).map_err(|_| "is not legal");
    }
    let san = San::from_ascii(&plain).map_err(|_| UNREADABLE)?;
    let found = match (san.to_move(position), other(san)) {
        (Err(SanError::IllegalSan), Some(other)) => other.to_move(position),
        (found, _) => found,
    };
    found.map_err(|error| match error {
        SanError::AmbiguousSan => "stands for more than one move",
        SanError::IllegalSan => "is not legal",
    })
}

/// The same move with a sign of capture or without it; a pawn that captures has a file before it.
fn other(san: San) -> Option<San> {
    match san {
        San::Normal { role: Role::Pawn, file: None, .. } => None,
        San::Normal { role, file, rank, capture, to, promotion } => {
            Some(San::Normal { role, file, rank, capture: !capture, to, promotion })
        }
        _ => None,
    }
}

/// A word without marks behind it and signs between its squares, promotions with a sign and in capitals.
fn normalized(word: &[u8]) -> Vec<u8> {
    let end = word.iter().rposition(|byte| !b"+-#=/".contains(byte)).map_or(0, |at| at + 1);
    let mut word = word[..end].to_vec();
    if word.starts_with(b"0-0") || word.starts_with(b"O-O") {
        return word.iter().map(|&byte| if byte == b'0' { b'O' } else { byte }).collect();
    }
    for mark in [&b"ep"[..], b"e"] {
        if word.strip_suffix(mark).is_some_and(|move_| move_.last().is_some_and(u8::is_ascii_digit)) {
            word.truncate(word.len() - mark.len());
        }
    }
    if let Some(at) = (0..word.len().min(4)).find(|&at| {
        let is_sign = word[at] == b'-' || (word[at] == b'x' && at == 2 && is_square(&word[..2]));
        is_sign && word.get(at + 1..at + 3).is_some_and(is_square)
    }) {
        word.remove(at);
    }
    if let Some((&role, rest)) = word.split_last()
        && b"nbrqNBRQ".contains(&role)
        && let Some(&before) = rest.last()
        && (before == b'=' || matches!(before, b'1' | b'8'))
    {
        word.pop();
        if before != b'=' {
            word.push(b'=');
        }
        word.push(role.to_ascii_uppercase());
    }
    word
}

fn is_square(text: &[u8]) -> bool {
    matches!(text, [b'a'..=b'h', b'1'..=b'8'])
}

#[cfg(test)]
mod tests {
    use shakmaty::fen::Fen;
    use shakmaty::{CastlingMode, Position as _};

    use super::*;

    fn read(fen: &str, word: &str) -> Result<String, &'static str> {
        let fen: Fen = fen.parse().expect("a FEN");
        let position: Chess = fen.into_position(CastlingMode::Standard).expect("a position");
        let found = read_move(word.as_bytes(), &position)?;
        assert!(position.is_legal(found));
        Ok(found.to_uci(CastlingMode::Standard).to_string())
    }

    #[test]
    fn moves_are_read_as_they_are_written() {
        let middle = "r3k2r/1P1p4/8/2pPp3/4N3/8/4P3/R3K2R w KQkq c6 0 1";
        for (words, uci) in [
            ("O-O 0-0 0-0+ e1g1 e1-g1", "e1g1"),
            ("O-O-O 0-0-0# e1c1", "e1c1"),
            ("e3 e2-e3 e2e3 e2e3+- e3=", "e2e3"),
            ("Nxc5 Nc5 Ne4xc5 Ne4-c5 N4c5 Nec5 e4c5 e4xc5 Nxc5+/-", "e4c5"),
            ("dxc6 dc6 dxc6ep dxc6e d5c6 d5xc6 d5-c6", "d5c6"),
            ("b8=Q b8Q b8=q b8q+ b7-b8=Q b7b8q", "b7b8q"),
            ("bxa8=N+ bxa8N ba8=N ba8n b7xa8N", "b7a8n"),
            ("Rb1 Rab1 Ra1-b1 R1b1", "a1b1"),
        ] {
            for word in words.split(' ') {
                assert_eq!(read(middle, word).as_deref(), Ok(uci), "{word}");
            }
        }
    }

    #[test]
    fn what_is_no_move_is_told() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (words, wrong) in [
            ("e5 e2e5 d3xe4 Nd2 O-O", "is not legal"),
            ("--", "is not legal: it is a null move"),
            ("Nf9 e4x x1 e2e4e5 - ", "is no move that can be read"),
        ] {
            for word in words.split(' ') {
                assert_eq!(read(start, word), Err(wrong), "{word}");
            }
        }
        assert_eq!(read("4k3/8/8/8/8/8/3p4/R3K2R w KQ - 0 1", "d1"), Err("is not legal"));
        assert_eq!(read("k7/8/8/8/8/8/8/1N2KN2 w - - 0 1", "Nd2"), Err("stands for more than one move"));
        assert_eq!(read("k7/8/8/4p3/3P4/8/8/4K3 w - - 0 1", "e5"), Err("is not legal"));
    }
}
