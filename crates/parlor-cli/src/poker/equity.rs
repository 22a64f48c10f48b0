//! `parlor poker equity`.

use parlor_poker::equity::{Equity, Spot};
use parlor_poker::{Card, CardSet, Rng, Row, Variant};
use serde_json::json;

use super::{Failure, files, print};

/// Compute the share of the pot that each hand wins on average when nobody folds
///
/// Write each hand as its cards without spaces; ?? is an unknown card. The result is exact where all possible deals can
/// be counted quickly. Otherwise cards are drawn at random and the standard error is printed.
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
    /// The board, such as Ah7c2d or "Ah 7c 2d"
    #[arg(long, default_value = "")]
    board: String,
    /// The game by its PHH code: NT, NS, PO, FO/8, F7S, F7S/8, FR, N2L1D, F2L3D or FB
    #[arg(long, default_value = "NT")]
    variant: String,
    /// The number of random deals when the result is not exact
    #[arg(long, default_value_t = 1_000_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    samples: u64,
    /// The seed of the random numbers: the same seed gives the same result
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

/// Random numbers for drawing cards (splitmix64).
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
    // The cards of a board may be separated by spaces.
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
    let how = if equity.exact { "all possible deals" } else { "random deals" };
    print(&mut out, &format!("{} trials, {how}", equity.trials))
}

/// Draws in parts, so that the progress bar can advance.
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
