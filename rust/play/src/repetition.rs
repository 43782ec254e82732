//! Draws by repetition, those that are there and those that a move leads to.
//!
//! The keys of all positions since the last capture or pawn move tell whether a position occurred before. One that occurred
//! in the search once will occur a second time, so once is enough there; before the root it takes two.
//!
//! Two positions between which lies one reversible move differ in their keys by that move's numbers alone. All such moves
//! are kept by these differences in a table of two choices ("cuckoo hashing"), so that each earlier position costs a look
//! or two, and no move is made.
//!
//! **What can go wrong.** A pass is no move: no position before it can be repeated after it, though the halfmove clock
//! runs on. With a rook that goes from a to b, a pass, and on from b to c, the other side would seem to be a move away
//! from the rook on a.
//!
//! Source: M. N. J. van Kervinck, "The Design and Implementation of the Rookie 2.0 Chess Playing Program" (2002).

use std::sync::LazyLock;

use super::evaluation::Board;
use betacut_core::board::{BISHOP, KING, KNIGHT, QUEEN, ROOK, TURN_KEY, attacks, between, bit, placed_key};

/// Places for moves: a power of two, more than twice the 3,668 moves.
const PLACES: usize = 8_192;

/// The differences of keys that reversible moves make, and the squares of each, as they stand on the board.
pub struct Reversible {
    keys: Box<[u64; PLACES]>,
    squares: Box<[(u8, u8); PLACES]>,
}

const fn places(key: u64) -> (usize, usize) {
    (key as usize & (PLACES - 1), (key >> 16) as usize & (PLACES - 1))
}

pub static REVERSIBLE: LazyLock<Reversible> = LazyLock::new(|| {
    let mut table = Reversible { keys: Box::new([0; PLACES]), squares: Box::new([(0, 0); PLACES]) };
    for black in [false, true] {
        for code in [KNIGHT, BISHOP, ROOK, QUEEN, KING] {
            for from in 0..64 {
                for to in from + 1..64 {
                    if attacks(code, from, 0) & bit(to) != 0 {
                        let key = placed_key(black, code, from) ^ placed_key(black, code, to) ^ TURN_KEY;
                        table.insert(key, (from as u8, to as u8));
                    }
                }
            }
        }
    }
    table
});

impl Reversible {
    /// Each that is pushed out goes to its other place.
    fn insert(&mut self, mut key: u64, mut squares: (u8, u8)) {
        let mut place = places(key).0;
        loop {
            std::mem::swap(&mut self.keys[place], &mut key);
            std::mem::swap(&mut self.squares[place], &mut squares);
            if key == 0 {
                return;
            }
            let (first, second) = places(key);
            place = if place == first { second } else { first };
        }
    }

    #[inline(always)]
    fn find(&self, key: u64) -> Option<(u32, u32)> {
        let (first, second) = places(key);
        let place = if self.keys[first] == key {
            first
        } else if self.keys[second] == key {
            second
        } else {
            return None;
        };
        let (from, to) = self.squares[place];
        Some((u32::from(from), u32::from(to)))
    }
}

/// The positions that led to a node, with the node itself: the game's, then the search's.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// Keys, oldest first.
    pub keys: Vec<u64>,
    /// Which of them is the root.
    pub root: usize,
    /// The first of them that can be repeated: the one after the last pass.
    pub first: usize,
}

impl Path {
    /// Goes on to the position after a pass. Returns what [`Path::unpass`] needs.
    pub fn pass(&mut self, key: u64) -> usize {
        let first = std::mem::replace(&mut self.first, self.keys.len());
        self.keys.push(key);
        first
    }

    pub fn unpass(&mut self, first: usize) {
        self.keys.pop();
        self.first = first;
    }

    /// How many plies before the last position, at most, a repeated one can be.
    fn reach(&self, board: &Board) -> usize {
        (board.clock as usize).min(self.keys.len() - 1 - self.first)
    }

    /// Whether the last position is a draw by repetition.
    pub fn is_repeated(&self, board: &Board) -> bool {
        let now = self.keys.len() - 1;
        let reach = self.reach(board);
        let mut before_root = 0;
        for back in (4..=reach).step_by(2) {
            if self.keys[now - back] == board.key {
                if now - back > self.root {
                    return true;
                }
                before_root += 1;
                if before_root == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a move leads back to a position of the search, or to one that occurred twice in the game.
    pub fn can_repeat(&self, board: &Board) -> bool {
        let now = self.keys.len() - 1;
        let reach = self.reach(board);
        if reach < 3 {
            return false;
        }
        let table = &*REVERSIBLE;
        for back in (3..=reach).step_by(2) {
            let difference = board.key ^ self.keys[now - back];
            let Some((a, b)) = table.find(difference) else {
                continue;
            };
            let flip = if board.black { 56 } else { 0 };
            // Nothing stands in between; which end the piece is on does not matter.
            if between(a ^ flip, b ^ flip) & board.occupied() != 0 {
                continue;
            }
            if now - back > self.root {
                return true;
            }
            // Before the root only what has been repeated, and by a piece of ours.
            let at = if board.occupied() & bit(a ^ flip) != 0 { a } else { b };
            if board.ours & bit(at ^ flip) != 0 && self.occurred_twice(now - back) {
                return true;
            }
        }
        false
    }

    fn occurred_twice(&self, index: usize) -> bool {
        (2..=index.min(100)).step_by(2).any(|back| self.keys[index - back] == self.keys[index])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Game, evaluation::WEIGHTS};
    use shakmaty::CastlingMode;

    /// The board after some moves (a pass is `--`), and the path of a search that begins one ply before them.
    fn after<'w>(fen: &str, moves: &str) -> (Board<'w>, Path) {
        let game = Game::from_fen(fen, CastlingMode::Standard).unwrap();
        let mut board = game.board(&WEIGHTS);
        let mut path = Path { keys: vec![0, board.key], ..Path::default() };
        for text in moves.split(' ') {
            if text == "--" {
                board = board.pass();
                path.pass(board.key);
                continue;
            }
            let name = |m| board.to_shakmaty(m).to_uci(CastlingMode::Standard).to_string();
            board = board.make(board.legal_moves().into_iter().find(|&m| name(m) == text).unwrap());
            path.keys.push(board.key);
        }
        (board, path)
    }

    #[test]
    fn a_slider_that_goes_on_after_a_pass_repeats_nothing() {
        let fen = "7k/8/8/8/8/8/8/R6K w - - 10 40";
        let (board, path) = after(fen, "a1b1 -- b1c1");
        assert!(!path.can_repeat(&board), "it is Black's turn to move the rook back");
        // Nor does one that comes back, with a pass of the other side each time.
        let (board, path) = after(fen, "a1b1 -- b1a1 --");
        assert!(!path.is_repeated(&board));
        // After the pass what can be repeated is.
        let (board, path) = after(fen, "-- h8g8 a1b1 g8h8");
        assert!(path.can_repeat(&board));
        let (board, path) = after(fen, "-- h8g8 a1b1 g8h8 b1a1");
        assert!(path.is_repeated(&board));
        let (board, mut path) = after(fen, "a1b1 h8g8 b1a1");
        assert!(path.can_repeat(&board));
        // A pass that is taken back is forgotten.
        let first = path.pass(board.pass().key);
        assert!(!path.can_repeat(&board.pass()));
        path.unpass(first);
        assert!(path.can_repeat(&board));
    }
}
