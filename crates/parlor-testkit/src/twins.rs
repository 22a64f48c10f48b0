//! Twins: two worlds that one viewer cannot tell apart must give him the same bytes at the same times.
//!
//! The second world is the first with everything changed that the viewer was not shown ([`parlor_core::Game::resample`]).
//! Both are then given the same inputs, except that whatever another seat says in silence is said differently, and that
//! a seat asked in only one of them answers there in silence. The viewer's messages must stay equal until a fact that
//! he was shown in both worlds has two values: from there on they are rightly different.

use parlor_core::{Body, By, Kind, Luck, Match, Seat, Viewer};
use parlor_host::{Command, ConnId, Effect, Submit, Table};
use parlor_wire::Codec;

use crate::world::{Driven, World};

/// What the comparison came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Pairs of worlds.
    pub pairs: u64,
    /// Pairs whose hidden facts really differed.
    pub different: u64,
    /// Steps after which the viewer's messages were compared.
    pub steps: u64,
    /// Silent answers that were given differently in the two worlds.
    pub varied: u64,
}

impl Compared {
    /// Both together.
    pub fn add(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.different += other.different;
        self.steps += other.steps;
        self.varied += other.varied;
    }
}

/// One side of a pair.
struct Side {
    table: Table,
    now: u64,
    wake: Option<u64>,
    conn: ConnId,
    heard: Vec<(u64, String)>,
}

impl Side {
    fn new(table: Table, now: u64, conn: ConnId) -> Self {
        let mut side = Self { table, now, wake: None, conn, heard: Vec::new() };
        side.tell(Command::Tick);
        side
    }

    fn fork(&self) -> Self {
        let play = self.table.play().in_world(self.table.play().game().fork());
        Self {
            table: self.table.in_world(play),
            now: self.now,
            wake: self.wake,
            conn: self.conn,
            heard: Vec::new(),
        }
    }

    fn tell(&mut self, command: Command) {
        let mut effects = self.table.handle(self.now, command);
        while !effects.is_empty() {
            let mut stored = None;
            for effect in std::mem::take(&mut effects) {
                match effect {
                    Effect::Append(append) => {
                        stored = Some((append.match_no, append.record.map_or(0, |record| record.seq)));
                    }
                    Effect::Send { conn, message } if conn == self.conn => {
                        let bytes = String::from_utf8(Codec::Json.encode(&*message)).expect("JSON is text");
                        self.heard.push((self.now, bytes));
                    }
                    Effect::Wake { at } => self.wake = Some(at),
                    _ => {}
                }
            }
            if let Some((match_no, seq)) = stored {
                effects = self.table.handle(self.now, Command::Appended { match_no, seq });
            }
        }
    }

    fn advance(&mut self, until: u64) {
        while let Some(at) = self.wake.filter(|at| *at <= until) {
            self.wake = None;
            self.now = self.now.max(at);
            self.tell(Command::Tick);
        }
        self.now = until;
    }

    fn submit(&mut self, seat: Seat, answer: &Said) {
        let conn = ConnId(seat.index() as u64);
        let submit =
            Submit { to: parlor_host::Answers::Input(answer.input), answer: answer.json.clone(), key: None };
        self.tell(Command::Submit(conn, submit));
    }

    fn asked(&self, seat: Seat, kind: Kind) -> Option<parlor_core::play::Stand> {
        self.table.play().stands(seat).iter().find(|stand| stand.kind == kind).copied()
    }

    fn sample(&self, seat: Seat, kind: Kind, luck: &mut Luck) -> Option<Said> {
        let stand = self.asked(seat, kind)?;
        let json = self.table.play().sample(seat, stand.ask, luck).ok()?;
        Some(Said { input: stand.input, json })
    }

    /// An answer of this seat that the viewer does not notice at all, if one can be found.
    fn silent(&self, seat: Seat, kind: Kind, luck: &mut Luck) -> Option<Said> {
        (0..12).find_map(|_| {
            let said = self.sample(seat, kind, luck)?;
            self.is_silent(seat, &said).then_some(said)
        })
    }

    fn is_silent(&self, seat: Seat, said: &Said) -> bool {
        let mut fork = self.fork();
        fork.submit(seat, said);
        fork.heard.is_empty() && fork.table.play().record_count() > self.table.play().record_count()
    }

    fn takes(&self, seat: Seat, answer: &parlor_core::Json) -> Option<Said> {
        let stand = self.asked(seat, Kind::Request)?;
        self.table.play().check(seat, stand.ask, answer).ok()?;
        Some(Said { input: stand.input, json: answer.clone() })
    }
}

#[derive(Clone, Debug)]
struct Said {
    input: u32,
    json: parlor_core::Json,
}

/// Compares pairs of worlds that start where this one is, for one viewer.
///
/// # Errors
/// What the viewer could tell them apart by.
pub fn compare<T: Driven>(
    world: &World<T>,
    viewer: Viewer,
    luck: &mut Luck,
    steps: usize,
) -> Result<Compared, String> {
    let play = world.view().play();
    let Some(other) = play.game().resample(viewer.into(), luck) else { return Ok(Compared::default()) };
    let different = other.state() != play.game().state();
    let conn = world.plan.conn(viewer);
    let side = |play: Match| Side::new(world.view().in_world(play), world.now, conn);
    let mut a = side(play.in_world(play.game().fork()));
    let mut b = side(play.in_world(other));
    let mut compared = Compared { pairs: 1, different: u64::from(different), ..Compared::default() };
    same_snapshot(&a, &b, viewer)?;
    for _ in 0..steps {
        if a.table.finished() || b.table.finished() || !level(&mut a, &mut b, viewer, luck) {
            break;
        }
        let Some(varied) = joint_step(&mut a, &mut b, viewer, luck) else { break };
        compared.varied += u64::from(varied);
        if lawfully_different(&a, &b, viewer) {
            break;
        }
        if a.heard != b.heard {
            return Err(difference(&a, &b, viewer));
        }
        same_snapshot(&a, &b, viewer)?;
        compared.steps += 1;
    }
    Ok(compared)
}

fn others(side: &Side, viewer: Viewer) -> impl Iterator<Item = Seat> + use<> {
    (0..side.table.play().header().seats).map(Seat::new).filter(move |seat| viewer != Viewer::Seat(*seat))
}

/// Whoever is asked in only one world answers there, in silence; a pair in which he cannot is given up.
fn level(a: &mut Side, b: &mut Side, viewer: Viewer, luck: &mut Luck) -> bool {
    for seat in others(a, viewer) {
        for _ in 0..4 {
            let (in_a, in_b) =
                (a.asked(seat, Kind::Request).is_some(), b.asked(seat, Kind::Request).is_some());
            let side = match (in_a, in_b) {
                (true, false) => &mut *a,
                (false, true) => &mut *b,
                _ => break,
            };
            let Some(said) = side.silent(seat, Kind::Request, luck) else { return false };
            side.submit(seat, &said);
        }
    }
    true
}

/// One step in both worlds; says whether the worlds were given different answers, or nothing if they cannot go on.
fn joint_step(a: &mut Side, b: &mut Side, viewer: Viewer, luck: &mut Luck) -> Option<bool> {
    (a.heard, b.heard) = (Vec::new(), Vec::new());
    if luck.below(4) == 0
        && let Some(varied) = draft(a, b, viewer, luck)
    {
        return Some(varied);
    }
    let asked: Vec<Seat> = (0..a.table.play().header().seats)
        .map(Seat::new)
        .filter(|seat| a.asked(*seat, Kind::Request).is_some() && b.asked(*seat, Kind::Request).is_some())
        .collect();
    if asked.is_empty() || luck.below(4) == 0 {
        let ahead = if luck.below(2) == 0 { u64::from(luck.below(900)) } else { 5000 };
        let until =
            a.wake.into_iter().chain(b.wake).min().unwrap_or(a.now + ahead).max(a.now).min(a.now + ahead);
        if asked.is_empty() && a.wake.is_none() && b.wake.is_none() {
            return None;
        }
        a.advance(until);
        b.advance(until);
        return Some(false);
    }
    let seat = *luck.pick(&asked);
    let said = a.sample(seat, Kind::Request, luck)?;
    if viewer != Viewer::Seat(seat) && a.is_silent(seat, &said) {
        let other = b.silent(seat, Kind::Request, luck).or_else(|| b.takes(seat, &said.json))?;
        a.submit(seat, &said);
        b.submit(seat, &other);
        return Some(said.json != other.json);
    }
    let same = b.takes(seat, &said.json)?;
    a.submit(seat, &said);
    b.submit(seat, &same);
    Some(false)
}

/// Another seat drafts in one world and not in the other: nobody may notice.
fn draft(a: &mut Side, b: &mut Side, viewer: Viewer, luck: &mut Luck) -> Option<bool> {
    let drafters: Vec<Seat> =
        others(a, viewer).filter(|seat| a.asked(*seat, Kind::Draft).is_some()).collect();
    if drafters.is_empty() {
        return None;
    }
    let seat = *luck.pick(&drafters);
    let said = a.sample(seat, Kind::Draft, luck)?;
    a.submit(seat, &said);
    b.tell(Command::Tick);
    Some(true)
}

/// Whether a fact that the viewer was shown in both worlds has two values.
fn lawfully_different(a: &Side, b: &Side, viewer: Viewer) -> bool {
    let (known_a, known_b) = (a.table.play().game().known(viewer), b.table.play().game().known(viewer));
    known_a
        .iter()
        .any(|(fact, value)| known_b.iter().any(|(other, different)| fact == other && value != different))
}

fn same_snapshot(a: &Side, b: &Side, viewer: Viewer) -> Result<(), String> {
    let shown = |side: &Side| {
        String::from_utf8(Codec::Json.encode(&side.table.snapshot(viewer))).expect("JSON is text")
    };
    let (shown_a, shown_b) = (shown(a), shown(b));
    if shown_a == shown_b {
        return Ok(());
    }
    Err(format!(
        "twins_look_alike: {viewer} can tell two worlds apart by what he sees:\n  {shown_a}\n  {shown_b}"
    ))
}

fn difference(a: &Side, b: &Side, viewer: Viewer) -> String {
    let last = |side: &Side| match side.table.play().records().last().map(|record| (&record.by, &record.body))
    {
        Some((By::Clock, Body::Elapsed { ask, .. })) => format!("{ask:?} elapsed"),
        Some((_, body)) => format!("{body:?}"),
        None => "the start".to_owned(),
    };
    format!(
        "twins_look_alike: {viewer} can tell two worlds apart by what he is sent, or when:\n  {:?}\n    after {}\n  {:?}\n    after {}",
        a.heard,
        last(a),
        b.heard,
        last(b)
    )
}
