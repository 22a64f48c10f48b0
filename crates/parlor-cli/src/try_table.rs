//! `parlor try` and `parlor play`: assign the seats, choose the seed, and open a [`TableTop`].

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use parlor_core::{Json, Seed};

use crate::keyboard::Keyboard;
use crate::page;
use crate::registry;
use crate::shell::{Done, Failure, json_arg};
use crate::table_top::{Plan, TableTop};

/// Arguments of `parlor try`.
#[derive(clap::Args)]
#[command(
    after_help = "Answer requests with numbers or titles. At the table, type ? for help, u to undo, q to quit.\n\n\
    Examples:\n  parlor try oxo --seat 1 --seed spring --record match.jsonl\n  \
    parlor try oxo --bots all --fast\n  printf '1\\n5\\n' | parlor try oxo"
)]
pub(crate) struct TryArgs {
    /// The game; parlor games lists them
    game: String,
    #[command(flatten)]
    options: Options,
}

/// Arguments of `parlor play`.
#[derive(clap::Args)]
#[command(
    after_help = "Without arguments, it opens the page of all games in your browser. With a ruleset in a file, it opens \
    a table of that game against bots, and a new one whenever you save the file. With a game or --terminal, you play in \
    the terminal:\nanswer requests with numbers or titles; type ? for help, u to undo, q to quit.\n\n\
    Examples:\n  parlor play\n  parlor play mygame.json\n  parlor play oxo --seat 1"
)]
pub(crate) struct PlayArgs {
    /// A ruleset (a .json file) to play in the browser, or a game to play in the terminal (see `parlor games`)
    game: Option<String>,
    /// Play in the terminal; the game is oxo unless you name one
    #[arg(long)]
    terminal: bool,
    /// The address of the page [default: 127.0.0.1:8001, or any free port]
    #[arg(long, value_name = "ADDRESS", conflicts_with = "terminal")]
    listen: Option<String>,
    #[command(flatten)]
    options: Options,
}

/// How to set up the table.
#[derive(clap::Args)]
struct Options {
    /// Your seat, counted from 0; bots play the others [default: 0]
    #[arg(long, value_name = "N")]
    seat: Option<u8>,
    /// The seats that bots play: all, none, or a list such as 1,3; you play all other seats
    #[arg(long, value_name = "all|none|N,…", value_delimiter = ',', value_parser = BotSeat::parse)]
    bots: Vec<BotSeat>,
    /// The number of seats [default: the game's minimum]
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// Deal from this seed, to repeat a match [default: a random seed, secret until the match ends]
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// The table's settings
    #[arg(long, value_name = "JSON", value_parser = json_arg, default_value = "null", hide_default_value = true)]
    settings: Json,
    /// Write the log of the match to this file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Skip waits, and stop the clocks while you think
    #[arg(long)]
    fast: bool,
    /// Print every message from the table, one JSON object per line
    #[arg(long)]
    json: bool,
}

impl Options {
    /// Whether no option of the table was given.
    fn is_default(&self) -> bool {
        let said =
            self.seat.is_some() || self.seats.is_some() || self.seed.is_some() || self.record.is_some();
        !said && self.bots.is_empty() && self.settings.is_null() && !self.fast && !self.json
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BotSeat {
    All,
    None,
    One(u8),
}

impl BotSeat {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "none" => Ok(Self::None),
            _ => {
                text.parse().map(Self::One).map_err(|_| "expected 'all', 'none' or a seat number".to_owned())
            }
        }
    }
}

/// Opens a table of the named game.
pub(crate) fn run(args: TryArgs) -> Done {
    sit_down(&args.game, args.options)
}

/// Opens the page of all games, or a table in the terminal if the arguments ask for one.
pub(crate) fn play(args: PlayArgs) -> Done {
    let file = args.game.as_deref().filter(|game| game.ends_with(".json")).map(Path::new);
    if (args.game.is_none() || file.is_some()) && !args.terminal && args.options.is_default() {
        return page::run(args.listen, file);
    }
    if args.listen.is_some() {
        let text = "--listen is the address of a page, and this game is played in the terminal";
        return Err(Failure::usage(text.to_owned()));
    }
    sit_down(args.game.as_deref().unwrap_or("oxo"), args.options)
}

fn sit_down(game: &str, options: Options) -> Done {
    let def = registry::find(game)?;
    let seats = registry::seats(&def, options.seats)?;
    let people = people(&options, seats)?;
    let plan = Plan {
        def,
        seats,
        people,
        seeded: options.seed.is_some(),
        seed: options.seed.as_deref().map_or_else(secret_seed, Seed::from_text),
        settings: options.settings,
        record: options.record,
        fast: options.fast,
        json: options.json,
    };
    TableTop::open(plan, Keyboard::open(), Box::new(io::stdout()))?.run()
}

/// The seats played from this terminal.
fn people(options: &Options, seats: u8) -> Result<BTreeSet<u8>, Failure> {
    let named = options.bots.iter().filter_map(|bot| match bot {
        BotSeat::All | BotSeat::None => None,
        BotSeat::One(seat) => Some(*seat),
    });
    if let Some(none) = named.clone().chain(options.seat).find(|seat| *seat >= seats) {
        return Err(Failure::usage(format!("there is no seat {none}, this table has {seats}"))
            .hint("seats are counted from 0"));
    }
    let bots: BTreeSet<u8> =
        if options.bots.contains(&BotSeat::All) { (0..seats).collect() } else { named.collect() };
    if let Some(seat) = options.seat.filter(|seat| bots.contains(seat)) {
        return Err(Failure::usage(format!("seat {seat} cannot be both yours and a bot's")));
    }
    if options.bots.is_empty() {
        return Ok(BTreeSet::from([options.seat.unwrap_or(0)]));
    }
    Ok((0..seats).filter(|seat| !bots.contains(seat)).collect())
}

/// A secret seed: from the system's random source if there is one, else from the keys of a fresh hasher.
fn secret_seed() -> Seed {
    let mut bytes = [0; 96];
    match std::fs::File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes)) {
        Ok(()) => Seed::from_bytes(&bytes),
        Err(_) => {
            use std::hash::BuildHasher;
            let word = |n: u64| std::collections::hash_map::RandomState::new().hash_one(n).to_string();
            Seed::from_text(&(0..12).map(word).collect::<String>())
        }
    }
}
