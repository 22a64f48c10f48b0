//! Random hands and wins, the same in every run.

use parlor_riichi::meld::{Meld, MeldKind};
use parlor_riichi::tile::{Tile, Wind};
use parlor_riichi::win::{Claim, Flags};

/// How many random hands a property sees: `PARLOR_SOAK_HANDS`, else as many as a test run has time for.
pub(crate) fn hands_wanted() -> usize {
    match std::env::var("PARLOR_SOAK_HANDS") {
        Ok(text) => text.parse().expect("PARLOR_SOAK_HANDS is a number"),
        Err(_) => 20_000,
    }
}

/// The luck of one property: the same in every run, unless `PARLOR_SOAK_SEED` asks for other hands.
pub(crate) fn rng(property: u64) -> Random {
    let seed: u64 = match std::env::var("PARLOR_SOAK_SEED") {
        Ok(text) => text.parse().expect("PARLOR_SOAK_SEED is a number"),
        Err(_) => 0,
    };
    Random(Random(seed).next().wrapping_add(property))
}

/// SplitMix64: good enough to pick tiles, and the same everywhere.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub(crate) fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// Kinds to draw a hand from; narrow pools make the rare hands common.
fn pool(random: &mut Random) -> Vec<usize> {
    let suit = 9 * random.below(3);
    let orphans = [0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33];
    match random.below(12) {
        0..=3 => (0..34).collect(),
        4 | 5 => (suit..suit + 9).collect(),
        6 => (suit..suit + 9).chain(27..34).collect(),
        7 => orphans.to_vec(),
        8 => (27..34).chain(orphans).collect(),
        9 => vec![19, 20, 21, 23, 25, 32],
        10 => (27..34).chain(0..3).collect(),
        _ => (0..34).filter(|kind| kind % 9 < 5).collect(),
    }
}

/// Counts of a random hand of so many tiles, between hopeless and complete.
pub(crate) fn counts(random: &mut Random, tiles: usize) -> [u8; 34] {
    let mut counts = [0_u8; 34];
    let pool = pool(random);
    let mut held = 0;
    // Some whole sets first, so that hands near tenpai are not rare.
    for _ in 0..random.below(tiles / 3 + 1) {
        let set = set(random, &pool);
        if held + 3 <= tiles && set.iter().all(|&kind| counts[kind] <= 1) {
            set.iter().for_each(|&kind| counts[kind] += 1);
            held += 3;
        }
    }
    while held < tiles {
        let kind = if random.chance(80) { random.pick(&pool) } else { random.below(34) };
        if counts[kind] < 4 {
            counts[kind] += 1;
            held += 1;
        }
    }
    counts
}

/// A set with its first kind in the pool.
fn set(random: &mut Random, pool: &[usize]) -> [usize; 3] {
    let first = random.pick(pool);
    if first < 27 && first % 9 < 7 && random.chance(60) { [first, first + 1, first + 2] } else { [first; 3] }
}

/// A win that may well have happened.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) hand: Vec<Tile>,
    pub(crate) melds: Vec<Meld>,
    pub(crate) win: Tile,
    pub(crate) dora: Vec<Tile>,
    pub(crate) ura: Vec<Tile>,
    pub(crate) seat_wind: Wind,
    pub(crate) round_wind: Wind,
    pub(crate) flags: Flags,
}

impl Case {
    pub(crate) fn claim(&self) -> Claim<'_> {
        Claim {
            hand: &self.hand,
            melds: &self.melds,
            win: self.win,
            dora: &self.dora,
            ura: &self.ura,
            seat_wind: self.seat_wind,
            round_wind: self.round_wind,
            flags: self.flags,
        }
    }
}

/// The tiles of the box, dealt out by kind.
struct TileBox([Vec<u8>; 34]);

impl TileBox {
    fn new(random: &mut Random) -> Self {
        Self(std::array::from_fn(|kind| {
            let mut ids: Vec<u8> = (kind as u8 * 4..kind as u8 * 4 + 4).collect();
            random.shuffle(&mut ids);
            ids
        }))
    }

    fn take(&mut self, kind: usize) -> Option<Tile> {
        self.0[kind].pop().and_then(Tile::new)
    }
}

/// A random win. Complete, but for one in fifty, where a tile is swapped for another.
pub(crate) fn win(random: &mut Random) -> Case {
    loop {
        if let Some(case) = try_win(random) {
            return case;
        }
    }
}

fn try_win(random: &mut Random) -> Option<Case> {
    let mut tiles = TileBox::new(random);
    let (mut hand, mut melds) = (Vec::new(), Vec::new());
    match random.below(25) {
        0 | 1 => {
            let pool = pool(random);
            for _ in 0..7 {
                let kind = random.pick(&pool);
                hand.extend([tiles.take(kind)?, tiles.take(kind)?]);
            }
        }
        2 => {
            let orphans = [0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33];
            hand = orphans.into_iter().filter_map(|kind| tiles.take(kind)).collect();
            hand.extend(tiles.take(random.pick(&orphans)));
        }
        3 => {
            let suit = 9 * random.below(3);
            let extra = random.below(9);
            for rank in [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8, extra] {
                hand.push(tiles.take(suit + rank)?);
            }
        }
        _ => (hand, melds) = sets_and_pair(random, &mut tiles)?,
    }
    let win = random.pick(&hand);
    if random.chance(2) {
        let other = (0..hand.len()).find(|&i| hand[i] != win)?;
        hand[other] = tiles.take(random.below(34))?;
    }
    let seat_wind = Wind::new(random.below(4) as u8)?;
    let round_wind = Wind::new(random.below(4) as u8)?;
    let flags = flags(random, seat_wind, &hand, &melds, win);
    let indicators = 1 + melds.iter().filter(|meld| meld.kind().is_kan()).count();
    let draw = |random: &mut Random, tiles: &mut TileBox| tiles.take(random.below(34));
    let dora: Vec<Tile> = (0..indicators).filter_map(|_| draw(random, &mut tiles)).collect();
    let riichi = flags.has(Flags::RIICHI) || flags.has(Flags::DOUBLE_RIICHI);
    let ura =
        if riichi { (0..dora.len()).filter_map(|_| draw(random, &mut tiles)).collect() } else { Vec::new() };
    Some(Case { hand, melds, win, dora, ura, seat_wind, round_wind, flags })
}

fn sets_and_pair(random: &mut Random, tiles: &mut TileBox) -> Option<(Vec<Tile>, Vec<Meld>)> {
    let (mut hand, mut melds) = (Vec::new(), Vec::new());
    let pool = pool(random);
    let open_percent = random.pick(&[0, 0, 30, 60, 90]);
    let kan_percent = random.pick(&[0, 0, 20, 90]);
    let mut before = set(random, &pool);
    for _ in 0..4 {
        // Sets that resemble each other: the same again, or the same in the next suit.
        let kinds = match random.below(6) {
            0 => before,
            1 if before[2] < 27 => before.map(|kind| (kind + 9) % 27),
            _ => set(random, &pool),
        };
        before = kinds;
        let mut set = Vec::new();
        for kind in kinds {
            set.push(tiles.take(kind)?);
        }
        let triplet = kinds[0] == kinds[1];
        if triplet
            && random.chance(kan_percent)
            && let Some(fourth) = tiles.take(kinds[0])
        {
            set.push(fourth);
            let open = [MeldKind::Ankan, MeldKind::Daiminkan, MeldKind::Kakan];
            let kind = if open_percent == 0 { MeldKind::Ankan } else { random.pick(&open) };
            melds.push(Meld::new(kind, &set).ok()?);
            continue;
        }
        if random.chance(open_percent) {
            melds.push(Meld::new(if triplet { MeldKind::Pon } else { MeldKind::Chi }, &set).ok()?);
        } else {
            hand.extend(set);
        }
    }
    let pair = random.pick(&pool);
    hand.extend([tiles.take(pair)?, tiles.take(pair)?]);
    Some((hand, melds))
}

fn flags(random: &mut Random, seat: Wind, hand: &[Tile], melds: &[Meld], win: Tile) -> Flags {
    let tsumo = random.chance(50);
    let dealer = seat == Wind::East;
    let mut flags = if tsumo { Flags::TSUMO } else { Flags::NONE };
    let mut add = |is_so: bool, flag: Flags| flags = if is_so { flags.with(flag) } else { flags };
    if dealer && random.chance(2) {
        add(true, Flags::PAARENCHAN);
    }
    if melds.is_empty() && random.chance(4) && (tsumo || !dealer) {
        add(
            true,
            if !tsumo {
                Flags::RENHOU
            } else if dealer {
                Flags::TENHOU
            } else {
                Flags::CHIIHOU
            },
        );
        return flags;
    }
    let kan = melds.iter().any(|meld| meld.kind().is_kan());
    let rinshan = tsumo && kan && random.chance(25);
    if melds.iter().all(|meld| !meld.kind().is_open()) && random.chance(50) {
        add(true, if random.chance(10) { Flags::DOUBLE_RIICHI } else { Flags::RIICHI });
        add(random.chance(25) && !rinshan, Flags::IPPATSU);
        add(random.chance(5), Flags::OPEN_RIICHI);
    }
    add(rinshan, Flags::RINSHAN);
    add(tsumo && !rinshan && random.chance(5), Flags::HAITEI);
    let held = hand.iter().filter(|tile| tile.kind() == win.kind()).count();
    let melded = melds.iter().any(|meld| meld.tiles().iter().any(|tile| tile.kind() == win.kind()));
    match random.below(20) {
        0 => add(!tsumo, Flags::HOUTEI),
        1 => add(!tsumo && held == 1 && !melded, Flags::CHANKAN),
        _ => {}
    }
    flags
}
