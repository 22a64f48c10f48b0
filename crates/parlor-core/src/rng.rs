//! Random numbers: seeds, streams and shuffles.
//!
//! A seed is three keys; a stream is the XOR of three ChaCha20 streams, so that 768 bits choose it and every order of
//! 136 tiles can occur. Streams are derived for each match, number of rewinds, purpose and deal, and the rules may
//! use one during one call: a state keeps what was drawn, never a stream. The bounded draw and the shuffle are our
//! own and frozen by vectors: an old log must give the same cards for ever.

use std::fmt;

use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// The secret from which all random numbers of a table come. `Debug` prints it as `…`.
#[derive(Clone, PartialEq, Eq)]
pub struct Seed([[u8; 32]; 3]);

impl Seed {
    /// A seed from 96 random bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 96]) -> Self {
        let mut keys = [[0; 32]; 3];
        for (key, part) in keys.iter_mut().zip(bytes.chunks_exact(32)) {
            key.copy_from_slice(part);
        }
        Self(keys)
    }

    /// A seed derived from a text: for tests, simulations and tables that are marked `seeded`.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        let mut bytes = [0; 96];
        let mut hasher = blake3::Hasher::new_derive_key("parlor 2026 seed from text");
        hasher.update(text.as_bytes());
        hasher.finalize_xof().fill(&mut bytes);
        Self::from_bytes(&bytes)
    }

    /// The seed written by [`Seed::to_hex`].
    #[must_use]
    pub fn from_hex(hex: &str) -> Option<Self> {
        let digits: Vec<u8> = hex.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
        let bytes: Vec<u8> = digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect();
        Some(Self::from_bytes(bytes.as_slice().try_into().ok()?))
    }

    /// All 192 hexadecimal digits. Only for the store and for publishing after the match.
    #[must_use]
    pub fn to_hex(&self) -> String {
        self.0.iter().flatten().map(|byte| format!("{byte:02x}")).collect()
    }

    /// What the server publishes before players may add nonces: it binds the server and reveals nothing.
    #[must_use]
    pub fn commitment(&self) -> String {
        let mut hasher = blake3::Hasher::new_derive_key("parlor 2026 commitment");
        for key in &self.0 {
            hasher.update(key);
        }
        hasher.finalize().to_hex().to_string()
    }

    /// The seed used in play: this seed combined with the players' nonces, in seat order. Without nonces it is
    /// unchanged.
    #[must_use]
    pub fn with_nonces(&self, nonces: &[String]) -> Self {
        if nonces.is_empty() {
            return self.clone();
        }
        Self(self.0.map(|key| {
            let mut hasher = blake3::Hasher::new_keyed(&key);
            for nonce in nonces {
                hasher.update(&(nonce.len() as u64).to_le_bytes());
                hasher.update(nonce.as_bytes());
            }
            hasher.finalize().into()
        }))
    }

    /// The seed of match number `match_no` at a table with this seed. Publishing it reveals nothing about the others.
    #[must_use]
    pub fn of_match(&self, match_no: u32) -> Self {
        Self(self.0.map(|key| {
            let mut hasher = blake3::Hasher::new_keyed(&key);
            hasher.update(b"parlor 2026 match");
            hasher.update(&match_no.to_le_bytes());
            hasher.finalize().into()
        }))
    }

    fn stream(&self, key: &StreamKey) -> Stream {
        let context = key.bytes();
        Stream(self.0.map(|key| ChaCha20Rng::from_seed(*blake3::keyed_hash(&key, &context).as_bytes())))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(…)")
    }
}

/// What random numbers are for: streams of different purposes are independent of each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The rules: deals, dice, shuffles.
    Rules,
    /// The shuffle, after an undo, of everything that no seat knows.
    Undo,
    /// The choices of a bot in this seat.
    Bot(u8),
    /// The assignment of players to seats.
    Seating,
    /// The salts of commitments to single things.
    Salts,
}

/// What a stream is derived from, together with the seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct StreamKey {
    match_no: u32,
    rewinds: u32,
    purpose: Purpose,
    deal: u32,
}

impl StreamKey {
    fn bytes(&self) -> [u8; 16] {
        let (purpose, of) = match self.purpose {
            Purpose::Rules => (0, 0),
            Purpose::Undo => (1, 0),
            Purpose::Bot(seat) => (2, seat),
            Purpose::Seating => (3, 0),
            Purpose::Salts => (4, 0),
        };
        let mut bytes = [0; 16];
        bytes[0..4].copy_from_slice(&self.match_no.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.rewinds.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.deal.to_le_bytes());
        bytes[12] = purpose;
        bytes[13] = of;
        bytes
    }
}

#[derive(Clone)]
struct Stream([ChaCha20Rng; 3]);

impl Stream {
    fn next(&mut self) -> u32 {
        self.0.iter_mut().fold(0, |word, part| word ^ part.next_u32())
    }
}

#[derive(Clone)]
enum Source {
    /// At a table: streams derived from the seed. Boxed, because a stream holds three blocks of key material.
    Seed { seed: Box<Seed>, stream: Option<Box<Stream>> },
    /// In a simulation: xoshiro256++, which is fast and not secure against an opponent.
    Fast([u64; 4]),
    /// On a replay: the words that were kept when they were first drawn, last one first.
    Kept(Vec<u32>),
}

/// Random numbers, passed to the rules for one call.
#[derive(Clone)]
pub struct Rng {
    source: Source,
    key: StreamKey,
    drew: bool,
    fuel: u64,
    kept: Option<Vec<u32>>,
}

/// The panic payload of rules that used up their budget. It is not an ordinary panic: nothing is printed.
pub(crate) struct OutOfFuel;

impl Rng {
    /// The random numbers of match number `match_no` at a table with this seed.
    #[must_use]
    pub fn new(seed: Seed, match_no: u32) -> Self {
        let key = StreamKey { match_no, rewinds: 0, purpose: Purpose::Rules, deal: 0 };
        Self {
            source: Source::Seed { seed: Box::new(seed), stream: None },
            key,
            drew: false,
            fuel: u64::MAX,
            kept: None,
        }
    }

    /// Fast random numbers for simulations.
    #[must_use]
    pub fn fast(seed: u64) -> Self {
        let mut state = seed;
        let mut split = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        let key = StreamKey { match_no: 0, rewinds: 0, purpose: Purpose::Rules, deal: 0 };
        Self {
            source: Source::Fast([split(), split(), split(), split()]),
            key,
            drew: false,
            fuel: u64::MAX,
            kept: None,
        }
    }

    /// Replays the words that [`Rng::kept`] returned: for rules that are restored by running them again.
    ///
    /// Drawing more than was kept panics: the rules that draw are not those that drew.
    #[must_use]
    pub fn again(mut words: Vec<u32>) -> Self {
        words.reverse();
        let key = StreamKey { match_no: 0, rewinds: 0, purpose: Purpose::Rules, deal: 0 };
        Self { source: Source::Kept(words), key, drew: false, fuel: u64::MAX, kept: None }
    }

    /// Keeps every word that is drawn from here on.
    pub fn keep(&mut self) {
        self.kept = Some(Vec::new());
    }

    /// The words drawn since [`Rng::keep`]; stops keeping them.
    pub fn kept(&mut self) -> Vec<u32> {
        self.kept.take().unwrap_or_default()
    }

    /// A separate stream for another purpose; drawing from it does not affect this one.
    #[must_use]
    pub fn for_purpose(&self, purpose: Purpose, deal: u32) -> Self {
        let source = match &self.source {
            Source::Seed { seed, .. } => Source::Seed { seed: seed.clone(), stream: None },
            other => other.clone(),
        };
        let key = StreamKey { purpose, deal, ..self.key };
        Self { source, key, drew: false, fuel: u64::MAX, kept: None }
    }

    /// Whether anybody checks commitments: not in a simulation.
    pub(crate) const fn has_salts(&self) -> bool {
        matches!(self.source, Source::Seed { .. })
    }

    /// The salts of a list of commitments; `None` in a simulation, where nobody checks them.
    pub(crate) fn salts(&self, list: u32) -> Option<Self> {
        if !self.has_salts() {
            return None;
        }
        // Salts do not depend on what was taken back: a commitment that was published still opens.
        let mut salts = self.for_purpose(Purpose::Salts, list);
        salts.key.rewinds = 0;
        Some(salts)
    }

    /// The next 16 random bytes.
    pub(crate) fn bytes(&mut self) -> [u8; 16] {
        let mut bytes = [0; 16];
        for part in bytes.chunks_exact_mut(4) {
            part.copy_from_slice(&self.word().to_le_bytes());
        }
        bytes
    }

    /// A uniformly distributed number below `n`.
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        assert!(n > 0, "nothing to choose from");
        let simulated = matches!(self.source, Source::Fast(_)) && self.kept.is_none();
        if simulated { bounded(n, || self.fast_word()) } else { bounded(n, || self.word()) }
    }

    /// Shuffles the items; every order has the same probability.
    #[inline]
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// Moves so many random items to the front, in random order, as the beginning of a shuffle from the front would: every
    /// choice and order of them has the same probability. The rest is in any order.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline]
    pub fn shuffle_front<T>(&mut self, items: &mut [T], count: usize) {
        if let (Source::Fast(state), None) = (&mut self.source, &self.kept) {
            let mut own = *state;
            shuffle_front(items, count, |n| bounded(n, || fast_word(&mut own)));
            *state = own;
        } else {
            shuffle_front(items, count, |n| self.below(n));
        }
    }

    /// A random item.
    ///
    /// # Panics
    /// If there is none.
    #[inline]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len() as u32) as usize]
    }

    /// A fair coin.
    pub fn flip_coin(&mut self) -> bool {
        self.below(2) == 0
    }

    /// A die with this many sides, from 1.
    pub fn roll_die(&mut self, sides: u32) -> u32 {
        self.below(sides) + 1
    }

    /// The next word of a simulation that keeps none.
    #[inline]
    fn fast_word(&mut self) -> u32 {
        match &mut self.source {
            Source::Fast(state) => fast_word(state),
            _ => 0,
        }
    }

    fn word(&mut self) -> u32 {
        let word = self.next_word();
        if let Some(kept) = &mut self.kept {
            kept.push(word);
        }
        word
    }

    fn next_word(&mut self) -> u32 {
        match &mut self.source {
            Source::Fast(state) => fast_word(state),
            Source::Seed { seed, stream } => {
                if self.fuel == 0 {
                    std::panic::resume_unwind(Box::new(OutOfFuel));
                }
                self.fuel -= 1;
                if stream.is_none() {
                    self.drew = true;
                    self.key.deal += u32::from(self.key.purpose == Purpose::Rules);
                    *stream = Some(Box::new(seed.stream(&self.key)));
                }
                stream.as_mut().map_or(0, |stream| stream.next())
            }
            Source::Kept(words) => words.pop().expect("other rules drew these words: there are no more"),
        }
    }

    /// Starts the next input: draws from here on belong to a new deal.
    pub(crate) fn start_input(&mut self, fuel: u64) {
        if let Source::Seed { stream, .. } = &mut self.source {
            *stream = None;
        }
        self.drew = false;
        self.fuel = fuel;
    }

    /// Whether anything was drawn since [`Rng::start_input`].
    pub(crate) fn drew(&self) -> bool {
        self.drew
    }

    pub(crate) fn set_rewinds(&mut self, rewinds: u32) {
        self.key.rewinds = rewinds;
    }
}

/// A uniformly distributed number below `n`, from words.
#[inline]
fn bounded(n: u32, mut word: impl FnMut() -> u32) -> u32 {
    // Multiply and take the high half; low halves under the threshold would favour some numbers, so draw again.
    // The threshold is below n: mostly there is no need to compute it.
    loop {
        let wide = u64::from(word()) * u64::from(n);
        let low = wide as u32;
        if low >= n || low >= n.wrapping_neg() % n {
            return (wide >> 32) as u32;
        }
    }
}

#[inline]
fn shuffle_front<T>(items: &mut [T], count: usize, mut below: impl FnMut(u32) -> u32) {
    assert!(count <= items.len(), "there are fewer items");
    let all = items.len() as u32;
    for at in 0..count {
        let other = at + below(all - at as u32) as usize;
        items.swap(at, other);
    }
}

#[inline]
const fn fast_word(s: &mut [u64; 4]) -> u32 {
    let result = (s[0].wrapping_add(s[3])).rotate_left(23).wrapping_add(s[0]);
    let t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = s[3].rotate_left(45);
    (result >> 32) as u32
}

impl fmt::Debug for Rng {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Luck(…)")
    }
}
