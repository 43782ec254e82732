//! The file of a network. All numbers are little-endian; of those of 16 bits there come first the low bytes of all, then
//! the high bytes, which are nearly all alike, so that the file can be compressed:
//!
//! ```text
//!  8 bytes         "bcnet-2\n"
//!  u32             the neurons of a side, H
//!  u32, bytes      the length of the note and the note, in UTF-8
//!  i16 x H         the biases of the inputs
//!  i16 x 768 H     the weights of the inputs, all of an input side by side
//!  i16 x 8 x 2 H   the weights of the outputs: of the side to move, then of the other
//!  i32 x 8         the biases of the outputs
//!  u64             the checksum: FNV-1a of all bytes before
//! ```

use std::path::{Path, PathBuf};
use std::{fs, io};

use super::{BUCKETS, INPUT_LIMIT, INPUTS, MAX_HIDDEN, Network, OUTPUT_LIMIT, STEP};

/// What such a file begins with.
const MARK: &[u8; 8] = b"bcnet-2\n";
/// The longest note, in bytes.
pub const MAX_NOTE: usize = 4_096;
/// The bytes of the checksum.
const CHECKSUM_SIZE: usize = 8;

/// Why bytes are no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NetworkError {
    /// They begin with something else.
    #[error("not a network: it must begin with \"bcnet-2\\n\", not {0:?}")]
    Mark(String),
    /// No such number of neurons is possible.
    #[error("a network must have a multiple of {STEP} neurons, at most {MAX_HIDDEN}, not {0}")]
    Hidden(usize),
    /// The note is too long, or no text.
    #[error("the note of a network must be UTF-8 of at most {MAX_NOTE} bytes, {0}")]
    Note(String),
    /// Something is missing, or something follows.
    #[error("a network of {hidden} neurons with this note must have {expected} bytes, not {found}")]
    Length {
        /// Its neurons.
        hidden: usize,
        /// The bytes that it would have.
        expected: usize,
        /// Those that there are.
        found: usize,
    },
    /// A byte has changed.
    #[error("the network is damaged: its checksum must be {expected:016x}, not {found:016x}")]
    Checksum {
        /// That of the bytes.
        expected: u64,
        /// That at their end.
        found: u64,
    },
    /// A weight is so large that sums could overflow.
    #[error("a weight of the {layer} must be within ±{limit}, not {found}")]
    Weight {
        /// Where it counts.
        layer: &'static str,
        /// What it may be at most.
        limit: i16,
        /// What it is.
        found: i16,
    },
}

/// A file has no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no network in {path}: {reason}")]
pub struct NoNetwork {
    path: PathBuf,
    reason: String,
}

/// FNV-1a of 64 bits.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// Takes bytes off the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (bytes, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(bytes)
    }

    fn word(&mut self) -> Option<u32> {
        Some(u32::from_le_bytes(*self.bytes(4)?.as_array()?))
    }

    fn halves(&mut self, count: usize) -> Option<Vec<i16>> {
        let (low, high) = (self.bytes(count)?, self.bytes(count)?);
        Some(low.iter().zip(high).map(|(&low, &high)| i16::from_le_bytes([low, high])).collect())
    }
}

/// The first weight that is too large is an error.
fn check(layer: &'static str, weights: &[i16], limit: i16) -> Result<(), NetworkError> {
    match weights.iter().find(|weight| !(-limit..=limit).contains(*weight)) {
        Some(&found) => Err(NetworkError::Weight { layer, limit, found }),
        None => Ok(()),
    }
}

impl Network {
    /// The network of a file. Only a regular file of a possible size is read: a pipe would wait for its other end.
    pub fn load(path: &Path) -> Result<Network, NoNetwork> {
        let failed = |reason: String| NoNetwork { path: path.to_owned(), reason };
        let of_system = |error: io::Error| failed(error.to_string());
        let found = fs::metadata(path).map_err(of_system)?;
        if !found.is_file() {
            return Err(failed("it is no regular file".to_owned()));
        }
        let most = size(MAX_HIDDEN, MAX_NOTE);
        if found.len() > most as u64 {
            return Err(failed(format!("it must have at most {most} bytes, not {}", found.len())));
        }
        let bytes = fs::read(path).map_err(of_system)?;
        Network::read(&bytes).map_err(|error| failed(error.to_string()))
    }

    /// The network of a file's bytes.
    pub fn read(bytes: &[u8]) -> Result<Network, NetworkError> {
        // 1. What the file says it holds.
        let mut reader = Reader(bytes);
        if !bytes.starts_with(MARK) {
            let start = &bytes[..bytes.len().min(MARK.len())];
            return Err(NetworkError::Mark(String::from_utf8_lossy(start).into_owned()));
        }
        reader.bytes(MARK.len());
        let hidden = reader.word().unwrap_or(0) as usize;
        if hidden == 0 || hidden > MAX_HIDDEN || !hidden.is_multiple_of(STEP) {
            return Err(NetworkError::Hidden(hidden));
        }
        let length = reader.word().unwrap_or(0) as usize;
        if length > MAX_NOTE {
            return Err(NetworkError::Note(format!("not of {length}")));
        }
        // 2. Whether it is whole.
        let expected = size(hidden, length);
        if bytes.len() != expected {
            return Err(NetworkError::Length { hidden, expected, found: bytes.len() });
        }
        let (body, checksum) = bytes.split_at(expected - CHECKSUM_SIZE);
        let (expected, found) =
            (fnv(body), u64::from_le_bytes(*checksum.as_array().expect("the length was checked")));
        if expected != found {
            return Err(NetworkError::Checksum { expected, found });
        }
        // 3. What it holds.
        let network = Network::contents(&mut reader, hidden, length)?;
        check("inputs", &network.input_biases, INPUT_LIMIT)?;
        check("inputs", &network.input_weights, INPUT_LIMIT)?;
        check("outputs", &network.output_weights, OUTPUT_LIMIT)?;
        Ok(network)
    }

    /// What follows the head of a file that is long enough.
    fn contents(reader: &mut Reader, hidden: usize, length: usize) -> Result<Network, NetworkError> {
        let whole = "the length was checked";
        let note = reader.bytes(length).expect(whole);
        let note = str::from_utf8(note).map_err(|error| NetworkError::Note(format!("but {error}")))?;
        let mut input_biases = reader.halves(halves(hidden)).expect(whole);
        let mut input_weights = input_biases.split_off(hidden);
        let output_weights = input_weights.split_off(INPUTS * hidden);
        Ok(Network {
            hidden,
            note: note.to_owned(),
            input_biases,
            input_weights,
            output_weights,
            output_biases: std::array::from_fn(|_| reader.word().expect(whole) as i32),
        })
    }

    /// The bytes of its file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.body();
        bytes.extend(fnv(&bytes).to_le_bytes());
        bytes
    }

    /// What its file ends with: a number that tells networks apart.
    pub fn checksum(&self) -> u64 {
        fnv(&self.body())
    }

    fn body(&self) -> Vec<u8> {
        let mut bytes = MARK.to_vec();
        for word in [self.hidden, self.note.len()] {
            bytes.extend((word as u32).to_le_bytes());
        }
        bytes.extend(self.note.as_bytes());
        let halves = || self.input_biases.iter().chain(&self.input_weights).chain(&self.output_weights);
        bytes.extend(halves().map(|half| half.to_le_bytes()[0]));
        bytes.extend(halves().map(|half| half.to_le_bytes()[1]));
        for word in self.output_biases {
            bytes.extend(word.to_le_bytes());
        }
        bytes
    }
}

/// The numbers of 16 bits.
fn halves(hidden: usize) -> usize {
    hidden * (1 + INPUTS + 2 * BUCKETS)
}

/// The bytes of a file.
fn size(hidden: usize, note: usize) -> usize {
    MARK.len() + 8 + note + 2 * halves(hidden) + 4 * BUCKETS + CHECKSUM_SIZE
}
