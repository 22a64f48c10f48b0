//! Pao: who is liable for a yakuman.

use crate::meld::{Block, Shape};
use crate::rules::Pao;
use crate::sets::KindSet;
use crate::yaku::Yaku;

impl Pao {
    /// Whether feeding this yakuman makes liable.
    #[must_use]
    pub fn covers(&self, yaku: Yaku) -> bool {
        match yaku {
            Yaku::Daisangen => self.daisangen,
            Yaku::Daisuushii => self.daisuushii,
            Yaku::Suukantsu => self.suukantsu,
            _ => false,
        }
    }

    /// The yakuman for which a seat is liable that fed the last of these open sets: the third of dragons, the fourth
    /// of winds, or the fourth kan.
    #[must_use]
    pub fn fed(&self, melds: &[Block]) -> Option<Yaku> {
        let last = melds.last().filter(|last| last.shape != Shape::Run && last.open)?;
        let of = |kinds: KindSet| {
            let count =
                melds.iter().filter(|meld| meld.shape != Shape::Run && kinds.contains(meld.first)).count();
            if kinds.contains(last.first) { count } else { 0 }
        };
        let quads = melds.iter().filter(|meld| meld.shape == Shape::Quad).count();
        let fed = [
            (of(KindSet::DRAGONS) == 3, Yaku::Daisangen),
            (of(KindSet::WINDS) == 4, Yaku::Daisuushii),
            (quads == 4 && last.shape == Shape::Quad, Yaku::Suukantsu),
        ];
        fed.into_iter().find(|(is_so, yaku)| *is_so && self.covers(*yaku)).map(|(_, yaku)| yaku)
    }
}
