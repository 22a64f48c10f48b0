//! Finds and reads hand files.

use std::io::{IsTerminal, Read};
use std::path::{Path, PathBuf};

use indicatif::ProgressBar;
use parlor_poker::notation::{ReadError, Record, RecordError, phh, pokerstars, seed};

use super::Failure;

/// How the names of hand files end.
pub(super) const ENDINGS: &[&str] = &["phh", "phhs", "json", "jsonl", "txt"];

/// A hand file that was found.
pub(super) struct HandFile {
    pub(super) path: PathBuf,
    /// Relative to the folder that was searched.
    pub(super) name: String,
}

/// All files under the given paths, sorted by name. Folders are searched recursively for these extensions.
pub(super) fn find(paths: &[PathBuf], endings: &[&str]) -> Result<Vec<HandFile>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() {
            let mut found = Vec::new();
            walk(path, endings, &mut found)?;
            found.sort();
            files.extend(found.into_iter().map(|file| {
                let name = file.strip_prefix(path).unwrap_or(&file).to_string_lossy().into_owned();
                HandFile { path: file, name }
            }));
        } else {
            let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
            files.push(HandFile { path: path.clone(), name });
        }
    }
    Ok(files)
}

fn walk(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let failed = |error| Failure::Io(folder.display().to_string(), error);
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.is_dir() {
            walk(&path, endings, found)?;
        } else if path.extension().is_some_and(|e| endings.iter().any(|ending| e == *ending)) {
            found.push(path);
        }
    }
    Ok(())
}

/// The text of a file; `-` is standard input.
pub(super) fn text(path: &Path) -> Result<String, Failure> {
    let failed = |error| Failure::Io(path.display().to_string(), error);
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map_err(failed)?;
        return Ok(text);
    }
    std::fs::read_to_string(path).map_err(failed)
}

/// How a text is written.
enum Notation {
    Phh,
    Json,
    PokerStars,
}

/// The notation of a text, detected from its beginning.
fn notation(text: &str) -> Notation {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    if start.starts_with("PokerStars ") {
        Notation::PokerStars
    } else if start.strip_prefix('[').unwrap_or(start).trim_start().starts_with('{') {
        Notation::Json
    } else {
        Notation::Phh
    }
}

/// Reads hands of any notation, detected from the beginning of the text.
pub(super) fn records(text: &str) -> Result<Vec<(String, Record)>, ReadError> {
    match notation(text) {
        Notation::PokerStars => pokerstars::read(text),
        Notation::Json => seed::read(text),
        Notation::Phh => phh::read(text),
    }
}

/// Reads hands of any notation one by one; a hand that is wrong stops nothing where the notation can tell it from the next.
pub(super) fn each_record(
    text: &str,
    mut each: impl FnMut(String, Result<Record, RecordError>) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    match notation(text) {
        Notation::Phh => phh::read_each(text, each),
        _ => records(text)?.into_iter().try_for_each(|(key, record)| each(key, Ok(record))),
    }
}

/// A progress bar on standard error; hidden when that is no terminal or there are only a few steps.
pub(super) fn progress(steps: usize) -> ProgressBar {
    if steps > 20 { on_terminal(steps as u64) } else { ProgressBar::hidden() }
}

/// A progress bar on standard error; hidden when that is no terminal.
pub(super) fn on_terminal(steps: u64) -> ProgressBar {
    if std::io::stderr().is_terminal() { ProgressBar::new(steps) } else { ProgressBar::hidden() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notations_are_told_apart_by_how_they_begin() {
        let fields =
            r#""antes":[0,0],"blindsOrStraddles":[1,2],"minBet":2,"startingStacks":[9,9],"actions":[]"#;
        let object = format!("{{\"variant\":\"NT\",{fields}}}");
        let (_, record) = records(&object).unwrap().remove(0);
        for text in [
            format!(" [\n {object}, {object} ]"),
            phh::write(&record),
            phh::write_all([("1", &record), ("2", &record)]),
            pokerstars::write(&record).unwrap(),
        ] {
            let read = records(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(read[0].1.variant, record.variant, "{text}");
        }
        assert!(records("nothing of the kind").is_err());
    }
}
