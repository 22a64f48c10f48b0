//! Figures per CPU second of one thread: random hands, replay of PHH, ranking beside `aya_poker`,
//!
//! and the live table, statistics and bots.
//!
//! `cargo bench -p parlor-poker`; a part alone: `cargo bench -p parlor-poker -- rank`.

use std::hint::black_box;
use std::path::{Path, PathBuf};

use parlor_poker::notation::{Record, phh};
use parlor_poker::rank::Pile;
use parlor_poker::replay::Replay;
use parlor_poker::stats::Stats;
use parlor_poker::table::{Answer, Bot, Event, Order, Settings, Table, Timer};
use parlor_poker::{
    Card, CardSet, Hand, HandKind, Interpretation, Legal, Phase, Reveal, Rng, Setup, Variant,
};
use parlor_testkit::cpu::Stopwatch;

/// Seconds of CPU time spent on each figure.
const SECONDS: f64 = 2.0;

struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: u64) -> usize {
        (((self.next() >> 32) * n) >> 32) as usize
    }
}

/// A deck shuffled as far as it is dealt.
struct Deck {
    cards: [Card; 52],
    dealt: usize,
    random: Random,
}

impl Deck {
    fn new(seed: u64) -> Self {
        Self { cards: std::array::from_fn(|i| Card::at(i as u8)), dealt: 0, random: Random(seed) }
    }
}

impl Rng for Deck {
    fn draw(&mut self, _from: CardSet) -> Card {
        let other = self.dealt + self.random.below(52 - self.dealt as u64);
        self.cards.swap(self.dealt, other);
        self.dealt += 1;
        self.cards[self.dealt - 1]
    }
}

/// One hand, moves uniform over fold, call, minimum raise and all-in as far as they are legal; returns the moves made.
fn random_hand(setup: &Setup, deck: &mut Deck) -> (Hand, u32) {
    let mut hand = Hand::start(setup).expect("the setup is right");
    deck.dealt = 0;
    let mut moves = 0;
    loop {
        match hand.phase() {
            Phase::Deal => hand.deal(deck),
            Phase::Over => return (hand, moves),
            _ => {
                let Legal::Bet(choices) = hand.legal() else { unreachable!("hold'em asks for bets only") };
                let mv = match (deck.random.below(if choices.raise.is_some() { 4 } else { 2 }), choices.raise)
                {
                    (0, _) => choices.to_fold(),
                    (2, Some((least, _))) => choices.to_raise(least),
                    (3, Some((_, most))) => choices.to_raise(most),
                    _ => choices.to_call(),
                };
                let mv = mv.expect("a legal move");
                hand.apply(mv);
                moves += 1;
            }
        }
    }
}

fn random_hands() {
    let mut setup = Setup::simple(Variant::NoLimitHoldem, 6, 100, 10_000);
    setup.reveal = Reveal::Auto;
    let mut deck = Deck::new(42);
    let (mut hands, mut moves, mut shown) = (0u64, 0u64, 0u64);
    let watch = Stopwatch::start();
    while watch.cpu_seconds() < SECONDS {
        for _ in 0..10_000 {
            let (hand, made) = random_hand(&setup, &mut deck);
            moves += u64::from(made);
            shown += u64::from(hand.live().len() > 1);
            black_box(&hand);
        }
        hands += 10_000;
    }
    let rate = hands as f64 / watch.cpu_seconds();
    println!("random 6-max no-limit hands   {rate:>12.0} per CPU second  (must 500000, aim 1000000)");
    println!("  actions per hand            {:>12.2}", moves as f64 / hands as f64);
    println!("  hands shown down            {:>11.1}%", 100.0 * shown as f64 / hands as f64);
}

/// A six-max table whose players buy in again when they are short.
fn six_max() -> (Table, Deck) {
    let settings = Settings {
        seat_count: 6,
        small_blind: 50,
        big_blind: 100,
        buy_in_min: 10_000,
        buy_in_max: 10_000,
        rebuy_ms: 1,
        ..Settings::document()
    };
    let mut table = Table::start(settings).expect("the settings are right");
    let mut deck = Deck::new(42);
    for seat in 0..6 {
        let sit = Order::Sit { seat, player: seat as u64, chips: 10_000, owned: 10_000 };
        let mv = table.check_order(sit).expect("a free seat");
        table.apply(mv, &mut deck, &mut |_| {});
    }
    (table, deck)
}

/// Deals the next hand, after stacks below twenty big blinds were filled up.
fn next_hand(table: &mut Table, deck: &mut Deck, out: &mut impl FnMut(Event)) {
    for seat in 0..6 {
        let chips = 10_000 - table.stack(seat);
        if chips > 8_000 {
            let mv = table.check(seat, &Answer::TopUp { chips }).expect("room for chips");
            table.apply(mv, deck, out);
        }
    }
    deck.dealt = 0;
    let mv = table.check_order(Order::Elapsed(Timer::NextHand)).expect("no hand runs");
    table.apply(mv, deck, out);
}

/// Random play through the live table: answers checked, events told.
fn random_table() {
    let (mut table, mut deck) = six_max();
    let mut events = 0u64;
    let (mut hands, mut moves) = (0u64, 0u64);
    let mut out = |event: Event| {
        black_box(&event);
        events += 1;
    };
    let watch = Stopwatch::start();
    while watch.cpu_seconds() < SECONDS {
        for _ in 0..10_000 {
            next_hand(&mut table, &mut deck, &mut out);
            while let Some(seat) = table.turn() {
                let choices = table.legal(seat).bet.expect("hold'em asks for bets only");
                let any = deck.random.below(if choices.raise.is_some() { 4 } else { 2 });
                let answer = match (any, choices.raise) {
                    (0, _) => Answer::Fold,
                    (2, Some((least, _))) => Answer::Raise { to: least },
                    (3, Some((_, most))) => Answer::Raise { to: most },
                    _ => Answer::Call,
                };
                let mv = table.check(seat, &answer).expect("a legal answer");
                table.apply(mv, &mut deck, &mut out);
                moves += 1;
            }
        }
        hands += 10_000;
    }
    let rate = hands as f64 / watch.cpu_seconds();
    println!("random 6-max live table       {rate:>12.0} per CPU second  (must 400000, aim 1000000)");
    println!("  answers per hand            {:>12.2}", moves as f64 / hands as f64);
    println!("  events per hand             {:>12.2}", events as f64 / hands as f64);
}

/// Random hands of the served table, as `parlor sim poker` plays them.
fn served() {
    let settings = parlor_core::Json::Null;
    let job = parlor_core::sim::Job { settings, seats: 6, seed: 1, bots: false };
    let (def, mut tables, mut hands) = (<parlor_poker::Poker as parlor_core::Game>::def(), 0, 0);
    let watch = Stopwatch::start();
    while watch.cpu_seconds() < SECONDS {
        let tally = def.sim(&job, tables, tables + 100).expect("the settings are right");
        black_box(tally.digest);
        tables += 100;
        hands += tally.results.reasons.get("hand over").copied().unwrap_or(0);
    }
    let rate = hands as f64 / watch.cpu_seconds();
    println!("random 6-max served table     {rate:>12.0} per CPU second  (must 400000, aim 1000000)");
}

/// One tight bot among five others.
fn bots(others: Bot) {
    let (mut table, mut deck) = six_max();
    let (mut hands, mut decisions) = (0u32, 0u64);
    let (mut sum, mut squares, mut spent) = (0.0, 0.0, 0.0);
    let watch = Stopwatch::start();
    while watch.cpu_seconds() < SECONDS * 5.0 {
        let mut none = |_: Event| {};
        next_hand(&mut table, &mut deck, &mut none);
        let bets = table.hand().zip(table.place(0)).map_or(0, |(hand, place)| hand.bets()[place]);
        let before = table.stack(0) + bets;
        while let Some(seat) = table.turn() {
            let sight = table.sight(seat).expect("it is its turn");
            let answer = if seat == 0 {
                let at = watch.cpu_seconds();
                // The bot's luck is its own: the deck must not notice.
                let answer = Bot::Tight.decide(&sight, &mut Draws(&mut deck.random));
                spent += watch.cpu_seconds() - at;
                decisions += 1;
                answer
            } else {
                others.decide(&sight, &mut Draws(&mut deck.random))
            };
            let mv = table.check(seat, &answer).expect("a legal answer");
            table.apply(mv, &mut deck, &mut none);
        }
        let won = (table.stack(0) - before) as f64 / 100.0;
        sum += won;
        squares += won * won;
        hands += 1;
    }
    let n = f64::from(hands);
    let mean = sum / n;
    let error = ((squares / n - mean * mean) / n).sqrt();
    println!(
        "tight among {others:?}: {:.0} ± {:.0} bb/100 in {hands} hands, {:.0} µs per decision (must 300)",
        mean * 100.0,
        error * 100.0,
        1e6 * spent / decisions as f64
    );
}

/// Any card of those asked for.
struct Draws<'a>(&'a mut Random);

impl Rng for Draws<'_> {
    fn draw(&mut self, from: CardSet) -> Card {
        let skip = self.0.below(from.len() as u64);
        from.nth(skip).expect("the set is not empty")
    }
}

fn statistics(texts: &[String]) {
    let (mut stats, mut hands) = (Stats::default(), 0u64);
    let watch = Stopwatch::start();
    while watch.cpu_seconds() < SECONDS {
        for text in texts {
            let counted = phh::read_each(text, |_, record| {
                black_box(stats.count(&record.expect("a hand")).is_ok());
                hands += 1;
                Ok(())
            });
            counted.expect("a hand file");
        }
    }
    let rate = hands as f64 / watch.cpu_seconds();
    println!("stats from text, synthetic    {rate:>12.0} per CPU second  (must 100000)");
}

fn texts(folder: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.iter().filter_map(|path| std::fs::read_to_string(path).ok()).collect()
}

fn replay(name: &str, texts: &[String]) {
    let records: Vec<Record> = texts
        .iter()
        .flat_map(|text| phh::read(text).expect("a hand file"))
        .map(|(_, record)| record)
        .collect();
    let playable: Vec<&Record> = records
        .iter()
        .filter(|r| Replay::start(r, Interpretation::House).and_then(Replay::finish).is_ok())
        .collect();
    let mut hands = 0;
    let watch = Stopwatch::start();
    while watch.cpu_seconds() < SECONDS {
        for record in &playable {
            let hand = Replay::start(record, Interpretation::House).and_then(Replay::finish);
            black_box(hand.expect("played before"));
        }
        hands += playable.len();
    }
    let rate = hands as f64 / watch.cpu_seconds();
    println!("replay from parsed, {name:<10}{rate:>12.0} per CPU second  (must 200000)");

    let mut hands = 0;
    let bytes: usize = texts.iter().map(String::len).sum();
    let watch = Stopwatch::start();
    while watch.cpu_seconds() < SECONDS {
        for text in texts {
            for (_, record) in phh::read(text).expect("a hand file") {
                black_box(Replay::start(&record, Interpretation::House).and_then(Replay::finish).is_ok());
                hands += 1;
            }
        }
    }
    let rate = hands as f64 / watch.cpu_seconds();
    println!(
        "replay from text,   {name:<10}{rate:>12.0} per CPU second  (must 30000; {} bytes a hand)",
        bytes / records.len()
    );
}

fn ranking() {
    let mut random = Random(7);
    let hands: Vec<[Card; 7]> = (0..1 << 16)
        .map(|_| {
            let mut cards: [u8; 52] = std::array::from_fn(|i| i as u8);
            (0..7).for_each(|i| cards.swap(i, i + random.below(52 - i as u64)));
            std::array::from_fn(|i| Card::at(cards[i]))
        })
        .collect();
    let ours = |hand: &[Card; 7]| {
        let mut pile = Pile::new();
        hand.iter().for_each(|&card| pile.add(card));
        pile.strength(HandKind::High)
    };
    let theirs = |hand: &[Card; 7]| {
        let mut cards = aya_poker::base::Hand::new();
        hand.iter().for_each(|&card| cards.insert_unchecked(&aya_poker::base::CARDS[card.index() as usize]));
        aya_poker::poker_rank(&cards).0
    };
    assert!(hands.iter().all(|hand| ours(hand) == theirs(hand)));
    // In turns, so that a change of clock speed meets both alike; the best round of each counts.
    let mut best = [0.0f64; 2];
    for _ in 0..40 {
        best[0] = best[0].max(rate(&hands, ours));
        best[1] = best[1].max(rate(&hands, theirs));
    }
    println!("7-card ranking                {:>12.0} per CPU second", best[0]);
    println!("  aya_poker in the same run   {:>12.0}  ratio {:.3} (must 0.95)", best[1], best[0] / best[1]);
}

fn rate(hands: &[[Card; 7]], rank: impl Fn(&[Card; 7]) -> u16) -> f64 {
    let watch = Stopwatch::start();
    for _ in 0..64 {
        for hand in hands {
            black_box(rank(black_box(hand)));
        }
    }
    (64 * hands.len()) as f64 / watch.cpu_seconds()
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let runs = |part: &str| wanted.is_empty() || wanted.iter().any(|want| part.contains(want.as_str()));
    if runs("random") {
        random_hands();
    }
    if runs("table") {
        random_table();
    }
    if runs("served") {
        served();
    }
    if runs("stats") {
        statistics(&texts(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/synthetic")));
    }
    if runs("bots") {
        bots(Bot::Call);
        bots(Bot::Random);
    }
    if runs("replay") {
        let crate_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
        replay("synthetic", &texts(&crate_folder.join("tests/data/synthetic")));
        let shared = std::env::var_os("PARLOR_DATA_DIR")
            .map_or_else(|| crate_folder.join("../../../shared/data"), PathBuf::from);
        let pluribus = texts(&shared.join("poker/corpus/pluribus"));
        if pluribus.is_empty() {
            println!("SKIPPED: replay of real hands, {} is not there", shared.display());
        } else {
            replay("pluribus", &pluribus);
        }
    }
    if runs("rank") {
        ranking();
    }
}
