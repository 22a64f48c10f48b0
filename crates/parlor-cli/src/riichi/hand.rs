//! `parlor riichi hand`: explains one hand to a person.

use std::process::ExitCode;

use clap::ValueEnum;
use parlor_riichi::explain::explain;
use parlor_riichi::hand::Hand;
use parlor_riichi::pay::Stakes;
use parlor_riichi::rules::Rules;
use parlor_riichi::score::score;
use parlor_riichi::sets::KindSet;
use parlor_riichi::shanten::shanten;
use parlor_riichi::text::write_tiles;
use parlor_riichi::tile::{Tile, Wind};
use parlor_riichi::ukeire::{Ukeire, discards, ukeire};
use parlor_riichi::waits::waits;
use parlor_riichi::win::{Claim, Flags, Win};
use serde_json::{Value, json};

use super::pieces::Pieces;

/// Explain one hand: its score, its waits or its best discards
///
/// Write tiles like 123m406p7z: m man, p pin, s sou, z east south west north white green red; 0 is a red five.
#[derive(clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The concealed tiles: 13 (prints waits) or 14 (prints best discards), minus three for each meld. With --win, the
    /// winning tile may be among them or not
    pub(super) tiles: String,
    /// Score the hand, won with this tile
    #[arg(long, value_name = "TILE")]
    pub(super) win: Option<String>,
    /// Won by self-draw instead of on a discard
    #[arg(long, requires = "win")]
    tsumo: bool,
    /// Riichi was declared
    #[arg(long, requires = "win")]
    riichi: bool,
    /// Riichi on the first turn
    #[arg(long, requires = "win")]
    double_riichi: bool,
    /// Won within one turn of riichi
    #[arg(long, requires = "win")]
    ippatsu: bool,
    /// Won on the replacement tile after a kan
    #[arg(long, requires = "win")]
    rinshan: bool,
    /// Won by robbing a kan
    #[arg(long, requires = "win")]
    chankan: bool,
    /// Won on the last draw
    #[arg(long, requires = "win")]
    haitei: bool,
    /// Won on the last discard
    #[arg(long, requires = "win")]
    houtei: bool,
    /// Won on the dealer's first draw
    #[arg(long, requires = "win")]
    tenhou: bool,
    /// Won on a non-dealer's first draw
    #[arg(long, requires = "win")]
    chiihou: bool,
    /// Won on a discard before the winner's first draw
    #[arg(long, requires = "win")]
    renhou: bool,
    /// Dora indicators: 5m makes 6m dora
    #[arg(long, value_name = "TILES")]
    pub(super) dora: Option<String>,
    /// Ura dora indicators, after riichi
    #[arg(long, value_name = "TILES", requires = "win")]
    pub(super) ura: Option<String>,
    /// A chi; this and the next four options may be repeated
    #[arg(long, value_name = "TILES")]
    pub(super) chi: Vec<String>,
    /// A pon
    #[arg(long, value_name = "TILES")]
    pub(super) pon: Vec<String>,
    /// An open kan (on a discard)
    #[arg(long, value_name = "TILES")]
    pub(super) daiminkan: Vec<String>,
    /// A closed kan
    #[arg(long, value_name = "TILES")]
    pub(super) ankan: Vec<String>,
    /// A kan added to a pon
    #[arg(long, value_name = "TILES")]
    pub(super) kakan: Vec<String>,
    /// The winner's wind; east is the dealer
    #[arg(long, value_name = "WIND", default_value = "south")]
    seat: WindName,
    /// The wind of the round
    #[arg(long, value_name = "WIND", default_value = "east")]
    round: WindName,
    /// Counters on the table
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1000))]
    honba: u16,
    /// Riichi sticks on the table
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u16).range(..=1000))]
    sticks: u16,
    /// The rules to score by
    #[arg(long, value_name = "PRESET", default_value = "ronin", value_parser = Rules::PRESETS)]
    rules: String,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  parlor riichi hand 123m456p789s1122z
  parlor riichi hand 19m19p19s12345677z
  parlor riichi hand 123m456p789s1122z --win 2z --tsumo --riichi --dora 5m
  parlor riichi hand 50p67s --win 8s --chi 234m --pon 777z --pon 111m --seat east --honba 1 --rules tenhou";

#[derive(Clone, Copy, ValueEnum)]
enum WindName {
    East,
    South,
    West,
    North,
}

impl From<WindName> for Wind {
    fn from(name: WindName) -> Self {
        match name {
            WindName::East => Self::East,
            WindName::South => Self::South,
            WindName::West => Self::West,
            WindName::North => Self::North,
        }
    }
}

/// Why there is no result. The exit code is 2 if the arguments are wrong, 1 if the hand is not a win.
pub(super) struct Refusal {
    code: u8,
    text: String,
}

pub(super) fn wrong(text: impl ToString) -> Refusal {
    Refusal { code: 2, text: text.to_string() }
}

/// Prints the explanation of the hand.
pub(super) fn run(args: &Args) -> ExitCode {
    match answer(args) {
        Ok((text, value)) => {
            if args.json {
                println!("{value}");
            } else {
                println!("{text}");
            }
            ExitCode::SUCCESS
        }
        Err(refusal) => {
            if args.json {
                println!("{}", json!({ "error": refusal.text }));
            }
            eprintln!("parlor riichi hand: {}", refusal.text);
            ExitCode::from(refusal.code)
        }
    }
}

fn answer(args: &Args) -> Result<(String, Value), Refusal> {
    let rules = Rules::preset(&args.rules).ok_or_else(|| wrong("no such preset"))?;
    let pieces = Pieces::read(args, &rules)?;
    let wanted = 14_usize.saturating_sub(3 * pieces.melds.len());
    match (pieces.win, pieces.hand.len()) {
        (Some(win), found) if found == wanted => scored(args, &rules, &pieces, win),
        (None, found) if found == wanted => best_discards(&pieces),
        (None, found) if found + 1 == wanted => waited(&pieces),
        (_, found) => Err(wrong(format!(
            "{found} concealed tiles and {} melds: give {} tiles for waits, or {wanted} for discards and scores",
            pieces.melds.len(),
            wanted.saturating_sub(1),
        ))),
    }
}

fn scored(args: &Args, rules: &Rules, pieces: &Pieces, win: Tile) -> Result<(String, Value), Refusal> {
    let mut flags = Flags::NONE;
    for (is_set, flag) in [
        (args.tsumo, Flags::TSUMO),
        (args.riichi, Flags::RIICHI),
        (args.double_riichi, Flags::DOUBLE_RIICHI),
        (args.ippatsu, Flags::IPPATSU),
        (args.rinshan, Flags::RINSHAN),
        (args.chankan, Flags::CHANKAN),
        (args.haitei, Flags::HAITEI),
        (args.houtei, Flags::HOUTEI),
        (args.tenhou, Flags::TENHOU),
        (args.chiihou, Flags::CHIIHOU),
        (args.renhou, Flags::RENHOU),
    ] {
        flags = if is_set { flags.with(flag) } else { flags };
    }
    let claim = Claim {
        hand: &pieces.hand,
        melds: &pieces.melds,
        win,
        dora: &pieces.dora,
        ura: &pieces.ura,
        seat_wind: args.seat.into(),
        round_wind: args.round.into(),
        flags,
    };
    let believed = Win::new(&claim).map_err(wrong)?;
    let score = score(&believed, rules).map_err(|none| Refusal { code: 1, text: none.to_string() })?;
    let explanation = explain(&believed, rules, &score, Stakes { honba: args.honba, sticks: args.sticks });
    let how = if args.tsumo { "self-drawn" } else { "on a discard" };
    let seat = Wind::from(args.seat);
    let dealer = if believed.is_dealer() { ", the dealer" } else { "" };
    let mut head = format!("won with {win}, {how}, by {}{dealer}; rules {}", seat.name(), args.rules);
    for (name, indicators) in [("dora", &pieces.dora), ("ura", &pieces.ura)] {
        for indicator in indicators {
            head.push_str(&format!("\n{name} indicator {indicator}: {} is dora", indicator.kind().dora()));
        }
    }
    let mut value = serde_json::to_value(&explanation).map_err(wrong)?;
    value["win"] = json!(win.to_string());
    Ok((format!("{head}\n\n{explanation}"), value))
}

fn kinds_text(kinds: KindSet) -> String {
    let tiles: Vec<Tile> = kinds.iter().filter_map(|kind| kind.tiles().next_back()).collect();
    write_tiles(&tiles)
}

fn shanten_text(shanten: i8) -> String {
    match shanten {
        -1 => "complete".into(),
        0 => "tenpai".into(),
        shanten => format!("{shanten} from tenpai"),
    }
}

fn ukeire_json(accepts: &Ukeire) -> Value {
    let kinds: Vec<String> = accepts.kinds.iter().map(|kind| kind.to_string()).collect();
    json!({ "shanten": accepts.shanten, "accepts": kinds, "tiles": accepts.tiles })
}

fn waited(pieces: &Pieces) -> Result<(String, Value), Refusal> {
    let hand = Hand::from_tiles(&pieces.hand).map_err(wrong)?;
    let accepts = ukeire(&hand, &pieces.elsewhere());
    let kinds = kinds_text(accepts.kinds);
    let text = if accepts.shanten == 0 {
        debug_assert_eq!(waits(&hand), accepts.kinds);
        format!("tenpai, waiting for {kinds}: {} tiles not in sight", accepts.tiles)
    } else {
        let far = shanten_text(accepts.shanten);
        format!("{far}; {} tiles not in sight bring it nearer: {kinds}", accepts.tiles)
    };
    Ok((text, ukeire_json(&accepts)))
}

/// How many discards are printed; more would not help to choose.
const DISCARDS_SHOWN_MAX: usize = 5;

fn best_discards(pieces: &Pieces) -> Result<(String, Value), Refusal> {
    let hand = Hand::from_tiles(&pieces.hand).map_err(wrong)?;
    let now = shanten(&hand);
    let choices = discards(&hand, &pieces.elsewhere());
    let nearest = choices.first().map_or(now, |choice| choice.accepts.shanten);
    let best: Vec<_> = choices.iter().filter(|choice| choice.accepts.shanten == nearest).collect();
    let mut lines = vec![match now {
        -1 => "complete: name the winning tile with --win to score it; to play on, discard".to_owned(),
        now => format!("{}; discard", shanten_text(now)),
    }];
    for choice in best.iter().take(DISCARDS_SHOWN_MAX) {
        let Ukeire { kinds, tiles, .. } = choice.accepts;
        lines.push(format!(
            "  {}  then {tiles:>2} tiles bring it nearer: {}",
            choice.kind,
            kinds_text(kinds)
        ));
    }
    if best.len() > DISCARDS_SHOWN_MAX {
        lines.push(format!("  and {} more that are no farther", best.len() - DISCARDS_SHOWN_MAX));
    }
    let values: Vec<Value> = best
        .iter()
        .map(|choice| {
            let mut value = ukeire_json(&choice.accepts);
            value["discard"] = json!(choice.kind.to_string());
            value
        })
        .collect();
    Ok((lines.join("\n"), json!({ "shanten": now, "discards": values })))
}
