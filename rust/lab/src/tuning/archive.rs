//! The file in which the positions of games are kept.
//!
//! A header of 32 bytes says what the games were made by: a mark, the seed, the nodes of a move (half of it the soft limit), a number of the weights.
//! Then each game is a block: 8 bytes with its number, how many positions follow, White's half points and a mark;
//! then the positions ([`Record`]). A game is written at once and a file may end anywhere: the block that was not
//! finished is taken off when the file is continued. The games may stand in any order.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::{fmt, fs};

use super::{error::Error, packed::Record};

/// What such a file begins with.
const MARK: &[u8; 8] = b"bcgames1";
/// The last byte before the positions of a game.
const GAME_MARK: u8 = 0xbc;
/// The bytes of the header.
const HEADER_SIZE: usize = 32;
/// The bytes before the positions of a game.
const GAME_HEADER_SIZE: usize = 8;

/// What the games of a file were made by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Origin {
    /// The seed of the run.
    pub seed: u64,
    /// Nodes of a move.
    pub nodes: u32,
    /// Nodes after which no further depth was begun; 0 if that did not matter.
    pub soft_nodes: u32,
    /// A number that tells apart what plays: with the usual settings, the checksum of its network.
    pub weights: u64,
}

/// The positions of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGame {
    /// Which game of the run it is, from 0.
    pub number: u32,
    /// White's half points.
    pub result: u8,
    /// Its positions.
    pub records: Vec<Record>,
}

/// What a file holds.
#[derive(Clone, Debug)]
pub struct Contents {
    /// What the games were made by.
    pub origin: Origin,
    /// The games, by their numbers: in the file they stand as they came to an end.
    pub games: Vec<StoredGame>,
    /// How many bytes were read; what follows is no whole game.
    pub length: u64,
    /// What is wrong with the rest of the file, if that is not just a game that was not finished.
    pub damage: Option<String>,
}

impl Contents {
    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.games.iter().map(|game| game.records.len()).sum()
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Origin { seed, nodes, soft_nodes, .. } = self;
        write!(f, "seed {seed} and {nodes} nodes a move")?;
        if *soft_nodes > 0 { write!(f, ", no depth begun after {soft_nodes}") } else { Ok(()) }
    }
}

impl Origin {
    fn bytes(&self) -> Vec<u8> {
        let nodes = u64::from(self.soft_nodes) << 32 | u64::from(self.nodes);
        let words = [self.seed, nodes, self.weights].map(u64::to_le_bytes);
        [&MARK[..], words.as_flattened()].concat()
    }

    fn read(bytes: &[u8]) -> Option<Origin> {
        let words = bytes.strip_prefix(MARK)?.as_chunks().0.first_chunk::<3>()?;
        let [seed, nodes, weights] = words.map(u64::from_le_bytes);
        let (nodes, soft_nodes) = (nodes as u32, (nodes >> 32) as u32);
        Some(Origin { seed, nodes, soft_nodes, weights })
    }
}

/// Reads a file of games.
pub fn read(path: &Path) -> Result<Contents, Error> {
    let mut contents = parse(&fs::read(path).map_err(|error| Error::of_file(path, error))?, path)?;
    contents.games.sort_by_key(|game| game.number);
    Ok(contents)
}

fn parse(bytes: &[u8], path: &Path) -> Result<Contents, Error> {
    let origin = Origin::read(bytes)
        .ok_or_else(|| Error::of_file(path, "no file of games that betacut-tune has written"))?;
    let mut contents = Contents { origin, games: Vec::new(), length: HEADER_SIZE as u64, damage: None };
    let mut rest = &bytes[HEADER_SIZE..];
    while let Some((&[a, b, c, d, e, f, result, mark], after)) = rest.split_first_chunk::<GAME_HEADER_SIZE>()
    {
        let count = u16::from_le_bytes([e, f]) as usize;
        if mark != GAME_MARK || result > 2 {
            contents.damage = Some(format!("no game begins at byte {}", contents.length));
            break;
        }
        let Some(records) = after.get(..count * Record::SIZE) else { break };
        rest = &after[records.len()..];
        let length = (GAME_HEADER_SIZE + records.len()) as u64;
        let (number, records) = (u32::from_le_bytes([a, b, c, d]), bytemuck::pod_collect_to_vec(records));
        if records.iter().any(|record: &Record| record.result() != result) {
            contents.damage = Some(format!("the game at byte {} has two results", contents.length));
            break;
        }
        contents.games.push(StoredGame { number, result, records });
        contents.length += length;
    }
    Ok(contents)
}

/// A file of games that is being written.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    file: File,
    /// The numbers of the games in it.
    numbers: HashSet<u32>,
    positions: usize,
}

impl Archive {
    /// Begins a file, or goes on with one that was made the same way.
    pub fn open(path: &Path, origin: Origin) -> Result<Archive, Error> {
        let fault = |error: std::io::Error| Error::of_file(path, error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(path).map_err(fault)?;
        Error::if_locked(&file, path, "run", "file")?;
        // By this handle: Windows keeps all others from what is locked.
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fault)?;
        if bytes.is_empty() {
            file.write_all(&origin.bytes()).map_err(fault)?;
            return Ok(Archive { path: path.to_owned(), file, numbers: HashSet::new(), positions: 0 });
        }
        let found = parse(&bytes, path)?;
        if found.origin != origin {
            let Origin { weights, .. } = origin;
            let what = if (Origin { weights, ..found.origin }) == origin {
                "other weights or settings".to_owned()
            } else {
                found.origin.to_string()
            };
            return Err(Error::of_file(path, format!("has games of {what}; another file must be named")));
        }
        if let Some(damage) = &found.damage {
            return Err(Error::of_file(path, format!("cannot be continued: {damage}")));
        }
        file.set_len(found.length).map_err(fault)?;
        file.seek(SeekFrom::End(0)).map_err(fault)?;
        let numbers = found.games.iter().map(|game| game.number).collect();
        Ok(Archive { path: path.to_owned(), file, numbers, positions: found.positions() })
    }

    /// The numbers of the games in it.
    pub fn numbers(&self) -> &HashSet<u32> {
        &self.numbers
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        self.numbers.len()
    }

    /// The number of positions.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// Writes a game.
    pub fn append(&mut self, game: &StoredGame) -> Result<(), Error> {
        let count = u16::try_from(game.records.len())
            .map_err(|_| Error::new(format!("game {}: more than {} positions", game.number, u16::MAX)))?;
        let mut block = game.number.to_le_bytes().to_vec();
        block.extend(count.to_le_bytes());
        block.extend([game.result, GAME_MARK]);
        block.extend(bytemuck::cast_slice::<Record, u8>(&game.records));
        self.file.write_all(&block).map_err(|error| Error::of_file(&self.path, error))?;
        self.numbers.insert(game.number);
        self.positions += game.records.len();
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use shakmaty::Chess;

    use super::*;

    pub fn temporary(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("betacut-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        path
    }

    fn game(number: u32, positions: usize) -> StoredGame {
        let record = Record::pack(&Chess::default(), 25, 9).with_result(2);
        StoredGame { number, result: 2, records: vec![record; positions] }
    }

    const ORIGIN: Origin = Origin { seed: 7, nodes: 5000, soft_nodes: 0, weights: 1 };

    #[test]
    fn a_file_is_continued_where_its_last_whole_game_ends() {
        let path = temporary("continued");
        let mut archive = Archive::open(&path, ORIGIN).unwrap();
        archive.append(&game(3, 2)).unwrap();
        archive.append(&game(0, 0)).unwrap();
        drop(archive);
        // Killed in the middle of a game.
        let mut bytes = fs::read(&path).unwrap();
        let whole = bytes.len();
        bytes.extend(bytes[HEADER_SIZE..HEADER_SIZE + 50].to_vec());
        fs::write(&path, &bytes).unwrap();
        assert_eq!(read(&path).unwrap().games, [game(0, 0), game(3, 2)]);

        let mut archive = Archive::open(&path, ORIGIN).unwrap();
        assert_eq!((archive.games(), archive.positions()), (2, 2));
        assert_eq!(*archive.numbers(), [0, 3].into());
        archive.append(&game(1, 1)).unwrap();
        drop(archive);
        let contents = read(&path).unwrap();
        assert_eq!(contents.origin, ORIGIN);
        assert_eq!(contents.games, [game(0, 0), game(1, 1), game(3, 2)]);
        assert_eq!(contents.length, (whole + GAME_HEADER_SIZE + Record::SIZE) as u64);
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn files_of_other_runs_are_left_alone() {
        let path = temporary("other");
        Archive::open(&path, ORIGIN).unwrap().append(&game(0, 1)).unwrap();
        let other = Archive::open(&path, Origin { seed: 8, ..ORIGIN }).unwrap_err().to_string();
        assert!(other.contains("has games of seed 7 and 5000 nodes a move"), "{other}");
        let other = Archive::open(&path, Origin { weights: 2, ..ORIGIN }).unwrap_err().to_string();
        assert!(other.contains("other weights"), "{other}");
        fs::write(&path, "something else").unwrap();
        assert!(Archive::open(&path, ORIGIN).is_err());
        assert_eq!(fs::read(&path).unwrap(), b"something else");
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn damage_is_told_with_its_place() {
        let path = temporary("damage");
        let mut archive = Archive::open(&path, ORIGIN).unwrap();
        archive.append(&game(0, 1)).unwrap();
        archive.append(&game(1, 1)).unwrap();
        assert!(Archive::open(&path, ORIGIN).unwrap_err().to_string().contains("another run writes to it"));
        drop(archive);
        let mut bytes = fs::read(&path).unwrap();
        bytes[72 + 7] = 0;
        fs::write(&path, &bytes).unwrap();
        let contents = read(&path).unwrap();
        assert_eq!(contents.games, [game(0, 1)]);
        assert_eq!(contents.damage.as_deref(), Some("no game begins at byte 72"));
        assert!(Archive::open(&path, ORIGIN).unwrap_err().to_string().contains("cannot be continued"));
        // The second game was not won, says its position.
        bytes[72 + 7] = GAME_MARK;
        bytes[72 + 6] = 1;
        fs::write(&path, &bytes).unwrap();
        let said = read(&path).unwrap().damage.unwrap();
        assert_eq!(said, "the game at byte 72 has two results");
        fs::remove_file(&path).unwrap();
    }
}
