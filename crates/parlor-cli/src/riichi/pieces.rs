//! Reads the tiles in the arguments of `parlor riichi hand`.

use parlor_riichi::meld::{Meld, MeldKind};
use parlor_riichi::rules::Rules;
use parlor_riichi::sets::TileSet;
use parlor_riichi::text::read_tiles;
use parlor_riichi::tile::{KINDS, Tile};

use super::hand::{Args, Refusal, wrong};

/// The tiles of the arguments.
pub(super) struct Pieces {
    pub(super) hand: Vec<Tile>,
    pub(super) melds: Vec<Meld>,
    pub(super) win: Option<Tile>,
    pub(super) dora: Vec<Tile>,
    pub(super) ura: Vec<Tile>,
}

impl Pieces {
    /// Reads the tiles; the hand includes the winning tile afterwards.
    pub(super) fn read(args: &Args, rules: &Rules) -> Result<Self, Refusal> {
        let mut taken = TileSet::EMPTY;
        let mut read = |what: &str, text: &str| {
            read_tiles(text, &mut taken, rules.red_fives)
                .map_err(|error| wrong(format!("{what} {text}: {error}")))
        };
        let mut hand = read("tiles", &args.tiles)?;
        let mut melds = Vec::new();
        for (kind, texts) in [
            (MeldKind::Chi, &args.chi),
            (MeldKind::Pon, &args.pon),
            (MeldKind::Daiminkan, &args.daiminkan),
            (MeldKind::Ankan, &args.ankan),
            (MeldKind::Kakan, &args.kakan),
        ] {
            for text in texts {
                let tiles = read(kind.name(), text)?;
                melds.push(
                    Meld::new(kind, &tiles)
                        .map_err(|error| wrong(format!("{} {text}: {error}", kind.name())))?,
                );
            }
        }
        if melds.len() > 4 {
            return Err(wrong("more than four melds"));
        }
        let mut win = None;
        if let Some(text) = &args.win {
            let whole = hand.len() + 3 * melds.len() == 14;
            win = Some(if whole { find(&hand, text)? } else { *one(&read("--win", text)?, text)? });
            if !whole {
                hand.extend(win);
            }
        }
        let dora = read("--dora", args.dora.as_deref().unwrap_or(""))?;
        let ura = read("--ura", args.ura.as_deref().unwrap_or(""))?;
        Ok(Self { hand, melds, win, dora, ura })
    }

    /// The visible tiles outside the concealed ones, counted by kind.
    pub(super) fn elsewhere(&self) -> [u8; KINDS] {
        let mut counts = [0; KINDS];
        let melded = self.melds.iter().flat_map(|meld| meld.tiles());
        for tile in melded.chain(&self.dora).chain(&self.ura) {
            counts[tile.kind().index()] += 1;
        }
        counts
    }
}

fn one<'a>(tiles: &'a [Tile], text: &str) -> Result<&'a Tile, Refusal> {
    match tiles {
        [tile] => Ok(tile),
        _ => Err(wrong(format!("--win {text}: give exactly one tile"))),
    }
}

/// The winning tile among concealed tiles that already include it.
fn find(hand: &[Tile], text: &str) -> Result<Tile, Refusal> {
    let named = read_tiles(text, &mut TileSet::default(), true)
        .map_err(|error| wrong(format!("--win {text}: {error}")))?;
    let named = one(&named, text)?;
    let alike = |tile: &&Tile| tile.kind() == named.kind() && tile.is_red() == named.is_red();
    hand.iter().find(alike).copied().ok_or_else(|| wrong(format!("--win {text}: not among the tiles given")))
}
