//! Damaged files of each format: never a panic, and an error always names its place.

use parlor_poker::notation::{ReadError, Record, phh, pokerstars, seed};
use parlor_poker::replay::Replay;
use parlor_poker::{Interpretation, Variant};

use crate::data;
use crate::random::Random;

/// Bits of text that mean something in one of the formats.
const SCRAPS: [&str; 36] = [
    "inf",
    "-",
    "0",
    "999999999999999",
    "0.001",
    "[",
    "]",
    "'",
    "\"",
    "\n",
    "#",
    "p1",
    "p11",
    "d dh p1 AsAs",
    " cbr ",
    "??",
    "=",
    ",",
    "{",
    "}",
    ":",
    "é",
    "\\u00",
    "$",
    "*** FLOP *** [2c 2c 2c]",
    "posts big blind",
    "[1]",
    "'''",
    "null",
    "1e9",
    " sm ",
    " and is all-in",
    "Seat 1: ",
    "variant",
    "_boards",
    "\u{0}",
];

fn mutate(random: &mut Random, text: &str) -> String {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..1 + random.below(4) {
        let len = bytes.len();
        if len < 8 {
            break;
        }
        let at = random.below(len);
        let to = (at + 1 + random.below(12)).min(len);
        match random.below(6) {
            0 => bytes[at] = b' ' + random.below(95) as u8,
            1 => drop(bytes.drain(at..to)),
            2 => drop(bytes.splice(at..at, SCRAPS[random.below(SCRAPS.len())].bytes())),
            3 => {
                let piece = bytes[at..to].to_vec();
                let other = random.below(len);
                drop(bytes.splice(other..other, piece));
            }
            4 => drop(bytes.splice(at..to, SCRAPS[random.below(SCRAPS.len())].bytes())),
            _ => swap_lines(random, &mut bytes),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn swap_lines(random: &mut Random, bytes: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = bytes.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
    let (a, b) = (random.below(lines.len()), random.below(lines.len()));
    lines.swap(a, b);
    *bytes = lines.join(&b'\n');
}

type Reader = fn(&str) -> Result<Vec<(String, Record)>, ReadError>;

/// Reads damaged copies of the texts; returns how many were still hands, and played.
fn damage(name: &str, texts: &[String], read: Reader) -> (usize, usize) {
    let count = data::count("PARLOR_SOAK_FILES", 2_000);
    let mut random = Random(name.bytes().map(u64::from).sum());
    let (mut hands, mut played) = (0, 0);
    for _ in 0..count {
        let original = &texts[random.below(texts.len())];
        let damaged = mutate(&mut random, original);
        match read(&damaged) {
            Ok(records) => {
                for (_, record) in records {
                    hands += 1;
                    let _ = phh::write(&record);
                    let _ = seed::write(&record);
                    let _ = pokerstars::write(&record);
                    match Replay::start(&record, Interpretation::House).and_then(Replay::finish) {
                        Ok(hand) => {
                            played += 1;
                            let _ = hand.awards();
                        }
                        Err(error) => assert!(!error.to_string().is_empty()),
                    }
                }
            }
            Err(ReadError::Syntax(error)) => assert!(error.place.line >= 1 && error.place.column >= 1),
            Err(ReadError::Line { place, problem }) => assert!(place.line >= 1 && !problem.is_empty()),
            Err(ReadError::Hand { error, .. }) => {
                assert!(!error.path.is_empty() || error.to_string().contains("expected"))
            }
            Err(other) => panic!("{other}"),
        }
    }
    println!("{name}: {count} damaged files, {hands} hands still read, {played} played");
    (hands, played)
}

fn originals() -> Vec<Record> {
    let mut records = Vec::new();
    for variant in Variant::ALL {
        let name = format!("synthetic/{}.phhs", variant.code().replace('/', "-"));
        let text = std::fs::read_to_string(data::fixture(&name)).unwrap();
        records.extend(phh::read(&text).unwrap().into_iter().map(|(_, record)| record));
    }
    records
}

#[test]
fn damaged_phh_files_are_read_or_refused_with_a_place() {
    let texts: Vec<String> = originals().iter().map(phh::write).collect();
    let (hands, played) = damage("phh", &texts, phh::read);
    assert!(hands > 0 && played > 0);
}

#[test]
fn damaged_json_files_are_read_or_refused_with_a_place() {
    let texts: Vec<String> = originals().iter().map(seed::write).collect();
    let (hands, played) = damage("json", &texts, seed::read);
    assert!(hands > 0 && played > 0);
}

#[test]
fn damaged_pokerstars_files_are_read_or_refused_with_a_place() {
    let texts: Vec<String> = originals().iter().filter_map(|record| pokerstars::write(record).ok()).collect();
    let (hands, played) = damage("pokerstars", &texts, pokerstars::read);
    assert!(hands > 0 && played > 0);
}
