//! A table set up for one fact: hands and draws as text, steps as text, everybody who is not named passes.

use parlor_riichi::pay::Seat;
use parlor_riichi::sets::TileSet;
use parlor_riichi::table::{
    Action, Answer, Event, KanName, Phase, Refusal, RoundResult, Settings, Standing, Table, TileName, Wall,
    WinResult,
};
use parlor_riichi::text::read_tiles;
use parlor_riichi::tile::Tile;

pub(crate) fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

/// What a round starts from. Tiles that are not named are whatever is left in the box.
#[derive(Clone)]
pub(crate) struct Scene {
    pub(crate) settings: Settings,
    pub(crate) standing: Standing,
    /// By seat, thirteen tiles or none.
    pub(crate) hands: [&'static str; 4],
    /// In order, the dealer's first.
    pub(crate) draws: &'static str,
    pub(crate) rinshan: &'static str,
    pub(crate) dora: &'static str,
    pub(crate) ura: &'static str,
    /// The last tile of the wall, drawn by the seat after the dealer if nobody calls.
    pub(crate) last: &'static str,
}

impl Scene {
    pub(crate) fn new(settings: Settings) -> Self {
        let standing = Standing {
            kyoku: 0,
            honba: 0,
            sticks: 0,
            scores: [settings.start_points; 4],
            first_dealer: seat(0),
            dealer_wins: 0,
        };
        Self { settings, standing, hands: [""; 4], draws: "", rinshan: "", dora: "", ura: "", last: "" }
    }

    pub(crate) fn hands(self, hands: [&'static str; 4]) -> Self {
        Self { hands, ..self }
    }

    pub(crate) fn draws(self, draws: &'static str) -> Self {
        Self { draws, ..self }
    }

    pub(crate) fn with(mut self, change: impl FnOnce(&mut Settings)) -> Self {
        change(&mut self.settings);
        self
    }

    pub(crate) fn at(mut self, change: impl FnOnce(&mut Standing)) -> Self {
        change(&mut self.standing);
        self
    }

    pub(crate) fn wall(&self) -> Wall {
        let mut taken = TileSet::EMPTY;
        let mut places: [Option<Tile>; 136] = [None; 136];
        let dealer = self.standing.dealer(4);
        let mut put = |text: &str, at: &dyn Fn(usize) -> usize| {
            let tiles = read_tiles(text, &mut taken, self.settings.red_fives)
                .unwrap_or_else(|e| panic!("{text}: {e}"));
            for (index, tile) in tiles.into_iter().enumerate() {
                places[at(index)] = Some(tile);
            }
        };
        for (number, text) in self.hands.iter().enumerate() {
            let steps = usize::from(dealer.steps_to(seat(number as u8), 4));
            put(text, &|n| if n < 12 { n / 4 * 16 + steps * 4 + n % 4 } else { 48 + steps });
        }
        put(self.draws, &|n| 52 + n);
        put(self.last, &|n| 121 + n);
        put(self.rinshan, &|n| 122 + n);
        put(self.dora, &|n| 126 + n);
        put(self.ura, &|n| 131 + n);
        // What is left, middle tiles and honors far apart, so that nothing idle is ever near to complete.
        let mut rest: Vec<Tile> = (0..136_u16).map(|n| Tile::new((n * 67 % 136) as u8).unwrap()).collect();
        rest.retain(|tile| !taken.contains(*tile));
        let order: Vec<Tile> =
            places.into_iter().map(|place| place.unwrap_or_else(|| rest.pop().unwrap())).collect();
        Wall::new(&order).unwrap()
    }

    pub(crate) fn start(self) -> Play {
        let wall = self.wall();
        let mut events = Vec::new();
        let table =
            Table::start_from(self.settings, self.standing, &mut |_| wall, &mut |event| events.push(event))
                .unwrap();
        Play { table, events }
    }
}

/// A round being played.
#[derive(Clone)]
pub(crate) struct Play {
    pub(crate) table: Table,
    pub(crate) events: Vec<Event>,
}

impl Play {
    /// Steps such as `0 discard 1m, 1 pon, 1 riichi 5s, 2 chi 34m, 3 ron`; a discard without a tile is of the drawn
    /// one. Before the next turn everybody who was not named passes.
    pub(crate) fn run(mut self, steps: &str) -> Self {
        for step in steps.split(',').map(str::trim).filter(|step| !step.is_empty()) {
            self.step(step).unwrap_or_else(|refusal| panic!("{step}: {refusal}"));
        }
        self
    }

    pub(crate) fn step(&mut self, step: &str) -> Result<(), Refusal> {
        let words: Vec<&str> = step.split_whitespace().collect();
        let by = seat(words[0].parse().unwrap());
        let is_call = matches!(words[1], "ron" | "pon" | "chi" | "kan" | "pass");
        if !is_call || !self.table.asked().contains(by) {
            self.pass();
        }
        let answer = self.answer(by, &words[1..]);
        let action = self.table.check(by, &answer)?;
        self.apply(by, action);
        Ok(())
    }

    fn answer(&self, by: Seat, words: &[&str]) -> Answer {
        let tile = |index: usize| match words.get(index) {
            Some(text) => TileName::Text((*text).into()),
            None => TileName::Id(i64::from(self.table.player(by).drawn().expect("a drawn tile").id())),
        };
        let pair = || {
            words.get(1).map(|text| {
                let (digits, letter) = text.split_at(2);
                let one = |n: usize| TileName::Text(format!("{}{letter}", &digits[n..=n]));
                [one(0), one(1)]
            })
        };
        match words[0] {
            "discard" => Answer::Discard(tile(1)),
            "riichi" => Answer::Riichi(tile(1)),
            "tsumo" => Answer::Tsumo,
            "ron" => Answer::Ron,
            "pon" => Answer::Pon(pair()),
            "chi" => Answer::Chi(pair()),
            "kan" => Answer::Kan(None, None),
            "closed" => Answer::Kan(Some(KanName::Closed), Some(tile(1))),
            "added" => Answer::Kan(Some(KanName::Added), Some(tile(1))),
            "nine" => Answer::Nine,
            "pass" => Answer::Pass,
            other => panic!("no verb {other}"),
        }
    }

    fn apply(&mut self, by: Seat, action: Action) {
        let Self { table, events } = self;
        table.apply(by, action, &mut |_| Wall::sorted(), &mut |event| events.push(event));
    }

    /// Everybody who is asked in a window passes.
    pub(crate) fn pass(&mut self) {
        while matches!(self.table.phase(), Phase::Window(_)) {
            let by = self.table.asked().first().unwrap();
            self.apply(by, Action::Pass);
        }
    }

    pub(crate) fn passed(mut self) -> Self {
        self.pass();
        self
    }

    /// Everybody discards what they draw, and nobody calls, until the wall is used up.
    pub(crate) fn exhaust(mut self) -> Self {
        self.pass();
        while let Phase::Turn { seat, .. } = *self.table.phase() {
            let tile = self
                .table
                .player(seat)
                .drawn()
                .unwrap_or_else(|| self.table.player(seat).tiles().iter().last().unwrap());
            self.apply(seat, Action::Discard(tile));
            self.pass();
        }
        self
    }

    /// Everybody discards what they draw, and nobody calls, until only so many tiles are left to draw.
    pub(crate) fn down_to(mut self, left: u8) -> Self {
        self.pass();
        while let Phase::Turn { seat, .. } = *self.table.phase()
            && self.table.left() > left
        {
            let tile = self.table.player(seat).drawn().expect("a drawn tile");
            self.apply(seat, Action::Discard(tile));
            self.pass();
        }
        self
    }

    pub(crate) fn refused(&self, step: &str) -> String {
        let refusal = self.clone().step(step).expect_err(step);
        refusal.code.name().to_owned()
    }

    pub(crate) fn allows(&self, step: &str) -> bool {
        self.clone().step(step).is_ok()
    }

    /// Draws and indicators in the order they came, as text.
    pub(crate) fn course(&self) -> String {
        let words = self.events.iter().filter_map(|event| match event {
            Event::Draw { seat, rinshan, .. } => {
                Some(format!("{}{}", if *rinshan { "rinshan" } else { "draw" }, seat.index()))
            }
            Event::Discard { seat, .. } => Some(format!("discard{}", seat.index())),
            Event::Meld { seat, kind, .. } => Some(format!("{}{}", kind.name(), seat.index())),
            Event::Dora { .. } => Some("dora".into()),
            Event::RiichiAccepted { seat } => Some(format!("accepted{}", seat.index())),
            _ => None,
        });
        words.collect::<Vec<_>>().join(" ")
    }

    pub(crate) fn result(&self) -> &RoundResult {
        self.table.round_result().expect("the round is over")
    }

    pub(crate) fn wins(&self) -> &[WinResult] {
        match self.result() {
            RoundResult::Wins(wins) => wins,
            other => panic!("no win: {other:?}"),
        }
    }

    pub(crate) fn yaku(&self) -> String {
        let names = self.wins()[0].yaku.iter().map(|(yaku, _)| yaku.name());
        names.collect::<Vec<_>>().join(", ")
    }

    pub(crate) fn deltas(&self) -> [i32; 4] {
        self.result().deltas()
    }

    pub(crate) fn draw_kind(&self) -> String {
        match self.result() {
            RoundResult::Draw { kind, .. } => format!("{kind:?}"),
            RoundResult::Wins(_) => "a win".into(),
        }
    }

    /// Hand, honba, sticks of the next round; none if the game is over.
    pub(crate) fn next(&self) -> Option<(u8, u16, u16)> {
        match self.table.phase() {
            Phase::RoundEnd { next, .. } => Some((next.kyoku, next.honba, next.sticks)),
            _ => None,
        }
    }
}
