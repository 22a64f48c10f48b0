//! The yaku: their names and their worth.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What `Yaku` is made of: one row per yaku, so that a new one cannot miss a name or a value.
macro_rules! yaku {
    ($($variant:ident, $name:literal, $english:literal, $closed:literal, $open:literal;)+) => {
        /// A yaku, in the order they are listed in a result.
        ///
        /// Dora, red and ura dora stand in the list of a result as well, but are no yaku: they are counts.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "game", derive(ts_rs::TS))]
        #[serde(rename_all = "snake_case")]
        pub enum Yaku { $($variant),+ }

        impl Yaku {
            /// All of them, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
            const NAMES: &[&str] = &[$($name),+];
            const ENGLISH: &[&str] = &[$($english),+];
            /// Closed, then open.
            const HAN: [&[u8]; 2] = [&[$($closed),+], &[$($open),+]];
        }
    };
}

yaku! {
    // name, name in the vectors, in English, han closed, han open (0: closed hands only)
    Riichi, "Riichi", "ready hand", 1, 0;
    DoubleRiichi, "Double Riichi", "ready hand on the first turn", 2, 0;
    OpenRiichi, "Open Riichi", "ready hand, shown", 2, 0;
    DoubleOpenRiichi, "Double Open Riichi", "ready hand on the first turn, shown", 3, 0;
    Ippatsu, "Ippatsu", "within a turn of riichi", 1, 0;
    MenzenTsumo, "Menzen Tsumo", "self-draw with a closed hand", 1, 0;
    Rinshan, "Rinshan Kaihou", "on the tile after a kan", 1, 1;
    Chankan, "Chankan", "robbing a kan", 1, 1;
    Haitei, "Haitei Raoyue", "on the last draw", 1, 1;
    Houtei, "Houtei Raoyui", "on the last discard", 1, 1;
    Pinfu, "Pinfu", "runs only, two-sided wait", 1, 0;
    Tanyao, "Tanyao", "no terminals, no honors", 1, 1;
    Iipeikou, "Iipeiko", "the same run twice", 1, 0;
    White, "Yakuhai (haku)", "white dragons", 1, 1;
    Green, "Yakuhai (hatsu)", "green dragons", 1, 1;
    Red, "Yakuhai (chun)", "red dragons", 1, 1;
    SeatEast, "Yakuhai (seat wind east)", "own wind east", 1, 1;
    SeatSouth, "Yakuhai (seat wind south)", "own wind south", 1, 1;
    SeatWest, "Yakuhai (seat wind west)", "own wind west", 1, 1;
    SeatNorth, "Yakuhai (seat wind north)", "own wind north", 1, 1;
    RoundEast, "Yakuhai (round wind east)", "round wind east", 1, 1;
    RoundSouth, "Yakuhai (round wind south)", "round wind south", 1, 1;
    RoundWest, "Yakuhai (round wind west)", "round wind west", 1, 1;
    RoundNorth, "Yakuhai (round wind north)", "round wind north", 1, 1;
    SevenPairs, "Chiitoitsu", "seven pairs", 2, 0;
    Chanta, "Chantai", "a terminal or honor in every set", 2, 1;
    Ittsu, "Ittsu", "1 to 9 of a suit", 2, 1;
    SanshokuDoujun, "Sanshoku Doujun", "the same run in three suits", 2, 1;
    SanshokuDoukou, "Sanshoku Doukou", "the same triplet in three suits", 2, 2;
    Sankantsu, "San Kantsu", "three kans", 2, 2;
    Toitoi, "Toitoi", "triplets only", 2, 2;
    Sanankou, "San Ankou", "three concealed triplets", 2, 2;
    Shousangen, "Shou Sangen", "two dragon triplets and a dragon pair", 2, 2;
    Honroutou, "Honroutou", "terminals and honors only", 2, 2;
    Ryanpeikou, "Ryanpeikou", "two runs twice each", 3, 0;
    Junchan, "Junchan", "a terminal in every set", 3, 2;
    Honitsu, "Honitsu", "one suit and honors", 3, 2;
    Chinitsu, "Chinitsu", "one suit", 6, 5;
    Renhou, "Renhou", "on a discard before the first own turn", 5, 0;
    // From here on yakuman.
    RenhouYakuman, "Renhou (yakuman)", "on a discard before the first own turn", 13, 0;
    Tenhou, "Tenhou", "the dealer's first draw", 13, 0;
    Chiihou, "Chiihou", "the first draw", 13, 0;
    Daisangen, "Daisangen", "three dragon triplets", 13, 13;
    Suuankou, "Suu Ankou", "four concealed triplets", 13, 0;
    SuuankouTanki, "Suu Ankou Tanki", "four concealed triplets, won on the pair", 13, 0;
    Tsuuiisou, "Tsuu Iisou", "honors only", 13, 13;
    Ryuuiisou, "Ryuuiisou", "green tiles only", 13, 13;
    Chinroutou, "Chinroutou", "terminals only", 13, 13;
    Chuuren, "Chuuren Poutou", "nine gates", 13, 0;
    JunseiChuuren, "Daburu Chuuren Poutou", "nine gates, won on any of nine", 13, 0;
    Kokushi, "Kokushi Musou", "thirteen orphans", 13, 0;
    KokushiThirteen, "Kokushi Musou Juusanmen Matchi", "thirteen orphans, won on any of thirteen", 13, 0;
    Daisuushii, "Dai Suushii", "four wind triplets", 13, 13;
    Shousuushii, "Shousuushii", "three wind triplets and a wind pair", 13, 13;
    Suukantsu, "Suu Kantsu", "four kans", 13, 13;
    Daisharin, "Daisharin", "22334455667788 of pin", 13, 0;
    Daichikurin, "Daichikurin", "22334455667788 of sou", 13, 0;
    Daisuurin, "Daisuurin", "22334455667788 of man", 13, 0;
    Daichisei, "Daichisei", "seven pairs of honors", 13, 0;
    Sashikomi, "Sashikomi", "dealt into an open riichi", 13, 0;
    Paarenchan, "Paarenchan", "the dealer's eighth win in a row", 13, 13;
}

impl Yaku {
    /// The name, as in the vectors.
    #[must_use]
    pub const fn name(self) -> &'static str {
        Self::NAMES[self as usize]
    }

    /// What it is, in English.
    #[must_use]
    pub const fn english(self) -> &'static str {
        Self::ENGLISH[self as usize]
    }

    /// What it is worth by itself in a closed or an open hand; 0 where an open hand cannot have it. Yakuman are 13.
    #[must_use]
    pub const fn han(self, open: bool) -> u8 {
        Self::HAN[open as usize][self as usize]
    }

    /// Whether it is a yakuman.
    #[must_use]
    pub const fn is_yakuman(self) -> bool {
        self as u8 >= Self::RenhouYakuman as u8
    }
}

/// A set of yaku, one bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct YakuSet(u64);

impl YakuSet {
    /// None.
    pub const EMPTY: Self = Self(0);
    /// All yakuman.
    pub const YAKUMAN: Self = Self(!((1 << Yaku::RenhouYakuman as u8) - 1));

    /// The set of one.
    #[must_use]
    pub const fn one(yaku: Yaku) -> Self {
        Self(1 << yaku as u8)
    }

    /// Puts one in.
    #[inline]
    pub const fn insert(&mut self, yaku: Yaku) {
        self.0 |= 1 << yaku as u8;
    }

    /// Puts one in where it is so.
    #[inline]
    pub(crate) const fn insert_if(&mut self, so: bool, yaku: Yaku) {
        self.0 |= (so as u64) << yaku as u8;
    }

    /// Whether it is in.
    #[must_use]
    pub const fn contains(self, yaku: Yaku) -> bool {
        self.0 >> yaku as u8 & 1 == 1
    }

    /// Whether nothing is in.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// What is in both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// What is in either.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The yaku, in order.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Yaku> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let yaku = *Yaku::ALL.get(rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(yaku)
        })
    }
}

impl FromIterator<Yaku> for YakuSet {
    fn from_iter<I: IntoIterator<Item = Yaku>>(yaku: I) -> Self {
        let mut set = Self::EMPTY;
        yaku.into_iter().for_each(|yaku| set.insert(yaku));
        set
    }
}

impl fmt::Debug for YakuSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

impl Yaku {
    /// The number that Tenhou's logs give it; none for yaku that are not played there.
    #[must_use]
    pub const fn tenhou_id(self) -> Option<u8> {
        Some(match self {
            Self::MenzenTsumo => 0,
            Self::Riichi => 1,
            Self::Ippatsu => 2,
            Self::Chankan => 3,
            Self::Rinshan => 4,
            Self::Haitei => 5,
            Self::Houtei => 6,
            Self::Pinfu => 7,
            Self::Tanyao => 8,
            Self::Iipeikou => 9,
            Self::SeatEast => 10,
            Self::SeatSouth => 11,
            Self::SeatWest => 12,
            Self::SeatNorth => 13,
            Self::RoundEast => 14,
            Self::RoundSouth => 15,
            Self::RoundWest => 16,
            Self::RoundNorth => 17,
            Self::White => 18,
            Self::Green => 19,
            Self::Red => 20,
            Self::DoubleRiichi => 21,
            Self::SevenPairs => 22,
            Self::Chanta => 23,
            Self::Ittsu => 24,
            Self::SanshokuDoujun => 25,
            Self::SanshokuDoukou => 26,
            Self::Sankantsu => 27,
            Self::Toitoi => 28,
            Self::Sanankou => 29,
            Self::Shousangen => 30,
            Self::Honroutou => 31,
            Self::Ryanpeikou => 32,
            Self::Junchan => 33,
            Self::Honitsu => 34,
            Self::Chinitsu => 35,
            Self::Renhou | Self::RenhouYakuman => 36,
            Self::Tenhou => 37,
            Self::Chiihou => 38,
            Self::Daisangen => 39,
            Self::Suuankou => 40,
            Self::SuuankouTanki => 41,
            Self::Tsuuiisou => 42,
            Self::Ryuuiisou => 43,
            Self::Chinroutou => 44,
            Self::Chuuren => 45,
            Self::JunseiChuuren => 46,
            Self::Kokushi => 47,
            Self::KokushiThirteen => 48,
            Self::Daisuushii => 49,
            Self::Shousuushii => 50,
            Self::Suukantsu => 51,
            _ => return None,
        })
    }
}
