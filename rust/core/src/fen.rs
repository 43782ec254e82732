//! Reads canonical FENs, on any thread and without python-chess, which reads all other forms and says what is wrong.

use crate::position::Position;

/// Reads the FEN of a valid position, if it is canonical: six fields, or the first four, which leave the counters at their
/// start; castling rights as in `KQkq`, plain numbers.
///
/// ```
/// use betacut_core::fen::read_canonical;
/// assert!(read_canonical("8/8/8/8/8/2k5/2p5/2K5 w - -").is_some());
/// assert!(read_canonical("8/8/8/8/8/2k5/2p5/2K5 w - - 0").is_none());
/// assert!(read_canonical("8/8/8/8/8/2k5/2p5/8 w - - 0 1").is_none());
/// ```
pub fn read_canonical(text: &str) -> Option<Position<'static>> {
    let mut fields = text.split(' ');
    let (pieces, turn, castling, en_passant) =
        (fields.next()?, fields.next()?, fields.next()?, fields.next()?);
    let is_canonical = pieces.bytes().all(|byte| b"pnbrqkPNBRQK12345678/".contains(&byte))
        && !pieces.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_digit))
        && matches!(turn, "w" | "b")
        && (castling == "-" || is_in_order(castling, "KQkq"))
        && (en_passant == "-" || (en_passant.len() == 2 && en_passant.is_ascii()))
        && match fields.next() {
            None => true,
            Some(halfmoves) => {
                is_number(halfmoves)
                    && fields.next().is_some_and(|number| number != "0" && is_number(number))
                    && fields.next().is_none()
            }
        };
    if is_canonical { Position::from_fen(text).ok() } else { None }
}

/// Whether `part` is a choice of the letters of `whole`, in the same order, and not empty.
fn is_in_order(part: &str, whole: &str) -> bool {
    let mut rest = whole.bytes();
    !part.is_empty() && part.bytes().all(|byte| rest.any(|other| other == byte))
}

/// Whether it is a number of at most five digits, written in one way only.
fn is_number(field: &str) -> bool {
    (1..=5).contains(&field.len())
        && field.bytes().all(|byte| byte.is_ascii_digit())
        && (field == "0" || !field.starts_with('0'))
}
