//! The tables behind [`shanten`](crate::shanten::shanten).
//!
//! What a suit has to offer is ten numbers: for 0 to 4 sets, without and with the pair, how many tiles it still needs.
//! There are few such lists ("offers"), so a suit's counts lead to the number of its offer, two offers lead to the
//! number of their joint offer, and four of them to the tiles that the whole hand needs. Made once per process, on
//! first use, in some 20 ms (release); about 550 kB stay.

use std::collections::HashMap;
use std::sync::OnceLock;

/// Tiles needed, by sets wanted (0..=4) without the pair, then by sets wanted with it.
type Offer = [u8; 10];

const NEVER: u8 = 99;
/// No suit holds more than a whole hand.
const SUIT_TILES_MAX: u8 = 14;
const LOW: usize = 3125;

/// The tables.
pub(crate) struct Tables {
    /// By the low key: its place among the low keys, fewest tiles first.
    low_place: Vec<u16>,
    /// By the high key: where its entries start. `high_start[high] + low_place[low]` numbers without a gap all pairs
    /// that hold at most fourteen tiles, because those are, for each high key, the first so many low keys.
    high_start: [Vec<u32>; 2],
    /// Offers of the suits, and of the honors.
    offers: [Vec<u8>; 2],
    /// Joint offer of two suits, then of three.
    two: Vec<u8>,
    three: Vec<u8>,
    /// Tiles needed, by joint offer of three suits, offer of the honors, sets wanted.
    needed: Vec<u8>,
    suit_offers: usize,
    honor_offers: usize,
}

/// The tables, made on first use.
pub(crate) fn tables() -> &'static Tables {
    static TABLES: OnceLock<Tables> = OnceLock::new();
    TABLES.get_or_init(Tables::make)
}

impl Tables {
    /// How many tiles the hand with these keys needs for `sets` sets and a pair.
    #[inline]
    pub(crate) fn needed(&self, keys: &[u32; 4], sets: usize) -> u8 {
        let man = self.offer(0, keys[0]);
        let pin = self.offer(0, keys[1]);
        let sou = self.offer(0, keys[2]);
        let honors = self.offer(1, keys[3]);
        let two = usize::from(self.two[man * self.suit_offers + pin]);
        let three = usize::from(self.three[two * self.suit_offers + sou]);
        self.needed[(three * self.honor_offers + honors) * 5 + sets]
    }

    #[inline]
    fn offer(&self, table: usize, key: u32) -> usize {
        let start = self.high_start[table][(key >> 16) as usize];
        let place = self.low_place[(key & 0xffff) as usize];
        usize::from(self.offers[table][start as usize + usize::from(place)])
    }

    fn make() -> Self {
        let mut low: Vec<usize> = (0..LOW).collect();
        low.sort_by_key(|&key| digit_sum(key));
        let mut low_place = vec![0; LOW];
        for (place, &key) in low.iter().enumerate() {
            low_place[key] = place as u16;
        }
        let suit = SuitSpace::new(9, &low_place);
        let honor = SuitSpace::new(7, &low_place);

        let mut suit_offers = Interned::default();
        let suits = suit.offers(true, &mut suit_offers);
        let mut honor_offers = Interned::default();
        let honors = honor.offers(false, &mut honor_offers);

        let mut joint = Interned::default();
        let two = join_all(&suit_offers.list, &suit_offers.list, &mut joint);
        let mut joint_three = Interned::default();
        let three = join_all(&joint.list, &suit_offers.list, &mut joint_three);
        let mut needed = Vec::new();
        for three in &joint_three.list {
            for honors in &honor_offers.list {
                needed.extend_from_slice(&join(three, honors)[5..]);
            }
        }
        Self {
            high_start: [suit.high_start, honor.high_start],
            low_place,
            offers: [suits, honors],
            two,
            three,
            needed,
            suit_offers: suit_offers.list.len(),
            honor_offers: honor_offers.list.len(),
        }
    }
}

/// The numbering of all counts that one suit can have.
struct SuitSpace<'a> {
    ranks: usize,
    low_place: &'a [u16],
    high_start: Vec<u32>,
    len: usize,
}

impl<'a> SuitSpace<'a> {
    fn new(ranks: usize, low_place: &'a [u16]) -> Self {
        let mut with_at_most = [0_u32; 21];
        for key in 0..LOW {
            (usize::from(digit_sum(key))..21).for_each(|tiles| with_at_most[tiles] += 1);
        }
        let mut high_start = Vec::new();
        let mut len = 0;
        for high in 0..5_usize.pow(ranks as u32 - 5) {
            high_start.push(len);
            if let Some(left) = SUIT_TILES_MAX.checked_sub(digit_sum(high)) {
                len += with_at_most[usize::from(left)];
            }
        }
        Self { ranks, low_place, high_start, len: len as usize }
    }

    fn place(&self, low: usize, high: usize) -> usize {
        self.high_start[high] as usize + usize::from(self.low_place[low])
    }

    /// The offer of every count. Going down from the complete shapes, each tile taken away is one more needed; going
    /// up again, a tile that fits nowhere costs nothing. A shape's tiles are at most fourteen, so both ways stay inside.
    fn offers(&self, runs: bool, interned: &mut Interned) -> Vec<u8> {
        let mut needs = vec![[NEVER; 10]; self.len];
        let mut counts = [0; 9];
        self.shapes(&mut counts, 0, 0, runs, &mut needs);
        let highs = self.high_start.len();
        let inside = |low: usize, high: usize| digit_sum(low) + digit_sum(high) <= SUIT_TILES_MAX;
        for high in (0..highs).rev() {
            for low in (0..LOW).rev().filter(|&low| digit_sum(low) + digit_sum(high) < SUIT_TILES_MAX) {
                let mut best = needs[self.place(low, high)];
                for power in powers(5) {
                    if low / power % 5 < 4 {
                        lower(&mut best, &needs[self.place(low + power, high)], 1);
                    }
                }
                for power in powers(self.ranks - 5) {
                    if high / power % 5 < 4 {
                        lower(&mut best, &needs[self.place(low, high + power)], 1);
                    }
                }
                needs[self.place(low, high)] = best;
            }
        }
        for high in 0..highs {
            for low in (0..LOW).filter(|&low| inside(low, high)) {
                let mut best = needs[self.place(low, high)];
                for power in powers(5) {
                    if low / power % 5 > 0 {
                        lower(&mut best, &needs[self.place(low - power, high)], 0);
                    }
                }
                for power in powers(self.ranks - 5) {
                    if high / power % 5 > 0 {
                        lower(&mut best, &needs[self.place(low, high - power)], 0);
                    }
                }
                needs[self.place(low, high)] = best;
            }
        }
        needs.iter().map(|offer| interned.number(offer)).collect()
    }

    /// Marks every complete shape: `sets` sets so far, further ones from set number `from` on, and the pair.
    fn shapes(&self, counts: &mut [u8; 9], sets: usize, from: usize, runs: bool, needs: &mut [Offer]) {
        self.mark(counts, sets, needs);
        for rank in 0..self.ranks {
            counts[rank] += 2;
            if counts[rank] <= 4 {
                self.mark(counts, 5 + sets, needs);
            }
            counts[rank] -= 2;
        }
        if sets == 4 {
            return;
        }
        for set in from..if runs { 16 } else { self.ranks } {
            let (tiles, step) = if set < 9 { ([set; 3], 3) } else { ([set - 9, set - 8, set - 7], 1) };
            let fits = tiles.iter().all(|&rank| counts[rank] + step <= 4);
            if fits {
                tiles.iter().for_each(|&rank| counts[rank] += 1);
                self.shapes(counts, sets + 1, set, runs, needs);
                tiles.iter().for_each(|&rank| counts[rank] -= 1);
            }
        }
    }

    fn mark(&self, counts: &[u8; 9], goal: usize, needs: &mut [Offer]) {
        let key = |counts: &[u8]| counts.iter().rev().fold(0, |key, &count| key * 5 + usize::from(count));
        let (low, high) = counts[..self.ranks].split_at(5);
        needs[self.place(key(low), key(high))][goal] = 0;
    }
}

/// The place values of a base-five key.
fn powers(digits: usize) -> impl Iterator<Item = usize> {
    [1, 5, 25, 125, 625].into_iter().take(digits)
}

#[inline]
fn lower(best: &mut Offer, other: &Offer, more: u8) {
    for (best, &other) in best.iter_mut().zip(other) {
        *best = (*best).min(other + more);
    }
}

fn digit_sum(key: usize) -> u8 {
    powers(5).map(|power| (key / power % 5) as u8).sum()
}

/// Offers, each with a number.
#[derive(Default)]
struct Interned {
    list: Vec<Offer>,
    numbers: HashMap<Offer, u8>,
}

impl Interned {
    fn number(&mut self, offer: &Offer) -> u8 {
        *self.numbers.entry(*offer).or_insert_with(|| {
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

fn join_all(a: &[Offer], b: &[Offer], joint: &mut Interned) -> Vec<u8> {
    a.iter().flat_map(|a| b.iter().map(move |b| join(a, b))).map(|offer| joint.number(&offer)).collect()
}
