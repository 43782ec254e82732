//! The file of weights: written, and read back.

use std::fmt::Write as _;

use super::error::Error;
use betacut_play::evaluation::terms::{COUNT, TERMS};
use betacut_play::{evaluation::Pair, evaluation::Weights};

/// Weights in a line.
const IN_A_LINE: usize = 8;

/// The text of a file with these weights; `notes` say where they come from.
pub fn format(weights: &Weights, notes: &[String]) -> String {
    let mut text = String::from("//! The weights of the evaluation: data, written by `betacut-tune fit`.\n");
    for (index, note) in notes.iter().enumerate() {
        text += if index == 0 { "//!\n" } else { "" };
        let _ = writeln!(text, "//! {note}");
    }
    text += "
use super::pair::Pair;
use super::terms::Weights;

const fn p(middlegame: i32, endgame: i32) -> Pair {
    Pair::new(middlegame, endgame)
}

/// By term, in the order of [`super::terms`].
#[rustfmt::skip]
pub static WEIGHTS: Weights = [
";
    for &(name, start, len) in TERMS {
        let _ = writeln!(text, "    // {name}");
        for line in weights[start..start + len].chunks(IN_A_LINE) {
            let line: Vec<String> = line
                .iter()
                .map(|weight| format!("p({}, {}),", weight.middlegame(), weight.endgame()))
                .collect();
            let _ = writeln!(text, "    {}", line.join(" "));
        }
    }
    text += "];\n";
    text
}

/// The weights in the text of such a file; an error names its line.
pub fn parse(text: &str) -> Result<Box<Weights>, Error> {
    let mut weights = vec![Pair::default(); COUNT];
    let mut terms = TERMS.iter().copied();
    // The term that is being read, and how many of its weights have been.
    let (mut name, mut next, mut end) = ("", 0, 0);
    let body = text.lines().enumerate().skip_while(|(_, line)| !line.starts_with("pub static WEIGHTS"));
    for (index, line) in body.skip(1) {
        let fault = |reason: String| Error::new(format!("line {}: {reason}", index + 1));
        let line = line.trim();
        if let Some(found) = line.strip_prefix("//") {
            let (expected, start, len) =
                terms.next().ok_or_else(|| fault(format!("{:?} is a term too many", found.trim())))?;
            if found.trim() != expected {
                return Err(fault(format!("the term must be {expected}, not {}", found.trim())));
            }
            check_whole(name, next, end).map_err(fault)?;
            (name, next, end) = (expected, start, start + len);
        } else if line == "];" {
            check_whole(name, next, end).map_err(fault)?;
            if let Some((missing, ..)) = terms.next() {
                return Err(fault(format!("{missing} is missing")));
            }
            return Ok(boxed(&weights));
        } else {
            for weight in line.split_terminator("),") {
                let pair = pair(weight.trim()).ok_or_else(|| {
                    fault(format!(
                        "a weight must be written as p(1, -2), with numbers of 16 bits, not {weight:?}"
                    ))
                })?;
                if next == end {
                    return Err(fault(format!("more weights than {name} has")));
                }
                weights[next] = pair;
                next += 1;
            }
        }
    }
    Err(Error::new("no weights: they must follow a line that begins with `pub static WEIGHTS`, up to `];`"))
}

/// All weights at one place.
pub fn boxed(weights: &[Pair]) -> Box<Weights> {
    weights.to_vec().into_boxed_slice().try_into().expect("as many weights as there are")
}

fn check_whole(name: &str, next: usize, end: usize) -> Result<(), String> {
    if next == end { Ok(()) } else { Err(format!("{name} lacks {} weights", end - next)) }
}

fn pair(text: &str) -> Option<Pair> {
    let (middlegame, endgame) = text.strip_prefix("p(")?.split_once(',')?;
    let number = |text: &str| text.trim().parse::<i16>().ok().map(i32::from);
    Some(Pair::new(number(middlegame)?, number(endgame)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use betacut_play::evaluation::WEIGHTS;

    #[test]
    fn what_is_written_can_be_read() {
        let mut weights = Box::new(WEIGHTS);
        for (index, weight) in weights.iter_mut().enumerate() {
            *weight = Pair::new(index as i32 * 3 - 9000, 32_767 - index as i32 * 7);
        }
        let text = format(&weights, &["From nothing.".to_owned(), "In no time.".to_owned()]);
        assert!(text.contains("fit`.\n//!\n//! From nothing.\n//! In no time.\n\nuse "));
        assert!(parse(&text).unwrap() == weights);
    }

    #[test]
    fn the_format_is_that_of_the_file_in_use() {
        let present = include_str!("../../../play/src/evaluation/weights.rs");
        let weights = parse(present).unwrap();
        assert!(*weights == WEIGHTS);
        let body = |text: &str| text[text.find("\nuse ").unwrap()..].to_owned();
        assert_eq!(body(&format(&weights, &[])), body(present));
    }

    #[test]
    fn faults_are_told_with_their_line() {
        let text = format(&WEIGHTS, &[]);
        let fault = |from: &str, to: &str| parse(&text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(fault("// TEMPO", "// TEMPI").ends_with("the term must be TEMPO, not TEMPI"));
        let material = WEIGHTS[0];
        let first = format!("p({}, {}),", material.middlegame(), material.endgame());
        assert_eq!(fault(&first, ""), "line 15: MATERIAL lacks 1 weights");
        assert_eq!(fault(&first, &format!("{first} {first}")), "line 14: more weights than MATERIAL has");
        assert!(fault(&first, "p(1, 40000),").starts_with("line 14: a weight must be written"));
        assert!(fault("// MATERIAL", "// MATERIAL\n// TEMPO").contains("not TEMPO"));
        assert!(fault("];", "").starts_with("no weights"));
        assert!(fault("];", "// MORE\n];").ends_with("\"MORE\" is a term too many"));
        assert!(parse("").unwrap_err().to_string().starts_with("no weights"));
    }
}
