//! Enumerations whose members have names.

/// Makes an enumeration of members with names: all of them in order, the name of one, and the one of a name.
///
/// ```
/// betacut_core::named! {
///     /// The sides of a coin.
///     pub enum Side {
///         /// The front.
///         Heads = "heads",
///         /// The back.
///         Tails = "tails",
///     }
/// }
/// assert_eq!(Side::ALL.map(Side::name), ["heads", "tails"]);
/// assert_eq!(Side::from_name("tails"), Some(Side::Tails));
/// ```
#[macro_export]
macro_rules! named {
    (
        $(#[$about:meta])*
        pub enum $type:ident {
            $( $(#[$doc:meta])* $member:ident = $name:literal, )+
        }
    ) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type {
            $( $(#[$doc])* $member, )+
        }

        impl $type {
            /// All of them, in order.
            pub const ALL: [$type; [$($name),+].len()] = [$($type::$member),+];

            /// The name.
            pub const fn name(self) -> &'static str {
                match self {
                    $($type::$member => $name,)+
                }
            }

            /// The one of this name.
            pub fn from_name(name: &str) -> Option<$type> {
                $type::ALL.into_iter().find(|one| one.name() == name)
            }
        }
    };
}
