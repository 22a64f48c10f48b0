//! Files of hands that nobody wrote: each reader takes any bytes, and what it reads is written and played or refused.

use parlor_poker::notation::{ReadError, Record, phh, pokerstars, seed};
use parlor_poker::replay::Replay;
use parlor_poker::{Interpretation, Variant};
use parlor_testkit::fuzz::Fuzz;

use crate::data;

/// Pieces of the formats.
const WORDS: [&str; 62] = [
    "variant = 'NT'\n",
    "variant = 'PO'\n",
    "variant = 'F7S'\n",
    "antes = [0, 0]\n",
    "blinds_or_straddles = [1, 2]\n",
    "starting_stacks = [200, 200]\n",
    "min_bet = 2\n",
    "bring_in = 1\n",
    "small_bet = 2\n",
    "big_bet = 4\n",
    "ante_trimming_status = true\n",
    "actions = [\n",
    "'d dh p1 AsKs'",
    "'d dh p2 ????'",
    "'d db 2c3c4c'",
    "'p1 cbr 6'",
    "'p2 cc'",
    "'p1 f'",
    "'p1 sm AsKs'",
    "'p1 sd 2c'",
    "'p1 pb'",
    " # note",
    "'''",
    "\"\"\"",
    "inf",
    "nan",
    "1e9",
    "0x7f",
    "0.001",
    "[[",
    "]]",
    "[1]\n",
    "[a.b]\n",
    "_x = {a = 1}\n",
    "players = ['a', 'b']\n",
    "\\u0000",
    "\\U0010FFFF",
    "PokerStars Hand #1: ",
    "Hold'em No Limit ($1/$2 USD)",
    " - 2020/01/01 0:00:00 ET\n",
    "Table 'T' 6-max Seat #1 is the button\n",
    "Seat 1: a ($200 in chips)\n",
    "a: posts small blind $1\n",
    "b: posts big blind $2\n",
    "*** HOLE CARDS ***\n",
    "Dealt to a [As Ks]\n",
    "a: raises $2 to $4\n",
    "b: calls $2\n",
    "a: bets $2 and is all-in\n",
    "b: folds\n",
    "b: checks\n",
    "Uncalled bet ($2) returned to a\n",
    "*** FLOP *** [2c 3c 4c]\n",
    "*** TURN *** [2c 3c 4c] [5c]\n",
    "*** SHOW DOWN ***\n",
    "a: shows [As Ks] (a pair)\n",
    "a collected $4 from pot\n",
    "*** SUMMARY ***\n",
    "Total pot $4 | Rake $0\n",
    "\r\n",
    "\u{feff}",
    "€",
];

fn hands() -> Vec<Record> {
    let read = |variant: &Variant| {
        let name = format!("synthetic/{}.phhs", variant.code().replace('/', "-"));
        let text = std::fs::read_to_string(data::fixture(&name)).unwrap();
        phh::read(&text).unwrap().into_iter().map(|(_, record)| record).take(4).collect::<Vec<_>>()
    };
    Variant::ALL.iter().flat_map(read).collect()
}

/// Writes what was read in every format and plays it; says what became of it.
fn follow(read: Result<Vec<(String, Record)>, ReadError>) -> String {
    let records = match read {
        Ok(records) => records,
        Err(ReadError::Hand { error, .. }) => {
            return format!("hand: {}", few_words(&error.problem.to_string()));
        }
        Err(ReadError::Line { problem, .. }) => return format!("line: {}", few_words(&problem)),
        Err(error) => return format!("refused: {}", few_words(&error.to_string())),
    };
    let mut told = String::from("read");
    for (_, record) in &records {
        let again = phh::read(&phh::write(record));
        let again = again.unwrap_or_else(|error| panic!("what was written cannot be read: {error}"));
        assert_eq!(again.len(), 1, "one hand was written");
        let _ = (seed::write(record), pokerstars::write(record));
        told = match Replay::start(record, Interpretation::House).and_then(Replay::finish) {
            Ok(hand) => format!("played: {} awards", hand.awards().len().min(1)),
            Err(error) => format!("not played: {}", few_words(&error.to_string())),
        };
    }
    told
}

/// What a message begins with: what follows is often a piece of the file.
fn few_words(message: &str) -> String {
    message.split(' ').take(5).collect::<Vec<_>>().join(" ")
}

fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn fuzz(name: &str, seeds: Vec<String>) -> Fuzz<'_> {
    let seeds = seeds.into_iter().map(String::into_bytes).collect();
    Fuzz { name, seeds, words: &WORDS, codec: None, bytes_max: 32 * 1024 }
}

#[test]
fn phh_takes_any_bytes() {
    let seeds = hands().iter().map(phh::write).collect();
    fuzz("phh", seeds).run(|bytes| follow(phh::read(&lossy(bytes))));
}

#[test]
fn pokerstars_takes_any_bytes() {
    let mut seeds: Vec<String> = hands().iter().filter_map(|record| pokerstars::write(record).ok()).collect();
    seeds.push(std::fs::read_to_string(data::fixture("pokerstars.txt")).unwrap());
    fuzz("pokerstars", seeds).run(|bytes| follow(pokerstars::read(&lossy(bytes))));
}
