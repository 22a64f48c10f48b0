//! `parlor riichi`: scores, shanten, waits, and recorded games. The commands only read and print; the work is done by `parlor_riichi`.

mod hand;
mod lines;
mod pieces;
mod records;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Subcommand;
use parlor_riichi::vectors::{score_line, shanten_line, waits_line};

/// Arguments of `parlor riichi`.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "\
Examples:
  parlor riichi hand 123m456p789s1122z                          the waits of the hand
  parlor riichi hand 123m456p789s11224z                         the best discards
  parlor riichi hand 123m456p789s1122z --win 2z --tsumo --riichi --dora 5m
                                                                the score, explained
  parlor riichi score vectors.jsonl.gz                          one result per line
  gzip -dc hands.jsonl.gz | parlor riichi shanten
  parlor riichi games games.jsonl.gz --preset tenhou            recorded games, played again by the rules
  parlor riichi export match.jsonl --to tenhou6                 a match of this server for other viewers";

#[derive(Subcommand)]
enum Command {
    /// Explain one hand: its score, its waits or its best discards
    Hand(Box<hand::Args>),
    /// Score winning hands: one JSON line in, one JSON line out
    #[command(after_help = SCORE_HELP)]
    Score(Input),
    /// Compute the shanten of hands: one JSON line in, one JSON line out
    #[command(after_help = SHANTEN_HELP)]
    Shanten(Input),
    /// Compute the waits of hands: one JSON line in, one JSON line out
    #[command(after_help = WAITS_HELP)]
    Waits(Input),
    /// Play recorded games (walls and actions) by the rules, and print what came of each round
    Games(records::Played),
    /// Follow sessions of one seat, and print what the rules offered it and what each round paid
    Sessions(records::Played),
    /// Write recorded games, or a match of this server, in another notation
    Export(records::Export),
    /// Read games in another notation, play them by the rules, and print what came of each round
    Import(records::Import),
    /// Play a seed and the actions of people, and print the trace of every step
    Replay(records::Replay),
}

#[derive(clap::Args)]
struct Input {
    /// A file of JSON lines, plain or gzipped; standard input if omitted or `-`
    file: Option<PathBuf>,
    /// Accepted for uniformity: these commands always print JSON
    #[arg(long)]
    json: bool,
}

/// Appends the text with which the help of the three line commands ends.
macro_rules! with_lines_help {
    ($text:literal) => {
        concat!(
            $text,
            "\
Tiles are numbers 0 to 135: kind = number / 4, kinds 0-8 man, 9-17 pin, 18-26 sou, 27-30 east south west north,
31-33 white green red; 16, 52 and 88 are the red fives. For a line that is malformed or describes an impossible hand,
the command prints {\"error\": code, \"message\": text} and exits with code 1 at the end."
        )
    };
}

const SCORE_HELP: &str = with_lines_help!(
    "\
Reads {rules, hand, melds, win, dora, ura, seat_wind, round_wind, honba, sticks, flags}:
  rules   tenhou, ronin, soul, ema, nokuitan, renhou_yakuman
  hand    concealed tiles, including the winning tile
  melds   [[kind, tiles], ...], kind one of chi, pon, daiminkan, ankan, kakan
  dora    indicators; ura also, after riichi only
  winds   0 east, 1 south, 2 west, 3 north
  flags   tsumo riichi double_riichi ippatsu rinshan chankan haitei houtei tenhou chiihou renhou
Prints {han, fu, yaku, cost}, or {\"error\": \"no_yaku\"}, or {\"error\": \"hand_not_winning\"}.

Example:
  echo '{\"rules\":\"tenhou\",\"hand\":[0,4,8,36,40,44,72,76,80,108,109,112,113,114],\"win\":114,
    \"seat_wind\":1,\"round_wind\":0,\"flags\":[\"tsumo\",\"riichi\"]}' | tr -d '\\n' | parlor riichi score

"
);

const SHANTEN_HELP: &str = with_lines_help!(
    "\
Reads {melds, hand}: the number of melds, and the concealed tiles: 13 or 14, minus three for each meld.
Prints {regular, best} and, without melds, {chiitoi, kokushi}: -1 is complete, 0 is tenpai.

"
);

const WAITS_HELP: &str = with_lines_help!(
    "\
Reads {melds, hand}: the number of melds, and the concealed tiles: 13, minus three for each meld.
Prints {waits}: kinds 0 to 33, except those of which the hand holds all four.

"
);

/// Runs the sub-command. Exit codes: 0 success, 1 failure, 2 wrong usage.
pub(crate) fn run(args: Args) -> ExitCode {
    match args.command {
        Command::Hand(args) => hand::run(&args),
        Command::Score(input) => lines::run(input.file.as_deref(), score_line),
        Command::Shanten(input) => lines::run(input.file.as_deref(), shanten_line),
        Command::Waits(input) => lines::run(input.file.as_deref(), waits_line),
        Command::Games(args) => records::games(&args),
        Command::Sessions(args) => records::sessions(&args),
        Command::Export(args) => records::export(&args),
        Command::Import(args) => records::import(&args),
        Command::Replay(args) => records::replay(&args),
    }
}
