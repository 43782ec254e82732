//! Static exchange evaluation: what a move wins if both sides go on capturing on its target square.
//!
//! The swap list of the original Julia program: the cheapest attacker captures first, either side stops when
//! going on would lose. Its simplifications are part of the result and kept:
//! values are 1 3 3 5 10 100 (pawn to king), pins are ignored, an en passant capture wins nothing, a promoting
//! pawn stays a pawn, and a king captures only if nothing can recapture.
//!
//! Source: chessprogramming.org "SEE – The Swap Algorithm".

use shakmaty::{Bitboard, CastlingSide, Color, Move, Role, Square};

use crate::position::Position;

/// Values of pawn, knight, bishop, rook, queen, king in the exchange.
pub const EXCHANGE_VALUES: [i32; 6] = [1, 3, 3, 5, 10, 100];

/// The square a move arrives at; castling arrives where the king does.
pub fn target(m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => CastlingSide::from_king_side(king < rook)
            .king_to(Color::from_white(king.rank() == shakmaty::Rank::First)),
        _ => m.to(),
    }
}

/// The exchange on the target of the legal move `m`, in pawns, from the mover's point of view.
///
/// ```
/// use betacut_core::position::Position;
/// use betacut_core::move_order::see::see;
/// // A rook takes a pawn that a pawn defends: +1 - 5.
/// let position = Position::from_fen("4k3/8/2p5/3p4/8/8/8/3RK3 w - - 0 1").unwrap();
/// let capture = position.legal_moves().into_iter().find(|m| m.is_capture()).unwrap();
/// assert_eq!(see(&position, capture), -4);
/// ```
pub fn see(position: &Position, m: Move) -> i32 {
    let board = position.board();
    let to = target(m);
    let value = |role: Role| EXCHANGE_VALUES[role as usize - 1];
    // 1. The moved piece has left its square; whatever stood behind it may join in.
    let mut occupied = board.occupied();
    if let Some(from) = m.from() {
        occupied.discard(from);
    }
    // 2. The first capture is the move itself. Nothing takes back: that is the whole exchange.
    let captured = match m {
        Move::Normal { capture: Some(role), .. } => value(role),
        _ => 0,
    };
    let mut gains = vec![captured];
    let mut on_square = value(m.role());
    let mut side = !position.turn();
    loop {
        // 3. The cheapest attacker of the side to capture; sliders behind earlier capturers now see the square.
        let attackers = board.attacks_to(to, side, occupied) & occupied;
        let Some((role, from)) = cheapest(position, attackers) else {
            break;
        };
        // 4. A king does not capture into an attack.
        if role == Role::King {
            let behind = occupied.without(from);
            if (board.attacks_to(to, !side, behind) & behind).any() {
                break;
            }
        }
        gains.push(on_square - gains[gains.len() - 1]);
        on_square = value(role);
        occupied.discard(from);
        side = !side;
    }
    // 5. Back from the end: each side captures only where that is better than stopping.
    for index in (1..gains.len()).rev() {
        gains[index - 1] = -gains[index].max(-gains[index - 1]);
    }
    gains[0]
}

/// The attacker that captures first: P, N, B, R, Q, K; among equals the first square of Chess.jl's order.
fn cheapest(position: &Position, attackers: Bitboard) -> Option<(Role, Square)> {
    Role::ALL.into_iter().find_map(|role| {
        let first = (attackers & position.board().by_role(role)).rotate_270().first()?;
        Some((role, first.rotate_90()))
    })
}
