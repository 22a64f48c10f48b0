//! Random rounds of ours, for other engines to play again: `rounds ENGINE COUNT [SEED]` prints one JSON line per round.
//!
//! A round has random settings among those that the engine knows, a random standing, a wall that is often stacked so that
//! rare hands are not rare, and players between wise and wild. A line has settings, standing, wall, what was done, and what
//! came of it; `majiang.mjs` and `riichienv_rounds.py` play it and compare.

use std::io::{self, BufWriter, Write};

use parlor_riichi::pay::Seat;
use parlor_riichi::shanten::shanten;
use parlor_riichi::table::{
    Action, Bot, Event, Phase, RoundResult, Settings, Standing, Table, Viewer, Wall, WinResult,
};
use parlor_riichi::tile::Tile;
use serde_json::{Value, json};

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last + 1));
        }
    }
}

/// What an engine plays when nothing is changed, and what it can play differently.
struct Engine {
    base: Value,
    changes: Vec<Value>,
}

fn engine(name: &str) -> Option<Engine> {
    match name {
        "majiang" => Some(Engine {
            // One switch of theirs is several settings of ours.
            base: json!({
                "preset": "tenhou", "kokushi_robs_closed_kan": false, "pao_only_own_yakuman": true, "pao_honba": "discarder",
                "double_kokushi_thirteen": true, "double_suuankou_tanki": true, "double_junsei_chuuren": true,
                "double_daisuushii": true,
            }),
            changes: vec![
                json!({ "red_fives": false }),
                json!({ "open_tanyao": false }),
                json!({ "suji_kuikae_forbidden": false }),
                json!({ "suji_kuikae_forbidden": false, "kuikae_forbidden": false }),
                json!({ "abort_nine_kinds": false, "abort_four_winds": false, "abort_four_riichi": false, "abort_four_kans": false }),
                json!({ "nagashi": "off" }),
                json!({ "noten_pool": 0 }),
                json!({ "multi_ron": "head_bump" }),
                json!({ "multi_ron": "triple" }),
                json!({ "ippatsu": false }),
                json!({ "ura_dora": false, "kan_ura_dora": false }),
                json!({ "kan_dora": false, "kan_ura_dora": false }),
                json!({ "kan_ura_dora": false }),
                json!({ "open_kan_dora": "immediate" }),
                json!({ "min_wall_for_riichi": 0 }),
                json!({ "riichi_kan": "never" }),
                json!({ "riichi_kan": "same_readings" }),
                json!({ "double_kokushi_thirteen": false, "double_suuankou_tanki": false,
                    "double_junsei_chuuren": false, "double_daisuushii": false }),
                json!({ "yakuman_max": 1, "double_kokushi_thirteen": false, "double_suuankou_tanki": false,
                    "double_junsei_chuuren": false, "double_daisuushii": false }),
                json!({ "kazoe": "sanbaiman" }),
                json!({ "pao_daisangen": false, "pao_daisuushii": false }),
                json!({ "kiriage_mangan": true }),
            ],
        }),
        "riichienv" => Some(Engine {
            base: json!({ "preset": "tenhou" }),
            changes: vec![
                json!({ "kokushi_robs_closed_kan": true }),
                json!({ "double_kokushi_thirteen": true }),
                json!({ "double_suuankou_tanki": true }),
                json!({ "double_junsei_chuuren": true }),
                json!({ "double_daisuushii": true }),
                json!({ "pao_only_own_yakuman": true }),
                json!({ "multi_ron": "triple" }),
                json!({ "kuikae_forbidden": false, "suji_kuikae_forbidden": false }),
            ],
        }),
        _ => None,
    }
}

impl Engine {
    /// Some of the changes; those that cannot be together are left out.
    fn settings(&self, random: &mut Random) -> (Value, Settings) {
        let mut given = self.base.clone();
        for change in &self.changes {
            if random.below(5) > 0 {
                continue;
            }
            let mut tried = given.clone();
            if let (Some(all), Some(change)) = (tried.as_object_mut(), change.as_object()) {
                all.extend(change.clone());
            }
            if Settings::read(&tried).is_ok() {
                given = tried;
            }
        }
        let settings = Settings::read(&given).expect("it was read before");
        (given, settings)
    }
}

fn standing(random: &mut Random) -> Standing {
    let mut scores = [25_000; 4];
    for _ in 0..random.below(6) {
        let (from, to, points) = (random.below(4), random.below(4), 100 * (1 + random.below(90) as i32));
        if scores[from] >= points {
            scores[from] -= points;
            scores[to] += points;
        }
    }
    let sticks = random.below(3) as u16;
    scores[random.below(4)] -= 1000 * i32::from(sticks);
    Standing {
        kyoku: random.below(8) as u8,
        honba: random.below(4) as u16,
        sticks,
        scores: scores.map(|score| score.max(0)),
        first_dealer: Seat::ALL[0],
        dealer_wins: 0,
    }
}

/// Kinds that a stacked hand is made of.
fn pool(random: &mut Random) -> Vec<u8> {
    let suit = 9 * random.below(3) as u8;
    let orphans = vec![0, 8, 9, 17, 18, 26, 27, 28, 29, 30, 31, 32, 33];
    match random.below(8) {
        0 => (27..34).collect(),
        1 => vec![27, 28, 29, 30, 33],
        2 => vec![31, 32, 33, suit, suit + 8],
        3 => orphans,
        4 => (suit..suit + 9).collect(),
        5 => (0..34).filter(|kind| kind % 9 < 4).collect(),
        6 => vec![19, 20, 21, 23, 25, 32],
        _ => {
            let mut kinds: Vec<u8> = (0..34).collect();
            random.shuffle(&mut kinds);
            kinds.truncate(5);
            kinds
        }
    }
}

/// A shuffled wall; in half of the rounds some hands are dealt from few kinds.
fn wall(random: &mut Random, dealer: Seat) -> Wall {
    let mut tiles: Vec<Tile> = (0..136).filter_map(Tile::new).collect();
    random.shuffle(&mut tiles);
    if random.below(2) == 0 {
        for seat in Seat::ALL {
            if random.below(2) == 0 {
                continue;
            }
            let pool = pool(random);
            let steps = usize::from(dealer.steps_to(seat, 4));
            let place = |n: usize| if n < 12 { n / 4 * 16 + steps * 4 + n % 4 } else { 48 + steps };
            for n in 0..13 {
                // From the undealt part, so that no other hand is touched.
                let wanted = |at: &usize| pool.contains(&(tiles[*at].kind().index() as u8));
                if !pool.contains(&(tiles[place(n)].kind().index() as u8))
                    && let Some(at) = (52..136).find(wanted)
                {
                    tiles.swap(place(n), at);
                }
            }
        }
    }
    Wall::new(&tiles).expect("the tiles of the box")
}

/// A beginning that chance seldom makes.
#[derive(Clone, Copy, PartialEq)]
enum Opening {
    Any,
    /// Everybody holds the same wind and discards it first.
    FourWinds(u8),
    /// The other three wait for the tile that the dealer draws first and discards.
    SharedWait,
}

/// Three hands with tanyao and pinfu that wait for 4m and 7m, as kinds.
const SHARED_WAIT: [[u8; 13]; 3] = [
    [4, 5, 10, 11, 12, 13, 14, 15, 19, 20, 21, 25, 25],
    [4, 5, 11, 12, 13, 14, 15, 16, 20, 21, 22, 24, 24],
    [4, 5, 11, 12, 13, 14, 15, 16, 23, 24, 25, 19, 19],
];

impl Opening {
    fn of(random: &mut Random) -> Self {
        match random.below(30) {
            0 => Self::FourWinds(27 + random.below(4) as u8),
            1 => Self::SharedWait,
            _ => Self::Any,
        }
    }

    fn stack(self, wall: Wall) -> Wall {
        let mut tiles = wall.tiles().to_vec();
        let mut fixed = Vec::new();
        let mut put = |place: usize, kind: u8| {
            let is_it = |at: &usize| tiles[*at].kind().index() == usize::from(kind) && !fixed.contains(at);
            let at = (0..136).find(is_it).expect("four of a kind");
            tiles.swap(place, at);
            fixed.push(place);
        };
        let place = |steps: usize, n: usize| if n < 12 { n / 4 * 16 + steps * 4 + n % 4 } else { 48 + steps };
        match self {
            Self::Any => {}
            Self::FourWinds(wind) => (0..4).for_each(|steps| put(place(steps, 0), wind)),
            Self::SharedWait => {
                put(52, 6);
                for (steps, hand) in (1..).zip(SHARED_WAIT) {
                    hand.into_iter().enumerate().for_each(|(n, kind)| put(place(steps, n), kind));
                }
            }
        }
        Wall::new(&tiles).expect("the tiles of the box")
    }

    /// What the opening asks of a seat.
    fn action(self, table: &Table, seat: Seat) -> Option<Action> {
        if !table.player(seat).river().is_empty() {
            return None;
        }
        let actions = table.actions(seat);
        let wanted = |action: &&Action| match (self, action) {
            (Self::FourWinds(wind), Action::Discard(tile)) => tile.kind().index() == usize::from(wind),
            (Self::SharedWait, Action::Discard(tile)) => table.player(seat).drawn() == Some(*tile),
            (Self::FourWinds(_), Action::Pass) | (Self::SharedWait, Action::Ron) => true,
            _ => false,
        };
        actions.iter().find(wanted).copied()
    }
}

/// How somebody plays.
#[derive(Clone, Copy)]
enum Style {
    Bot(Bot),
    /// Towards a win, with every kan and many calls.
    Eager,
    /// Terminals and honors go first.
    River,
}

fn choose(table: &Table, seat: Seat, style: Style, seed: u64, random: &mut Random) -> Action {
    let actions = table.actions(seat);
    if random.below(12) == 0 {
        return random.pick(&actions);
    }
    match style {
        Style::Bot(bot) => bot.decide(&table.view(Viewer::Seat(seat)), seed).expect("it is asked"),
        Style::Eager => eager(table, seat, &actions, random),
        Style::River => river(&actions, random),
    }
}

fn eager(table: &Table, seat: Seat, actions: &[Action], random: &mut Random) -> Action {
    let rash = |action: &&Action| match action {
        Action::Tsumo | Action::Ron | Action::Riichi(_) => true,
        Action::Ankan(_) | Action::Kakan(_) | Action::Daiminkan | Action::Pon(_) => true,
        _ => false,
    };
    if let Some(action) = actions.iter().find(rash) {
        return *action;
    }
    let after = |action: &Action| match action {
        Action::Discard(tile) => {
            let mut hand = *table.player(seat).hand();
            hand.remove(tile.kind());
            shanten(&hand)
        }
        Action::Pass => 3,
        _ => 4,
    };
    let best = actions.iter().map(after).min().unwrap_or(0);
    let equals: Vec<Action> = actions.iter().copied().filter(|action| after(action) == best).collect();
    random.pick(&equals)
}

fn river(actions: &[Action], random: &mut Random) -> Action {
    if actions.contains(&Action::Pass) {
        return Action::Pass;
    }
    let orphan = |action: &&Action| matches!(action, Action::Discard(tile) if tile.kind().is_orphan());
    let orphans: Vec<Action> = actions.iter().filter(orphan).copied().collect();
    if orphans.is_empty() { random.pick(actions) } else { random.pick(&orphans) }
}

/// What was done, as the other engines are told: everything else follows.
fn deeds(events: &[Event]) -> Vec<Value> {
    let mut deeds = Vec::new();
    for event in events {
        match event {
            Event::Discard { seat, tile, tsumogiri, riichi } => {
                deeds.push(json!({"do": if *riichi { "riichi" } else { "discard" }, "seat": seat, "tile": tile, "tsumogiri": tsumogiri}));
            }
            Event::Meld { seat, kind, tiles, from, tile } => {
                deeds.push(
                    json!({"do": kind.name(), "seat": seat, "tiles": tiles, "from": from, "tile": tile}),
                );
            }
            Event::RoundEnd { result, .. } => deeds.extend(closing(result)),
            _ => {}
        }
    }
    deeds
}

fn closing(result: &RoundResult) -> Vec<Value> {
    match result {
        RoundResult::Wins(wins) => {
            let deed = |win: &WinResult| json!({"do": if win.from.is_some() { "ron" } else { "tsumo" }, "seat": win.who, "from": win.from});
            wins.iter().map(deed).collect()
        }
        RoundResult::Draw { by: Some(seat), .. } => vec![json!({"do": "nine", "seat": seat})],
        RoundResult::Draw { kind: parlor_riichi::table::DrawKind::TripleRon, shown, .. } => {
            shown.iter().map(|(seat, _)| json!({"do": "ron", "seat": seat})).collect()
        }
        RoundResult::Draw { .. } => Vec::new(),
    }
}

fn result(result: &RoundResult) -> Value {
    match result {
        RoundResult::Wins(wins) => {
            let win = |win: &WinResult| {
                json!({"who": win.who, "from": win.from, "han": win.han, "fu": win.fu, "points": win.points,
                    "yaku": win.yaku, "dora": win.dora, "reds": win.reds, "ura": win.ura, "liable": win.liable,
                    "deltas": win.deltas})
            };
            json!({"wins": wins.iter().map(win).collect::<Vec<_>>()})
        }
        RoundResult::Draw { kind, shown, deltas, .. } => {
            let shown: Vec<Seat> = shown.iter().map(|(seat, _)| *seat).collect();
            json!({"draw": kind, "shown": shown, "deltas": deltas})
        }
    }
}

/// Plays one round; gives its line.
fn round(engine: &Engine, number: u64, seed: u64) -> Value {
    let mut random = Random(seed.wrapping_mul(0x2545_f491_4f6c_dd1d) ^ number);
    random.next();
    let (given, settings) = engine.settings(&mut random);
    let standing = standing(&mut random);
    let wall = wall(&mut random, standing.dealer(4));
    let opening = Opening::of(&mut random);
    let wall = opening.stack(wall);
    let styles = [
        Style::Bot(Bot::Fair),
        Style::Bot(Bot::Greedy),
        Style::Bot(Bot::Random),
        Style::Eager,
        Style::Eager,
        Style::River,
    ];
    let styles: [Style; 4] = std::array::from_fn(|_| random.pick(&styles));
    let mut events = Vec::new();
    let mut table = Table::start_from(settings, standing, &mut |_| wall, &mut |event| events.push(event))
        .expect("the settings were checked");
    while matches!(table.phase(), Phase::Turn { .. } | Phase::Window(_)) {
        let seat = table.asked().first().expect("somebody is asked");
        let action = choose(&table, seat, styles[seat.index()], seed ^ number, &mut random);
        let action = opening.action(&table, seat).unwrap_or(action);
        table.apply(seat, action, &mut |_| wall, &mut |event| events.push(event));
    }
    let tiles = wall.tiles();
    let end_scores = events.iter().find_map(|event| match event {
        Event::RoundEnd { scores, .. } => Some(*scores),
        _ => None,
    });
    json!({
        "id": number, "settings": given, "all_settings": settings, "kyoku": standing.kyoku, "dealer": standing.dealer(4),
        "honba": standing.honba, "sticks": standing.sticks, "scores": standing.scores,
        "wall": {"live": &tiles[..122], "rinshan": &tiles[122..126], "dora": &tiles[126..131], "ura": &tiles[131..]},
        "deeds": deeds(&events), "result": table.round_result().map(result), "end_scores": end_scores,
    })
}

/// Prints so many rounds.
pub(crate) fn run(args: &[String]) -> io::Result<()> {
    let usage = "usage: rivals-riichi rounds majiang|riichienv COUNT [SEED]";
    let [name, count, rest @ ..] = args else { return Err(io::Error::other(usage)) };
    let number = |text: &String| text.parse::<u64>().map_err(|_| io::Error::other(usage));
    let engine = engine(name).ok_or_else(|| io::Error::other(usage))?;
    let seed = rest.first().map_or(Ok(1), number)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for id in 0..number(count)? {
        writeln!(out, "{}", round(&engine, id, seed))?;
    }
    out.flush()
}
