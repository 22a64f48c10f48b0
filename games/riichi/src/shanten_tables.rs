//! The tables behind [`shanten`](crate::shanten::shanten).
//!
//! What a suit has to offer is ten numbers: for 0 to 4 sets, without and with the pair, how many tiles it still needs.
//! There are few such lists ("offers"), so a suit's counts lead to the number of its offer, two offers lead to the
//! number of their joint offer, and two joint offers to the tiles that the whole hand needs. Made once per process, on
//! first use, in some 50 ms (release); about 600 kB of them are ever looked at.

use std::collections::BTreeMap;
use std::sync::OnceLock;

/// Tiles needed, by sets wanted (0..=4) without the pair, then by sets wanted with it.
type Offer = [u8; 10];

const NEVER: u8 = 99;
/// No suit holds more than a whole hand.
const SUIT_TILES_MAX: u8 = 14;
/// How many low and high halves of a key there are.
const LOWS: usize = 3125;
const HIGHS: usize = 625;
/// The ranks, counted from 0, whose counts are the digits of the low half of a key, and of the high half.
const LOW_RANKS: [usize; 5] = [0, 1, 2, 3, 8];
const HIGH_RANKS: [usize; 4] = [4, 5, 6, 7];
/// Room for the offers of a suit, of the honors and of two of these together: there are 126, 55 and 180.
const SUIT_OFFERS: usize = 128;
const HONOR_OFFERS: usize = 64;
const JOINT_OFFERS: usize = 256;

/// The tables. Those that are asked with a key or an offer of a suit have the size of a power of two, so that asking
/// needs no check.
pub(crate) struct Tables {
    /// By the low half: its place among the low halves, fewest tiles first.
    low_place: Box<[u16; 4096]>,
    /// By the high half: where its entries start. `high_start[high] + low_place[low]` numbers without a gap all keys of
    /// at most fourteen tiles, because those are, for each high half, the first so many low halves.
    high_start: Box<[u32; 1024]>,
    /// Offers of the suits by that number, and of the honors by `low + 625 * high`.
    suits: Box<[u8; 1 << 19]>,
    honors: Box<[u8; 1 << 17]>,
    /// Joint offer of man and pin, and of sou and the honors.
    man_pin: Box<[u8; SUIT_OFFERS * SUIT_OFFERS]>,
    sou_honors: Box<[u8; SUIT_OFFERS * HONOR_OFFERS]>,
    /// Tiles needed, by sets wanted and these two. The sets come first: hands of one size share a small part.
    needed: Box<[u8; 1 << 19]>,
}

/// The tables, made on first use.
#[inline]
pub(crate) fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(Tables::make)
}

impl Tables {
    /// How many tiles the hand with these keys needs for `sets` sets and a pair.
    #[inline]
    pub(crate) fn needed(&self, keys: &[u32; 4], sets: usize) -> u8 {
        let [man, pin, sou] = [keys[0], keys[1], keys[2]].map(|key| {
            let start = self.high_start[(key >> 16) as usize % 1024];
            let place = self.low_place[key as usize % 4096];
            usize::from(self.suits[(start as usize + usize::from(place)) % (1 << 19)]) % SUIT_OFFERS
        });
        let honors =
            self.honors[((keys[3] & 0xffff) as usize + HIGHS * (keys[3] >> 16) as usize) % (1 << 17)];
        let honors = usize::from(honors) % HONOR_OFFERS;
        let man_pin = usize::from(self.man_pin[man * SUIT_OFFERS + pin]);
        let sou_honors = usize::from(self.sou_honors[sou * HONOR_OFFERS + honors]);
        self.needed[((sets * JOINT_OFFERS + man_pin) * JOINT_OFFERS + sou_honors) % (1 << 19)]
    }

    fn make() -> Self {
        let space = SuitSpace::new();
        let mut suit_offers = Interned::default();
        let suits = space.offers(&mut suit_offers);
        let mut honor_offers = Interned::default();
        let honors = honors(&mut honor_offers);

        let mut joint = Interned::default();
        let mut man_pin = Box::new([0; SUIT_OFFERS * SUIT_OFFERS]);
        for (a, man) in suit_offers.list.iter().enumerate() {
            for (b, pin) in suit_offers.list.iter().enumerate() {
                man_pin[a * SUIT_OFFERS + b] = joint.number(&join(man, pin));
            }
        }
        let mut sou_honors = Box::new([0; SUIT_OFFERS * HONOR_OFFERS]);
        for (a, sou) in suit_offers.list.iter().enumerate() {
            for (b, honors) in honor_offers.list.iter().enumerate() {
                sou_honors[a * HONOR_OFFERS + b] = joint.number(&join(sou, honors));
            }
        }
        let mut needed = filled::<{ 1 << 19 }>(Vec::new());
        for (a, first) in joint.list.iter().enumerate() {
            for (b, second) in joint.list.iter().enumerate() {
                for (sets, tiles) in join(first, second)[5..].iter().enumerate() {
                    needed[(sets * JOINT_OFFERS + a) * JOINT_OFFERS + b] = *tiles;
                }
            }
        }
        let SuitSpace { low_place, high_start, .. } = space;
        Self {
            low_place,
            high_start,
            suits: filled(suits),
            honors: filled(honors),
            man_pin,
            sou_honors,
            needed,
        }
    }
}

/// The numbering of all counts that one suit can have.
struct SuitSpace {
    low_place: Box<[u16; 4096]>,
    high_start: Box<[u32; 1024]>,
    /// By half key: its digits, lowest first.
    digits: Vec<[u8; 5]>,
    /// By half key: the sum of its digits.
    tiles: Vec<u8>,
    len: usize,
}

impl SuitSpace {
    fn new() -> Self {
        let digits: Vec<[u8; 5]> = (0..LOWS).map(|key| POWERS.map(|power| (key / power % 5) as u8)).collect();
        let tiles: Vec<u8> = digits.iter().map(|digits| digits.iter().sum()).collect();
        let mut low: Vec<usize> = (0..LOWS).collect();
        low.sort_by_key(|&key| tiles[key]);
        let mut low_place = Box::new([0; 4096]);
        let mut with_at_most = [0_u32; 21];
        for (place, &key) in low.iter().enumerate() {
            low_place[key] = place as u16;
            (usize::from(tiles[key])..21).for_each(|tiles| with_at_most[tiles] += 1);
        }
        let mut high_start = Box::new([0; 1024]);
        let mut len = 0;
        for high in 0..HIGHS {
            high_start[high] = len;
            if let Some(left) = SUIT_TILES_MAX.checked_sub(tiles[high]) {
                len += with_at_most[usize::from(left)];
            }
        }
        Self { low_place, high_start, digits, tiles, len: len as usize }
    }

    fn place(&self, low: usize, high: usize) -> usize {
        self.high_start[high] as usize + usize::from(self.low_place[low])
    }

    /// The offer of every count. Going down from the complete shapes, each tile taken away is one more needed; going
    /// up again, a tile that fits nowhere costs nothing. A shape's tiles are at most fourteen, so both ways stay inside.
    fn offers(&self, interned: &mut Interned) -> Vec<u8> {
        let mut needs = vec![[NEVER; 10]; self.len];
        self.shapes(&mut [0; 9], 0, 0, &mut needs);
        for high in (0..HIGHS).rev() {
            for low in (0..LOWS).rev().filter(|&low| self.tiles[low] + self.tiles[high] < SUIT_TILES_MAX) {
                let mut best = needs[self.place(low, high)];
                for (digit, power) in POWERS.into_iter().enumerate() {
                    if self.digits[low][digit] < 4 {
                        lower(&mut best, &needs[self.place(low + power, high)], 1);
                    }
                    if digit < 4 && self.digits[high][digit] < 4 {
                        lower(&mut best, &needs[self.place(low, high + power)], 1);
                    }
                }
                needs[self.place(low, high)] = best;
            }
        }
        for high in 0..HIGHS {
            for low in (0..LOWS).filter(|&low| self.tiles[low] + self.tiles[high] <= SUIT_TILES_MAX) {
                let mut best = needs[self.place(low, high)];
                for (digit, power) in POWERS.into_iter().enumerate() {
                    if self.digits[low][digit] > 0 {
                        lower(&mut best, &needs[self.place(low - power, high)], 0);
                    }
                    if self.digits[high][digit] > 0 {
                        lower(&mut best, &needs[self.place(low, high - power)], 0);
                    }
                }
                needs[self.place(low, high)] = best;
            }
        }
        needs.iter().map(|offer| interned.number(offer)).collect()
    }

    /// Marks every complete shape: `sets` sets so far, further ones from set number `from` on, and the pair.
    fn shapes(&self, counts: &mut [u8; 9], sets: usize, from: usize, needs: &mut [Offer]) {
        self.mark(counts, sets, needs);
        for rank in 0..9 {
            counts[rank] += 2;
            if counts[rank] <= 4 {
                self.mark(counts, 5 + sets, needs);
            }
            counts[rank] -= 2;
        }
        if sets == 4 {
            return;
        }
        // Set numbers 0 to 8 are the triplets, 9 to 15 the runs.
        for set in from..16 {
            let (tiles, each) = if set < 9 { ([set; 3], 3) } else { ([set - 9, set - 8, set - 7], 1) };
            if tiles.iter().all(|&rank| counts[rank] + each <= 4) {
                tiles.iter().for_each(|&rank| counts[rank] += 1);
                self.shapes(counts, sets + 1, set, needs);
                tiles.iter().for_each(|&rank| counts[rank] -= 1);
            }
        }
    }

    fn mark(&self, counts: &[u8; 9], goal: usize, needs: &mut [Offer]) {
        let key =
            |ranks: &[usize]| ranks.iter().rev().fold(0, |key, &rank| key * 5 + usize::from(counts[rank]));
        needs[self.place(key(&LOW_RANKS), key(&HIGH_RANKS))][goal] = 0;
    }
}

/// The offers of the honors, by key: each kind offers a triplet or a pair for itself.
fn honors(interned: &mut Interned) -> Vec<u8> {
    let mut nothing = [NEVER; 10];
    nothing[0] = 0;
    let mut offers = vec![nothing];
    for _ in 0..7 {
        let one_more = (0..5_u8).flat_map(|count| {
            let mut kind = nothing;
            kind[1] = 3_u8.saturating_sub(count);
            kind[5] = 2_u8.saturating_sub(count);
            offers.iter().map(move |offer| join(offer, &kind))
        });
        offers = one_more.collect();
    }
    offers.iter().map(|offer| interned.number(offer)).collect()
}

/// A table with zeros up to its full size; what is never looked at costs no memory.
fn filled<const SIZE: usize>(mut entries: Vec<u8>) -> Box<[u8; SIZE]> {
    entries.resize(SIZE, 0);
    entries.into_boxed_slice().try_into().expect("it was made this long")
}

/// The place values of half a key.
const POWERS: [usize; 5] = [1, 5, 25, 125, 625];

#[inline]
fn lower(best: &mut Offer, other: &Offer, more: u8) {
    for (best, &other) in best.iter_mut().zip(other) {
        *best = (*best).min(other + more);
    }
}

/// Offers, each with a number.
#[derive(Default)]
struct Interned {
    list: Vec<Offer>,
    /// By the offer as one word, four bits for an entry: none that can be reached is above 14.
    numbers: BTreeMap<u64, u8>,
}

impl Interned {
    fn number(&mut self, offer: &Offer) -> u8 {
        let word = offer.iter().fold(0, |word, &tiles| word << 4 | u64::from(tiles.min(15)));
        *self.numbers.entry(word).or_insert_with(|| {
            self.list.push(*offer);
            u8::try_from(self.list.len() - 1).expect("there are fewer than 256 different offers")
        })
    }
}

/// What two lots of tiles offer together: the sets and the pair are shared out in the best way.
fn join(a: &Offer, b: &Offer) -> Offer {
    let mut joint = [NEVER; 10];
    for sets in 0..5 {
        for own in 0..=sets {
            let other = sets - own;
            joint[sets] = joint[sets].min(a[own] + b[other]);
            joint[5 + sets] = joint[5 + sets].min(a[5 + own] + b[other]).min(a[own] + b[5 + other]);
        }
    }
    joint
}
