//! `parlor poker equity`

use parlor_poker::equity::{Equity, Spot};
use parlor_poker::{Card, CardSet, Rng, Row, Variant};
use serde_json::json;

use super::{Failure, files, print};

/// What each hand wins on average when nobody folds
///
/// Hands are cards without spaces, one after the other; ?? is an unknown card. Where every way the cards can fall is
/// quickly counted, the numbers are exact; else cards are drawn at random and the standard error is given.
///
/// Examples:
///   parlor poker equity "AsKs QhQd"
///   parlor poker equity "AsKs QhQd" --board Ah7c2d
///   parlor poker equity --variant PO "AsKsJdTd QhQdJcTc" --samples 200000
///   parlor poker equity --json AsKs ????
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The hands
    #[arg(required = true)]
    hands: Vec<String>,
    /// Cards of the board, such as Ah7c2d or "Ah 7c 2d"
    #[arg(long, default_value = "")]
    board: String,
    /// The game by its PHH code: NT, NS, PO, FO/8, F7S, F7S/8, FR, N2L1D, F2L3D or FB
    #[arg(long, default_value = "NT")]
    variant: String,
    /// How often to draw when the numbers are not exact
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    samples: u64,
    /// Start of the random numbers: the same seed gives the same answer
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Random numbers for drawing (splitmix64).
struct Seeded(u64);

impl Rng for Seeded {
    fn draw(&mut self, from: CardSet) -> Card {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        let skip = (((z ^ (z >> 31)) >> 32) * from.len() as u64) >> 32;
        from.iter().nth(skip as usize).unwrap_or(Card::at(0))
    }
}

pub(super) fn run(args: &Args) -> Result<(), Failure> {
    let usage = |text: String| Failure::Usage(text);
    let variant: Variant = args.variant.parse().map_err(|e| usage(format!("--variant: {e}")))?;
    let row = |text: &str| Row::parse(text).map_err(|e| usage(e.to_string()));
    let texts: Vec<&str> = args.hands.iter().flat_map(|hand| hand.split_whitespace()).collect();
    let hands = texts.iter().map(|text| row(text)).collect::<Result<Vec<Row>, Failure>>()?;
    // People write a board with spaces between the cards, or without.
    let board: String = args.board.split_whitespace().collect();
    let spot = Spot::new(variant, &hands, row(&board)?).map_err(|e| usage(e.to_string()))?;
    let equity = if spot.is_cheap() { spot.exact() } else { drawn(&spot, args) };
    let mut out = std::io::stdout().lock();
    if args.json {
        let shares = equity.shares.iter().zip(&texts).map(|(share, hand)| {
            json!({"hand": hand, "equity": share.equity, "win": share.win, "tie": share.tie, "error": share.error})
        });
        let shares: Vec<_> = shares.collect();
        let answer = json!({"variant": variant.code(), "board": args.board, "exact": equity.exact, "trials": equity.trials, "hands": shares});
        return print(&mut out, &answer.to_string());
    }
    for (share, hand) in equity.shares.iter().zip(&texts) {
        let error = if equity.exact { String::new() } else { format!("  ±{:.3}%", share.error * 100.0) };
        let (part, win, tie) = (share.equity * 100.0, share.win * 100.0, share.tie * 100.0);
        print(&mut out, &format!("{hand:<14} {part:>7.3}%{error}  win {win:.3}%  tie {tie:.3}%"))?;
    }
    let how = if equity.exact { "every way the cards can fall" } else { "drawn at random" };
    print(&mut out, &format!("{} trials, {how}", equity.trials))
}

/// Draws in parts, so that a bar can move.
fn drawn(spot: &Spot, args: &Args) -> Equity {
    const PARTS: u64 = 50;
    let mut rng = Seeded(args.seed);
    let bar = files::progress(PARTS as usize);
    let mut parts = Vec::new();
    for part in 0..PARTS {
        let trials = args.samples / PARTS + u64::from(part < args.samples % PARTS);
        if trials > 0 {
            parts.push(spot.simulate(trials, &mut rng));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Equity::joined(&parts)
}
