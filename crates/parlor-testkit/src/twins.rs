//! Twins: two worlds that one viewer cannot tell apart must send that viewer the same bytes at the same times.
//!
//! The second world is the first with everything changed that the viewer was not shown
//! ([`parlor_core::Game::resample`]). Both then get the same inputs, except that answers of other seats that the
//! viewer cannot notice differ, and that a seat with a request in only one world answers it there without the viewer
//! noticing. The viewer's messages must stay equal until a fact that the viewer was shown in both worlds has two
//! values: from there on they rightly differ.

use parlor_core::{Account, AskKind, Body, By, Match, Posting, Rng, Seat, Viewer};
use parlor_host::{Command, ConnId, Effect, Submit, Table};
use parlor_wire::Codec;

use crate::random;
use crate::world::{Driven, Plan, World, test_luck};

/// How much was compared.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Compared {
    /// Pairs of worlds.
    pub pairs: u64,
    /// Pairs whose hidden facts really differed.
    pub different: u64,
    /// Steps after which the viewer's messages were compared.
    pub steps: u64,
    /// Unnoticed answers that differed between the two worlds.
    pub varied: u64,
}

impl Compared {
    /// Adds another result.
    pub fn add(&mut self, other: Self) {
        self.pairs += other.pairs;
        self.different += other.different;
        self.steps += other.steps;
        self.varied += other.varied;
    }
}

/// One world of a pair.
struct Side {
    table: Table,
    now: u64,
    wake: Option<u64>,
    viewer: Viewer,
    conn: ConnId,
    /// What the viewer was sent, what their statement shows and what was set aside for them, and when.
    heard: Vec<(u64, String)>,
    /// The commands since the last step, and their times.
    told: Vec<(u64, Command)>,
}

impl Side {
    fn new(table: Table, now: u64, viewer: Viewer, conn: ConnId) -> Self {
        let mut side = Self { table, now, wake: None, viewer, conn, heard: Vec::new(), told: Vec::new() };
        side.handle(Command::Tick);
        side
    }

    fn fork(&self) -> Self {
        let play = self.table.current_match().as_twin(self.table.current_match().game().fork());
        Self {
            table: self.table.as_twin(play),
            now: self.now,
            wake: self.wake,
            viewer: self.viewer,
            conn: self.conn,
            heard: Vec::new(),
            told: Vec::new(),
        }
    }

    fn handle(&mut self, command: Command) {
        self.told.push((self.now, command.clone()));
        let mut effects = self.table.handle(self.now, command);
        while !effects.is_empty() {
            let (mut stored, mut set_aside) = (None, Vec::new());
            for effect in std::mem::take(&mut effects) {
                match effect {
                    Effect::Append(append) => {
                        self.note_statement(&append.postings);
                        stored = Some((append.match_no, append.record.map_or(0, |record| record.seq)));
                    }
                    Effect::Reserve { id, seat, amount, .. } => {
                        if self.viewer == Viewer::Seat(seat) {
                            self.heard.push((self.now, format!("{amount} is set aside")));
                        }
                        set_aside.push(id);
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
            for id in set_aside {
                effects.extend(self.table.handle(self.now, Command::Reserved { id }));
            }
        }
    }

    /// Whether the viewer is still there: the rules may have sent them away.
    fn has_viewer(&self) -> bool {
        match self.viewer {
            Viewer::Gallery => true,
            Viewer::Seat(seat) => !self.table.seat_infos()[seat.index()].name.is_empty(),
        }
    }

    /// The lines that this adds to the viewer's statement.
    fn note_statement(&mut self, postings: &[Posting]) {
        let Viewer::Seat(seat) = self.viewer else { return };
        let theirs = |posting: &&Posting| [posting.from, posting.to].contains(&Account::Seat(seat));
        let lines = postings.iter().filter(theirs).map(|posting| (self.now, format!("{posting:?}")));
        self.heard.extend(lines);
    }

    fn advance(&mut self, until: u64) {
        while let Some(at) = self.wake.filter(|at| *at <= until) {
            self.wake = None;
            self.now = self.now.max(at);
            self.handle(Command::Tick);
        }
        self.now = until;
    }

    fn submit(&mut self, seat: Seat, answer: &ScriptedAnswer) {
        let conn = ConnId(seat.index() as u64);
        let submit = Submit {
            to: parlor_host::AnswerTarget::Input(answer.input),
            answer: answer.json.clone(),
            key: None,
        };
        self.handle(Command::Submit(conn, submit));
    }

    fn asked(&self, seat: Seat, kind: AskKind) -> Option<parlor_core::play::OpenRequest> {
        self.table.current_match().open_requests(seat).iter().find(|stand| stand.kind == kind).copied()
    }

    fn sample(&self, seat: Seat, kind: AskKind, rng: &mut Rng) -> Option<ScriptedAnswer> {
        let stand = self.asked(seat, kind)?;
        let json = self.table.current_match().sample(seat, stand.ask, rng).ok()?;
        Some(ScriptedAnswer { input: stand.input, json })
    }

    /// An answer of this seat that the viewer does not notice at all, if one can be found.
    fn silent(&self, seat: Seat, kind: AskKind, rng: &mut Rng) -> Option<ScriptedAnswer> {
        (0..12).find_map(|_| {
            let said = self.sample(seat, kind, rng)?;
            self.is_silent(seat, &said).then_some(said)
        })
    }

    fn is_silent(&self, seat: Seat, said: &ScriptedAnswer) -> bool {
        let mut fork = self.fork();
        fork.submit(seat, said);
        fork.heard.is_empty()
            && fork.table.current_match().record_count() > self.table.current_match().record_count()
    }

    fn takes(&self, seat: Seat, answer: &parlor_core::Json) -> Option<ScriptedAnswer> {
        let stand = self.asked(seat, AskKind::Request)?;
        self.table.current_match().check(seat, stand.ask, answer).ok()?;
        Some(ScriptedAnswer { input: stand.input, json: answer.clone() })
    }
}

#[derive(Clone, Debug)]
struct ScriptedAnswer {
    input: u32,
    json: parlor_core::Json,
}

/// Two worlds side by side.
struct Pair {
    a: Side,
    b: Side,
    viewer: Viewer,
}

/// The result of a step in both worlds.
enum Stepped {
    /// Both went on; `varied` if the worlds got different unnoticed answers.
    On { varied: bool },
    /// The viewer was shown a fact that has two values: from here on the worlds rightly differ.
    Parted,
    /// The worlds cannot go on together.
    Ended,
}

impl Pair {
    /// The world as it is, and the same with everything changed that the viewer was not shown; and whether the two
    /// really differ. `None` if the game finds no other world.
    fn of<T: Driven>(world: &World<T>, viewer: Viewer, rng: &mut Rng) -> Option<(Self, bool)> {
        let play = world.view().current_match();
        let other = play.game().resample(viewer.into(), rng)?;
        let different = other.state() != play.game().state();
        let conn = world.plan.conn(viewer);
        let side = |play: Match| Side::new(world.view().as_twin(play), world.now, viewer, conn);
        let (a, b) = (side(play.as_twin(play.game().fork())), side(play.as_twin(other)));
        Some((Self { a, b, viewer }, different))
    }

    fn step(&mut self, rng: &mut Rng) -> Stepped {
        let Self { a, b, viewer } = self;
        if a.table.finished() || b.table.finished() || !level(a, b, *viewer, rng) {
            return Stepped::Ended;
        }
        let Some(varied) = joint_step(a, b, *viewer, rng) else { return Stepped::Ended };
        if !a.has_viewer() && !b.has_viewer() {
            return Stepped::Ended;
        }
        if lawfully_different(a, b, *viewer) { Stepped::Parted } else { Stepped::On { varied } }
    }
}

/// Compares pairs of worlds that start from this one, for one viewer.
///
/// # Errors
/// A difference that the viewer could notice.
pub fn compare<T: Driven>(
    world: &World<T>,
    viewer: Viewer,
    rng: &mut Rng,
    steps: usize,
) -> Result<Compared, String> {
    let Some((mut pair, different)) = Pair::of(world, viewer, rng) else { return Ok(Compared::default()) };
    let mut compared = Compared { pairs: 1, different: u64::from(different), ..Compared::default() };
    same_snapshot(&pair.a, &pair.b, viewer)?;
    for _ in 0..steps {
        let Stepped::On { varied } = pair.step(rng) else { break };
        compared.varied += u64::from(varied);
        if pair.a.heard != pair.b.heard {
            return Err(difference(&pair.a, &pair.b, viewer));
        }
        same_snapshot(&pair.a, &pair.b, viewer)?;
        compared.steps += 1;
    }
    Ok(compared)
}

/// The commands of one step, and their times.
pub type TimedCommands = Vec<(u64, Command)>;

/// A pair of worlds with all their commands, to be played again elsewhere: on a real server, with a real client.
pub struct Staged {
    /// The two tables, with every viewer connected as in [`World`].
    pub tables: [Table; 2],
    /// The virtual time of both tables, in milliseconds.
    pub now: u64,
    /// The commands for each table, step by step.
    pub steps: Vec<[TimedCommands; 2]>,
    /// Whether the last step showed the viewer a fact that has two values: after it the viewer may tell the worlds
    /// apart.
    pub parted: bool,
}

/// Worlds tried before the search is given up.
const TRIES_MAX: u64 = 400;

/// A world in the middle of a match, and a pair that starts there: the first of this seed with at least half the
/// wanted number of steps.
///
/// # Errors
/// There is none: the game has no secrets from this viewer, or reveals one with every step.
pub fn find(plan: &Plan, viewer: Viewer, seed: u64, steps: usize) -> Result<(World, Staged), String> {
    for n in 0..TRIES_MAX {
        let mut rng = test_luck(seed.wrapping_mul(1_000_003).wrapping_add(n));
        let mut world = World::open(Plan { seed: format!("twins {seed} {n}"), ..plan.clone() });
        let before = rng.below(80);
        if !(0..before).all(|_| random::step(&mut world, &mut rng)) || world.log.len() != 1 {
            continue;
        }
        if let Some(staged) = stage(&world, viewer, &mut rng, steps)
            && staged.steps.len() > steps / 2
        {
            return Ok((world, staged));
        }
    }
    Err(format!("{}: no pair of worlds that has {steps} steps to show to {viewer}", plan.def.name))
}

/// A pair that starts from this world and really differs, and its commands. Nothing is compared.
pub fn stage<T: Driven>(world: &World<T>, viewer: Viewer, rng: &mut Rng, steps: usize) -> Option<Staged> {
    let (mut pair, different) = Pair::of(world, viewer, rng)?;
    if !different {
        return None;
    }
    let again = |side: &Side| {
        side.table.as_twin(side.table.current_match().as_twin(side.table.current_match().game().fork()))
    };
    let tables = [again(&pair.a), again(&pair.b)];
    let mut staged = Staged { tables, now: world.now, steps: Vec::new(), parted: false };
    let told = |pair: &mut Pair| [std::mem::take(&mut pair.a.told), std::mem::take(&mut pair.b.told)];
    // The commands that wake the tables when they are put on a server.
    staged.steps.push(told(&mut pair));
    for _ in 0..steps {
        match pair.step(rng) {
            Stepped::Ended => break,
            Stepped::On { .. } => staged.steps.push(told(&mut pair)),
            Stepped::Parted => {
                staged.steps.push(told(&mut pair));
                staged.parted = true;
                break;
            }
        }
    }
    Some(staged)
}

fn others(side: &Side, viewer: Viewer) -> impl Iterator<Item = Seat> + use<> {
    (0..side.table.current_match().header().seats)
        .map(Seat::new)
        .filter(move |seat| viewer != Viewer::Seat(*seat))
}

/// Answers the requests of seats that have one in only one world, without the viewer noticing; false if that is not
/// possible.
fn level(a: &mut Side, b: &mut Side, viewer: Viewer, rng: &mut Rng) -> bool {
    for seat in others(a, viewer) {
        for _ in 0..4 {
            let (in_a, in_b) =
                (a.asked(seat, AskKind::Request).is_some(), b.asked(seat, AskKind::Request).is_some());
            let side = match (in_a, in_b) {
                (true, false) => &mut *a,
                (false, true) => &mut *b,
                _ => break,
            };
            let Some(said) = side.silent(seat, AskKind::Request, rng) else { return false };
            side.submit(seat, &said);
        }
    }
    true
}

/// One step in both worlds; returns whether the worlds got different answers, or `None` if they cannot go on.
fn joint_step(a: &mut Side, b: &mut Side, viewer: Viewer, rng: &mut Rng) -> Option<bool> {
    (a.heard, b.heard) = (Vec::new(), Vec::new());
    if rng.below(4) == 0
        && let Some(varied) = draft(a, b, viewer, rng)
    {
        return Some(varied);
    }
    let asked: Vec<Seat> = (0..a.table.current_match().header().seats)
        .map(Seat::new)
        .filter(|seat| {
            a.asked(*seat, AskKind::Request).is_some() && b.asked(*seat, AskKind::Request).is_some()
        })
        .collect();
    if asked.is_empty() || rng.below(4) == 0 {
        let ahead = if rng.below(2) == 0 { u64::from(rng.below(900)) } else { 5000 };
        let until =
            a.wake.into_iter().chain(b.wake).min().unwrap_or(a.now + ahead).max(a.now).min(a.now + ahead);
        if asked.is_empty() && a.wake.is_none() && b.wake.is_none() {
            return None;
        }
        a.advance(until);
        b.advance(until);
        return Some(false);
    }
    let seat = *rng.pick(&asked);
    let said = a.sample(seat, AskKind::Request, rng)?;
    if viewer != Viewer::Seat(seat) && a.is_silent(seat, &said) {
        let other = b.silent(seat, AskKind::Request, rng).or_else(|| b.takes(seat, &said.json))?;
        a.submit(seat, &said);
        b.submit(seat, &other);
        return Some(said.json != other.json);
    }
    let same = b.takes(seat, &said.json)?;
    a.submit(seat, &said);
    b.submit(seat, &same);
    Some(false)
}

/// Another seat drafts in one world only: the viewer must not notice.
fn draft(a: &mut Side, b: &mut Side, viewer: Viewer, rng: &mut Rng) -> Option<bool> {
    let drafters: Vec<Seat> =
        others(a, viewer).filter(|seat| a.asked(*seat, AskKind::Draft).is_some()).collect();
    if drafters.is_empty() {
        return None;
    }
    let seat = *rng.pick(&drafters);
    let said = a.sample(seat, AskKind::Draft, rng)?;
    a.submit(seat, &said);
    b.handle(Command::Tick);
    Some(true)
}

/// Whether a fact that the viewer was shown in both worlds has two values.
fn lawfully_different(a: &Side, b: &Side, viewer: Viewer) -> bool {
    let (known_a, known_b) = (
        a.table.current_match().game().known_facts(viewer),
        b.table.current_match().game().known_facts(viewer),
    );
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
    let last = |side: &Side| match side
        .table
        .current_match()
        .records()
        .last()
        .map(|record| (&record.by, &record.body))
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
