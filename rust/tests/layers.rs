//! The map of the crate, checked: imports go one way, and no files import each other in a circle.
//!
//! What counts as an import of a file: a path that starts with `crate`, `super` or `self`, and outside of tests. A path
//! leads to the file of the innermost module that it names. A module's list of its children (`mod x;`) and what it
//! re-exports of them (`pub use`) are no imports: they make the map and use nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The layers, lowest first: what stands on a line imports from the lines above it, and from its own line.
const LAYERS: [&[&str]; 8] = [
    &["score", "limits", "random", "piece_code", "pgn", "records", "texts"],
    &["window"],
    &["checks", "key", "evaluation", "position", "fen", "rules", "move_order", "terminal_filter"],
    &["board", "cache", "statistics", "observer", "perft"],
    // Floors know nothing of each other.
    &["textbook", "exact", "originals", "play"],
    &["uci"],
    &["certificate", "fuzz", "measure", "tuning"],
    &["python", "bin"],
];

/// A file, named by its module's path: `["exact", "driver"]`, or `[]` for the root.
type Module = Vec<String>;

/// The source without comments, strings, and everything from the first test module on.
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).expect("a source file");
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// All files below a directory, with their code.
fn read(directory: &Path, module: &Module, files: &mut BTreeMap<Module, String>) {
    for entry in
        fs::read_dir(directory).expect("a directory of sources").map(|entry| entry.expect("an entry"))
    {
        let (path, name) = (entry.path(), entry.file_name().into_string().expect("a plain name"));
        let mut child = module.clone();
        if path.is_dir() {
            child.push(name);
            read(&path, &child, files);
        } else if let Some(stem) = name.strip_suffix(".rs") {
            if !matches!(stem, "mod" | "lib") {
                child.push(stem.to_owned());
            }
            files.insert(child, code(&path));
        }
    }
}

/// The paths that a `use` declaration names: `a::{b, c::d}` are `a::b` and `a::c::d`.
fn expand(tree: &str) -> Vec<String> {
    let Some((prefix, rest)) = tree.split_once('{') else {
        return vec![tree.split(" as ").next().unwrap_or_default().trim().to_owned()];
    };
    let inner = rest.rsplit_once('}').expect("a closing brace").0;
    let (mut depth, mut start, mut parts) = (0, 0, Vec::new());
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(&inner[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&inner[start..]);
    let paths = parts.into_iter().filter(|part| !part.trim().is_empty());
    paths.flat_map(|part| expand(part.trim())).map(|path| format!("{}{path}", prefix.trim())).collect()
}

/// The paths that a file names.
fn paths(code: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = String::new();
    for (index, piece) in code.split(';').enumerate() {
        let (before, declaration) = match piece.rfind("use ") {
            Some(at) if index == 0 || piece[..at].trim_end().is_empty() || piece[..at].ends_with('\n') => {
                piece.split_at(at)
            }
            _ => (piece, ""),
        };
        rest.push_str(before);
        rest.push(';');
        found.extend(declaration.strip_prefix("use ").map(expand).into_iter().flatten());
    }
    // Paths in the middle of the code.
    for start in ["crate::", "super::"] {
        for (at, _) in rest.match_indices(start) {
            if !rest[..at]
                .ends_with(|letter: char| letter.is_alphanumeric() || letter == ':' || letter == '_')
            {
                let end = rest[at..]
                    .find(|letter: char| !letter.is_alphanumeric() && letter != ':' && letter != '_');
                found.push(rest[at..end.map_or(rest.len(), |end| at + end)].to_owned());
            }
        }
    }
    found
}

/// The file that a path, named in the file of `module`, leads to.
fn target(path: &str, module: &Module, files: &BTreeMap<Module, String>) -> Option<Module> {
    let mut names = path.split("::").map(str::trim).peekable();
    let mut at = match names.next()? {
        "crate" => Vec::new(),
        "self" => module.clone(),
        "super" => {
            let mut at = module.clone();
            at.pop();
            while names.next_if_eq(&"super").is_some() {
                at.pop();
            }
            at
        }
        // A sibling of a child module, or another crate.
        first => {
            let mut child = module.clone();
            child.push(first.to_owned());
            return files.contains_key(&child).then_some(child);
        }
    };
    for name in names {
        at.push(name.to_owned());
        if !files.contains_key(&at) {
            at.pop();
            break;
        }
    }
    (at != *module).then_some(at)
}

/// Who imports what.
fn imports() -> BTreeMap<Module, BTreeSet<Module>> {
    let mut files = BTreeMap::new();
    read(Path::new("rust/src"), &Vec::new(), &mut files);
    let graph = |(module, code): (&Module, &String)| {
        let code = code.replace("pub use ", "pub re_export ");
        let found = paths(&code).iter().filter_map(|path| target(path, module, &files)).collect();
        (module.clone(), found)
    };
    files.iter().map(graph).collect()
}

fn layer(module: &Module) -> Option<usize> {
    let room = module.first()?;
    LAYERS.iter().position(|layer| layer.contains(&room.as_str()))
}

#[test]
fn every_module_has_its_layer() {
    let imports = imports();
    assert!(imports.len() > 60, "only {} files were found", imports.len());
    for module in imports.keys().filter(|module| !module.is_empty()) {
        assert!(layer(module).is_some(), "{} has no layer in LAYERS", module.join("::"));
    }
}

#[test]
fn nothing_looks_up() {
    let (imports, mut seen) = (imports(), 0);
    for (module, targets) in &imports {
        for target in targets.iter().filter(|target| !target.is_empty() && !module.is_empty()) {
            let (from, to) = (layer(module), layer(target));
            assert!(to <= from, "{} imports {}, a layer above it", module.join("::"), target.join("::"));
            let floors = from == to && from == layer(&vec!["exact".to_owned()]);
            assert!(
                !floors || module[0] == target[0],
                "{} imports {}, another floor",
                module.join("::"),
                target.join("::")
            );
            seen += 1;
        }
    }
    assert!(seen > 200, "only {seen} imports were found");
}

#[test]
fn no_files_import_each_other() {
    let mut imports = imports();
    // Files that import nothing that is left are no part of a circle, nor are those that nothing left imports.
    loop {
        let imported: BTreeSet<Module> = imports.values().flatten().cloned().collect();
        let free: Vec<Module> = imports
            .iter()
            .filter(|(module, targets)| targets.is_empty() || !imported.contains(*module))
            .map(|(module, _)| module.clone())
            .collect();
        if free.is_empty() {
            break;
        }
        for module in free {
            imports.remove(&module);
            for targets in imports.values_mut() {
                targets.remove(&module);
            }
        }
    }
    let left: Vec<String> = imports
        .iter()
        .map(|(module, targets)| {
            let targets: Vec<String> = targets.iter().map(|target| target.join("::")).collect();
            format!("{} -> {}", module.join("::"), targets.join(", "))
        })
        .collect();
    assert!(left.is_empty(), "circles:\n{}", left.join("\n"));
}

#[test]
fn paths_are_read_as_the_compiler_reads_them() {
    assert_eq!(expand("a::{b, c::{d as e, f}, self}"), ["a::b", "a::c::d", "a::c::f", "a::self"]);
    let code =
        "use crate::a::B;\npub use c::D;\nfn f() -> super::e::F { g(crate::h::I) }\nuse super::{j, k::L};";
    let mut found = paths(&code.replace("pub use ", "pub re_export "));
    found.sort();
    assert_eq!(found, ["crate::a::B", "crate::h::I", "super::e::F", "super::j", "super::k::L"]);
}
