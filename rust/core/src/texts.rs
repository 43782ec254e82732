//! A column of texts in plain buffers, laid out as Arrow lays out its columns.
//!
//! The texts lie one after the other; offsets of 32 bits in the machine's byte order say where each begins and the last
//! one ends; a bit a row says whether there is a text, the first row's being the lowest.

/// A text a row, or none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Texts {
    bytes: Vec<u8>,
    /// Where each text ends, and whether there is one.
    ends: Vec<(usize, bool)>,
}

impl Texts {
    /// Appends what `write` appends to the bytes.
    pub fn push_with(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.bytes);
        self.ends.push((self.bytes.len(), true));
    }

    /// Appends a text, or a null.
    pub fn push(&mut self, text: Option<&str>) {
        self.bytes.extend_from_slice(text.unwrap_or_default().as_bytes());
        self.ends.push((self.bytes.len(), text.is_some()));
    }

    /// Appends the rows of another.
    pub fn append(&mut self, other: &Texts) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes);
        self.ends.extend(other.ends.iter().map(|&(end, is_there)| (start + end, is_there)));
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.ends.len()
    }

    /// How many bytes the texts have.
    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    /// A text; none if it is null.
    pub fn get(&self, row: usize) -> Option<&[u8]> {
        let start = row.checked_sub(1).map_or(0, |above| self.ends[above].0);
        let (end, is_there) = self.ends[row];
        is_there.then(|| &self.bytes[start..end])
    }

    /// The buffers: validity (none if nothing is null), offsets, the texts.
    pub fn buffers(&self) -> (Option<Vec<u8>>, Vec<u8>, &[u8]) {
        let ends = self.ends.iter().map(|&(end, _)| end);
        let offsets = std::iter::once(0).chain(ends).flat_map(|end| (end as i32).to_ne_bytes()).collect();
        (bits(self.ends.iter().map(|&(_, is_there)| is_there)), offsets, &self.bytes)
    }
}

/// A bit a row, the lowest first; none if all are set.
pub fn bits(rows: impl ExactSizeIterator<Item = bool>) -> Option<Vec<u8>> {
    let mut bytes = vec![0; rows.len().div_ceil(8)];
    let mut all = true;
    for (row, is_set) in rows.enumerate() {
        bytes[row / 8] |= u8::from(is_set) << (row % 8);
        all &= is_set;
    }
    if all { None } else { Some(bytes) }
}
