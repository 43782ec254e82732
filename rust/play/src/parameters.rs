//! All numbers that the search can be tuned by, and a switch for each technique.
//!
//! A switch is 1 or 0. With all of them 0 ([`Parameters::plain`]) what is left is alpha-beta to a fixed depth.

/// A parameter that there is none of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no parameter {0:?}")]
pub struct UnknownParameter(pub String);

/// Declares the parameters: name, value, what it is.
macro_rules! parameters {
    ($($name:ident = $default:expr, $doc:literal;)*) => {
        /// The parameters of the search.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $(#[doc = $doc] pub $name: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $default,)* }
            }
        }

        impl Parameters {
            /// The names of all parameters.
            pub const NAMES: &[&str] = &[$(stringify!($name)),*];

            /// Changes a parameter.
            pub fn set(&mut self, name: &str, value: i32) -> Result<(), UnknownParameter> {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return Err(UnknownParameter(name.to_owned())),
                }
                Ok(())
            }

            /// The value of a parameter.
            pub fn get(&self, name: &str) -> Option<i32> {
                match name {
                    $(stringify!($name) => Some(self.$name),)*
                    _ => None,
                }
            }
        }
    };
}

parameters! {
    quiescence = 1, "Go on with captures where the depth ends.";
    deeper_entries = 1, "Stored scores of greater depth may answer.";
    repetition = 1, "A position that occurred before is a draw.";
    upcoming_repetition = 1,
        "A position from which one can go back to an earlier one is worth a draw at least.";
    mate_distance = 1, "No mate that is longer than one found already is looked for.";

    aspiration = 1, "Windows around the last score.";
    aspiration_width = 9, "Half the width of the first one, centipawns.";
    aspiration_score = 16, "More by so many 1024ths of the score.";
    aspiration_depth = 4, "From this depth on.";
    aspiration_growth = 50, "Wider by so many percent after each failure.";
    aspiration_reduction = 3, "Plies less deep at most after scores above it.";

    reverse_futility = 1, "A lead of so much that the depth left cannot cost it ends the search of a node.";
    reverse_futility_depth = 8, "Down to this depth.";
    reverse_futility_margin = 48, "Centipawns a ply.";
    reverse_futility_base = 41, "Centipawns at no depth.";
    reverse_futility_improving = 127, "Less by so many percent of a ply if the position improves.";
    reverse_futility_part = 3, "The score is beta and one part of so many of what is above it.";

    razoring = 1, "A deficit that only captures can make good is left to quiescence.";
    razoring_depth = 4, "Down to this depth.";
    razoring_margin = 227, "Centipawns a ply.";

    null_move = 1, "Passing the move: a side still ahead need not search.";
    null_move_depth = 3, "From this depth on.";
    null_move_reduction = 5, "Plies fewer.";
    null_move_divisor = 4, "One more for each so many plies.";
    null_move_lead = 78, "One more for each so many centipawns of lead.";
    null_move_lead_limit = 3, "No more than so many for the lead.";
    null_move_check = 14, "From this depth on the answer is checked without passing.";
    null_move_margin = 131, "Only if the static value is so many centipawns above beta,";
    null_move_slope = 30, "less so many for each ply of depth.";

    probcut = 1, "A capture that holds a raised bound at small depth refutes the node.";
    probcut_depth = 5, "From this depth on.";
    probcut_margin = 214, "Centipawns above beta.";
    probcut_reduction = 4, "Plies less deep.";

    internal_reduction = 1, "Nodes without a move from the table are searched a ply less.";
    internal_reduction_depth = 4, "From this depth on.";

    late_move_pruning = 1, "Quiet moves beyond a number are left out.";
    late_move_pruning_depth = 8, "Down to this depth.";
    late_move_pruning_base = 6, "So many at no depth; more with its square.";
    late_move_pruning_square = 118, "More by so many percent of the depth's square.";
    late_move_pruning_worse = 53, "Percent of it if the position does not improve.";

    futility = 1, "Quiet moves that cannot reach alpha are left out.";
    futility_depth = 9, "Down to this depth.";
    futility_base = 117, "Centipawns at no depth.";
    futility_margin = 86, "Centipawns a ply.";
    futility_history = 161, "Centipawns for history, in 16384ths.";

    see_pruning = 1, "Moves that lose too much in the exchange are left out.";
    see_pruning_depth = 9, "Down to this depth.";
    see_pruning_capture = 95, "Centipawns a ply, for captures.";
    see_pruning_quiet = 15, "Centipawns a squared ply, for quiet moves.";

    history_pruning = 1, "Quiet moves with a bad history are left out.";
    history_pruning_depth = 7, "Down to this depth.";
    history_pruning_margin = 4126, "History a ply.";

    late_move_reductions = 1, "Late moves are searched less deep first.";
    reduction_depth = 3, "From this depth on.";
    reduction_count = 2, "From this move on; from the one after it in the principal variation.";
    reduction_root = 3, "Not the first so many moves of the root.";
    reduction_base = 1110, "Reduction, 1024ths of a ply: at no depth.";
    reduction_factor = 523, "Reduction, 1024ths of a ply: by the logarithms of depth and move number.";
    reduction_cut = 1510, "More where a cut is expected.";
    reduction_not_improving = 723, "More if the position does not improve.";
    reduction_pv = 1173, "Less in the principal variation.";
    reduction_check = 1378, "Less if the move gives check.";
    reduction_history = 9662, "Less by so much history for a whole ply.";
    reduction_capture = 347, "Reductions of captures, in 1024ths of those of quiet moves.";
    reduction_unknown = 564, "More where a cut is expected and the table has no move.";
    reduction_table_capture = 940, "More if the table's move is a capture.";

    repeat_extension = 1, "How much a reduced move has surprised decides how deep it is searched again.";
    repeat_deeper = 44,
        "A ply deeper from so many centipawns above the best score,";
    repeat_deeper_slope = 2, "and so many more for each ply.";
    repeat_shallower = 9, "A ply less if it is above it by less than this.";

    singular = 1, "The only good move is searched deeper.";
    singular_depth = 5, "From this depth on.";
    singular_entry = 3, "If the stored score is at most so many plies less deep.";
    singular_less = 2, "Plies less deep if it is not the only one and reaches beta.";
    singular_margin = 23, "Centipawns a ply below the stored score, in 16ths.";
    singular_double = 29, "Two plies deeper if it is better by so much.";

    check_extension = 1, "Checks are answered a ply deeper.";

    improving = 1, "Whether the static value has risen since the last move decides how much is pruned.";

    see_ordering = 1, "Captures that lose in the exchange come last, and not at all in quiescence.";
    see_ordering_part = 12, "They may lose so many 1024ths of what they score in the order.";
    killers = 1, "Killer moves.";
    capture_history = 1, "Histories of captures.";
    capture_history_part = 52, "What they count beside 16 times the captured piece, in 128ths.";
    continuation_history = 1, "Histories of moves after moves.";
    continuation_1 = 148, "By the last move, in 128ths.";
    continuation_2 = 112, "By the move two plies before, in 128ths.";
    continuation_4 = 103, "By the move four plies before, in 128ths.";
    threat_history = 1, "Histories by whether squares are attacked.";
    flight = 13,
        "Quiet moves away from lesser attackers come earlier by so many times the piece's value, those to them later.";
    quiet_checks = 11_331, "Quiet moves that give check come earlier by so much.";

    bonus_slope = 245, "A cutoff adds so much a ply,";
    bonus_base = 80, "less this,";
    bonus_limit = 2135, "but no more than this.";
    malus_slope = 387, "Moves tried in vain lose so much a ply,";
    malus_base = 100, "less this,";
    malus_limit = 761, "but no more than this.";

    table_learning = 1, "Moves of the table that cut at once teach the histories.";
    table_learning_part = 56, "By so many percent of a cutoff.";
    difference_learning = 1, "So do differences of static values.";
    difference_learning_part = 106, "By so many percent of the centipawns.";
    difference_limit = 1200, "By no more than this.";
    repeat_learning = 1, "So do reduced searches that were repeated.";
    failure_learning = 1, "So do nodes in which nothing helped against the move before.";

    correction = 1, "Static values learn from the searches of like positions.";
    correction_gain = 132, "They learn so many 1024ths of the error for each ply,";
    correction_step = 241, "but no more than this; their limit is 1024.";
    correction_pawns = 40, "By pawns: centipawns at most.";
    correction_pieces = 50, "By the pieces of each side: centipawns at most.";
    correction_moves = 24, "By the last moves: centipawns at most.";

    delta_pruning = 1, "Captures that cannot reach alpha are left out of quiescence.";
    delta_margin = 139, "Centipawns beside the captured piece.";
    quiescence_evasions = 2, "Quiet moves out of check among the first so many moves only.";
    quiescence_moves = 3, "So many captures at most in a node of quiescence; 0: all.";

    time_stability = 1, "Time is shared out by how sure the search is of its move.";
}

impl Parameters {
    /// Nothing but alpha-beta to a fixed depth, with a table.
    #[must_use]
    pub fn plain() -> Parameters {
        let mut parameters = Parameters::default();
        for name in Parameters::switches() {
            let _ = parameters.set(name, 0);
        }
        parameters
    }

    /// The names of the switches, one for each technique.
    pub fn switches() -> impl Iterator<Item = &'static str> {
        // No number that is not a switch is 1.
        let all = Parameters::default();
        Parameters::NAMES.iter().copied().filter(move |name| all.get(name) == Some(1))
    }
}
