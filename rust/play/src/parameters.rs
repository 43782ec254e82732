//! All numbers that the search can be tuned by, and a switch for each technique.
//!
//! A switch is 1 or 0. With all of them 0 ([`Parameters::plain`]) what is left is alpha-beta to a fixed depth.

/// A parameter that there is none of.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no parameter {0:?}")]
pub struct UnknownParameter(pub String);

/// Declares the parameters: name, value, what it is.
macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident = $default:expr;)*) => {
        /// The parameters of the search.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])* pub $name: i32,)*
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
    /// Go on with captures where the depth ends.
    quiescence = 1;
    /// Stored scores of greater depth may answer.
    deeper_entries = 1;
    /// A position that occurred before is a draw.
    repetition = 1;
    /// A position from which one can go back to an earlier one is worth a draw at least.
    upcoming_repetition = 1;
    /// No mate that is longer than one found already is looked for.
    mate_distance = 1;

    /// Windows around the last score.
    aspiration = 1;
    /// Half the width of the first one, centipawns.
    aspiration_width = 12;

    /// A lead of so much that the depth left cannot cost it ends the search of a node.
    reverse_futility = 1;
    /// Down to this depth.
    reverse_futility_depth = 9;
    /// Centipawns a ply.
    reverse_futility_margin = 75;

    /// A deficit that only captures can make good is left to quiescence.
    razoring = 1;
    /// Down to this depth.
    razoring_depth = 4;
    /// Centipawns a ply.
    razoring_margin = 280;

    /// Passing the move: who is still ahead need not search.
    null_move = 1;
    /// From this depth on.
    null_move_depth = 3;
    /// Plies fewer.
    null_move_reduction = 4;
    /// One more for each so many plies.
    null_move_divisor = 4;
    /// One more for each so many centipawns of lead.
    null_move_lead = 200;

    /// A capture that holds a raised bound at small depth refutes the node.
    probcut = 1;
    /// From this depth on.
    probcut_depth = 5;
    /// Centipawns above beta.
    probcut_margin = 200;

    /// Nodes without a move from the table are searched a ply less.
    internal_reduction = 1;
    /// From this depth on.
    internal_reduction_depth = 4;

    /// Quiet moves beyond a number are left out.
    late_move_pruning = 1;
    /// Down to this depth.
    late_move_pruning_depth = 8;
    /// So many at no depth; more with its square.
    late_move_pruning_base = 4;

    /// Quiet moves that cannot reach alpha are left out.
    futility = 1;
    /// Down to this depth.
    futility_depth = 8;
    /// Centipawns at no depth.
    futility_base = 100;
    /// Centipawns a ply.
    futility_margin = 85;

    /// Moves that lose too much in the exchange are left out.
    see_pruning = 1;
    /// Down to this depth.
    see_pruning_depth = 9;
    /// Centipawns a ply, for captures.
    see_pruning_capture = 100;
    /// Centipawns a squared ply, for quiet moves.
    see_pruning_quiet = 20;

    /// Quiet moves with a bad history are left out.
    history_pruning = 1;
    /// Down to this depth.
    history_pruning_depth = 4;
    /// History a ply.
    history_pruning_margin = 3500;

    /// Late moves are searched less deep first.
    late_move_reductions = 1;
    /// Reduction, 1024ths of a ply: at no depth.
    reduction_base = 900;
    /// Reduction, 1024ths of a ply: by the logarithms of depth and move number.
    reduction_factor = 430;
    /// More where a cut is expected.
    reduction_cut = 1500;
    /// More if the position does not improve.
    reduction_not_improving = 700;
    /// Less in the principal variation.
    reduction_pv = 1000;
    /// Less by so much history for a whole ply.
    reduction_history = 8500;
    /// Reductions of captures, in 1024ths of those of quiet moves.
    reduction_capture = 500;

    /// More where a cut is expected and the table has no move.
    reduction_unknown = 900;
    /// More if the table's move is a capture.
    reduction_table_capture = 800;

    /// How much a reduced move has surprised decides how deep it is searched again.
    repeat_extension = 1;
    /// A ply deeper from so many centipawns above the best score, and two more for each ply.
    repeat_deeper = 35;
    /// A ply less if it is above it by less than this.
    repeat_shallower = 8;

    /// The only good move is searched deeper.
    singular = 1;
    /// From this depth on.
    singular_depth = 7;
    /// Centipawns a ply below the stored score, in 16ths.
    singular_margin = 20;
    /// Two plies deeper if it is better by so much.
    singular_double = 20;

    /// Checks are answered a ply deeper.
    check_extension = 1;

    /// Whether the static value has risen since the last move decides how much is pruned.
    improving = 1;

    /// Captures that lose in the exchange come last, and not at all in quiescence.
    see_ordering = 1;
    /// Killer moves.
    killers = 1;
    /// Histories of captures.
    capture_history = 1;
    /// Histories of moves after moves.
    continuation_history = 1;
    /// Histories by whether squares are attacked.
    threat_history = 1;

    /// Moves of the table that cut at once teach the histories.
    table_learning = 1;
    /// So do differences of static values.
    difference_learning = 1;
    /// So do reduced searches that were repeated.
    repeat_learning = 1;
    /// So do nodes in which nothing helped against the move before.
    failure_learning = 1;

    /// Static values learn from the searches of like positions.
    correction = 1;
    /// By pawns: centipawns at most.
    correction_pawns = 60;
    /// By the pieces of each side: centipawns at most.
    correction_pieces = 50;
    /// By the last moves: centipawns at most.
    correction_moves = 30;

    /// Captures that cannot reach alpha are left out of quiescence.
    delta_pruning = 1;
    /// Centipawns beside the captured piece.
    delta_margin = 150;

    /// Time is shared out by how sure the search is of its move.
    time_stability = 1;
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
