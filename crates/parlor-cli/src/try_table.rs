//! `parlor try` and `parlor play`: a table in the terminal.
//!
//! It drives a real [`Table`] with a store that takes every record at once, so whatever happens here happens on a
//! server too. One person plays one seat, or several people share the terminal.

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use parlor_core::{Entry, Json, Seat, Seed, Viewer};
use parlor_host::{Answers, Command, ConnId, Effect, Occupant, Submit, Table, TableSettings};

use crate::keyboard::{Heard, Keyboard};
use crate::screen::Screen;
use crate::shell::{Done, Failure, json_arg};
use crate::store::Recorder;
use crate::{answer, registry, render};

/// How long a bot takes where a person watches.
const BOT_MS: u64 = 400;

/// How long it takes elsewhere: not nothing, so that whoever connects sees the first move too.
const HASTY_BOT_MS: u64 = 1;

/// What `parlor try` takes.
#[derive(clap::Args)]
#[command(after_help = "Answer with numbers or titles; ? at the table says how. u takes back, q leaves.\n\n\
    Examples:\n  parlor try oxo --seat 1 --seed spring --record match.jsonl\n  \
    parlor try oxo --bots all --fast\n  printf '1\\n5\\n' | parlor try oxo")]
pub(crate) struct TryArgs {
    /// The game; parlor games lists them
    game: String,
    #[command(flatten)]
    options: Options,
}

/// What `parlor play` takes.
#[derive(clap::Args)]
#[command(after_help = "Answer with numbers or titles; ? at the table says how. u takes back, q leaves.\n\n\
    Examples:\n  parlor play\n  parlor play oxo --seat 1")]
pub(crate) struct PlayArgs {
    /// The game; parlor games lists them
    #[arg(default_value = "oxo")]
    game: String,
    #[command(flatten)]
    options: Options,
}

/// How the table is set.
#[derive(clap::Args)]
struct Options {
    /// Your seat, counted from 0; bots take the others [default: 0]
    #[arg(long, value_name = "N")]
    seat: Option<u8>,
    /// The seats that bots take: all, none, or a list such as 1,3; you play every other seat
    #[arg(long, value_name = "all|none|N,…", value_delimiter = ',', value_parser = BotSeat::parse)]
    bots: Vec<BotSeat>,
    /// How many seats; the fewest the game allows if not given
    #[arg(long, value_name = "N")]
    seats: Option<u8>,
    /// Play with the luck this text names; without it nobody knows the seed before the end
    #[arg(long, value_name = "TEXT")]
    seed: Option<String>,
    /// The table's settings
    #[arg(long, value_name = "JSON", value_parser = json_arg, default_value = "null", hide_default_value = true)]
    settings: Json,
    /// Write the log of the match to this file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Jump over waits, and stop the clocks while you think
    #[arg(long)]
    fast: bool,
    /// Print every message of the table as one JSON object a line
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BotSeat {
    All,
    None,
    One(u8),
}

impl BotSeat {
    fn parse(text: &str) -> Result<Self, String> {
        match text {
            "all" => Ok(Self::All),
            "none" => Ok(Self::None),
            _ => text
                .parse()
                .map(Self::One)
                .map_err(|_| "expected 'all', 'none' or the number of a seat".to_owned()),
        }
    }
}

/// Opens a table of the game that was named.
pub(crate) fn run(args: TryArgs) -> Done {
    sit_down(&args.game, args.options)
}

/// Opens a table of any game, by default the smallest.
pub(crate) fn play(args: PlayArgs) -> Done {
    sit_down(&args.game, args.options)
}

fn sit_down(game: &str, options: Options) -> Done {
    let entry = registry::find(game)?;
    let seats = registry::seats(&entry, options.seats)?;
    let people = people(&options, seats)?;
    TableTop::open(entry, options, seats, &people)?.run()
}

/// The seats that are played from this terminal.
fn people(options: &Options, seats: u8) -> Result<BTreeSet<u8>, Failure> {
    let named = options.bots.iter().filter_map(|bot| match bot {
        BotSeat::All | BotSeat::None => None,
        BotSeat::One(seat) => Some(*seat),
    });
    if let Some(none) = named.clone().chain(options.seat).find(|seat| *seat >= seats) {
        return Err(Failure::usage(format!("there is no seat {none}, this table has {seats}"))
            .hint("seats are counted from 0"));
    }
    let bots: BTreeSet<u8> =
        if options.bots.contains(&BotSeat::All) { (0..seats).collect() } else { named.collect() };
    if let Some(seat) = options.seat.filter(|seat| bots.contains(seat)) {
        return Err(Failure::usage(format!("seat {seat} cannot be both yours and a bot's")));
    }
    if options.bots.is_empty() {
        return Ok(BTreeSet::from([options.seat.unwrap_or(0)]));
    }
    Ok((0..seats).filter(|seat| !bots.contains(seat)).collect())
}

/// The table and those who sit at this terminal.
struct TableTop {
    table: Table,
    time: Time,
    /// When the table wants to be woken, in its driver's time.
    wake: Option<u64>,
    /// The driver's time at which the match began: match time runs from there.
    began: u64,
    screens: Vec<Screen>,
    keyboard: Keyboard,
    recorder: Option<Recorder>,
    /// Which of the standing requests is shown; `o` goes to the next.
    turned: usize,
    /// Who answered last: an undo is his.
    last: ConnId,
    /// The request on the screen, so that it is not shown twice.
    shown: Option<(ConnId, u32)>,
    json: bool,
}

impl TableTop {
    fn open(entry: Entry, options: Options, seats: u8, people: &BTreeSet<u8>) -> Result<Self, Failure> {
        let one = people.len() == 1;
        let chairs = (0..seats).map(|seat| match people.contains(&seat) {
            true if one => Occupant::human("Player"),
            true => Occupant::human(&format!("Player {seat}")),
            false => Occupant::bot(&format!("Bot {seat}")),
        });
        let keyboard = Keyboard::open();
        let watched = !options.fast && keyboard.live && io::stdout().is_terminal();
        let settings =
            TableSettings { bot_ms: if watched { BOT_MS } else { HASTY_BOT_MS }, ..TableSettings::default() };
        let seed = options.seed.as_deref().map_or_else(secret_seed, Seed::from_text);
        let time = Time::start(options.fast);
        let seeded = options.seed.is_some();
        let opened =
            Table::open(entry, seed, seeded, options.settings, chairs.collect(), settings, time.now());
        let (table, effects) = opened.map_err(|refusal| {
            Failure::usage(format!("this cannot be played: {refusal}"))
                .hint("parlor games shows the settings of each game")
        })?;
        let viewers: Vec<Viewer> = match people.is_empty() {
            true => vec![Viewer::Gallery],
            false => people.iter().map(|seat| Seat::new(*seat).into()).collect(),
        };
        let screens = viewers.iter().enumerate().map(|(n, viewer)| Screen::new(ConnId(n as u64), *viewer));
        let mut top = Self {
            table,
            time,
            wake: None,
            began: 0,
            screens: screens.collect(),
            keyboard,
            recorder: options.record.map(|path| Recorder::new(entry, path)),
            turned: 0,
            last: ConnId(0),
            shown: None,
            json: options.json,
        };
        top.greet(&entry)?;
        top.carry_out(effects)?;
        for (n, viewer) in viewers.into_iter().enumerate() {
            top.tell(Command::Connect { conn: ConnId(n as u64), viewer, last_v: None })?;
        }
        Ok(top)
    }

    fn greet(&self, entry: &Entry) -> Done {
        let help = if self.screens[0].viewer.seat().is_some() {
            "? helps, u takes back, q leaves"
        } else {
            "q leaves"
        };
        self.say(&format!("{} — {help}\n", entry.title))
    }

    // ---- the table ----

    /// Tells the table something, and does what it then wants done.
    fn tell(&mut self, command: Command) -> Done {
        self.wake = None;
        let effects = self.table.handle(self.time.now(), command);
        self.carry_out(effects)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> Done {
        let mut effects = VecDeque::from(effects);
        while let Some(effect) = effects.pop_front() {
            match effect {
                Effect::Append(append) => {
                    if let Some(recorder) = &mut self.recorder {
                        recorder.append(&append)?;
                    }
                    if append.opens.is_some() {
                        self.began = self.time.now();
                    }
                    let seq = append.record.map_or(0, |record| record.seq);
                    let stored = Command::Appended { match_no: append.match_no, seq };
                    effects.extend(self.table.handle(self.time.now(), stored));
                }
                Effect::Send { conn, message } => {
                    if self.json {
                        self.print(&format!("{}\n", serde_json::to_string(&*message).unwrap_or_default()))?;
                    }
                    for screen in self.screens.iter_mut().filter(|screen| screen.conn == conn) {
                        screen.hear(&message)?;
                    }
                }
                Effect::Wake { at } => self.wake = Some(at),
                Effect::Close { .. } | Effect::Finished => {}
            }
        }
        match self.screens.len() {
            1 => self.tell_news(0),
            // Who shares a terminal reads his news when he is asked, and not over somebody's shoulder.
            _ => Ok(()),
        }
    }

    // ---- the evening ----

    /// Plays until the match is over or the player leaves. The log is ended properly whatever happens.
    fn run(mut self) -> Done {
        let played = self.evening();
        let closed = self.recorder.as_mut().map_or(Ok(()), Recorder::close);
        played.and(closed)
    }

    fn evening(&mut self) -> Done {
        loop {
            if self.table.finished() {
                return self.end();
            }
            if self.bots_are_due() {
                self.pass_time()?;
                self.tell(Command::Tick)?;
                continue;
            }
            let asked = self.asked();
            let heard = match asked {
                Some(place) => {
                    self.show(place)?;
                    self.keyboard.hear(self.time.left(self.wake))
                }
                None => self.pass_time()?,
            };
            match heard {
                Heard::Line(line) => {
                    if self.obey(asked, line.trim())? {
                        return self.say("\nYou have left the table.\n");
                    }
                }
                Heard::Nothing => self.tell(Command::Tick)?,
                Heard::Closed => return self.say("\nThere is no more input: you have left the table.\n"),
            }
        }
    }

    /// Whether bots act before the next line is heard: where no person types, an answer that is there already must not
    /// overtake them.
    fn bots_are_due(&self) -> bool {
        let hasty = self.time.is_fast() || !self.keyboard.live;
        hasty && self.wake.is_some_and(|at| at <= self.time.now() + HASTY_BOT_MS)
    }

    /// The request to show: a screen and one of its prompts.
    fn asked(&self) -> Option<(usize, usize)> {
        let all = || {
            let each = |n: usize| (0..self.screens[n].prompts.len()).map(move |m| (n, m));
            (0..self.screens.len()).flat_map(each)
        };
        let waits = |place: &(usize, usize)| self.screens[place.0].prompts[place.1].kind == "request";
        // An offer alone holds nobody up; it is worth a stop only if a person is there to take it, in time that runs.
        let in_passing = self.wake.is_some() && (self.time.is_fast() || !self.keyboard.live);
        if in_passing && !all().any(|place| waits(&place)) {
            return None;
        }
        let mut places: Vec<(usize, usize)> = all().collect();
        places.sort_by_key(|place| !waits(place));
        (!places.is_empty()).then(|| places[self.turned % places.len()])
    }

    /// Nobody here is asked: lets the table's time pass.
    fn pass_time(&mut self) -> Result<Heard, Failure> {
        let Some(at) = self.wake else {
            // Only an order could move this table, and nobody here gives any.
            return Ok(self.keyboard.hear(None));
        };
        if self.time.jump(at) {
            return Ok(Heard::Nothing);
        }
        let left = self.time.left(Some(at));
        if self.keyboard.live {
            return Ok(self.keyboard.hear(left));
        }
        std::thread::sleep(left.unwrap_or_default());
        Ok(Heard::Nothing)
    }

    /// Does what a line says. Whether the player leaves.
    fn obey(&mut self, asked: Option<(usize, usize)>, line: &str) -> Result<bool, Failure> {
        if !self.keyboard.live {
            self.say(&format!("{line}\n"))?;
        }
        match (line, asked) {
            ("q" | "quit", _) => return Ok(true),
            ("?" | "help", _) => {
                self.say(&format!("{}{COMMANDS}", answer::HELP))?;
                self.shown = None;
            }
            ("u" | "undo", _) => {
                self.shown = None;
                self.tell(Command::Undo { conn: self.last, to: None })?;
            }
            ("o" | "other", _) => {
                self.turned += 1;
                self.shown = None;
            }
            ("", _) => self.shown = None,
            (_, None) => self.say("Nothing is asked of you now.\n")?,
            (_, Some((n, m))) => self.submit(n, m, line)?,
        }
        Ok(false)
    }

    fn submit(&mut self, n: usize, m: usize, line: &str) -> Done {
        let screen = &self.screens[n];
        let prompt = &screen.prompts[m];
        let (conn, input) = (screen.conn, prompt.input_id);
        match answer::parse(line, &prompt.selector) {
            Ok(answer) => {
                (self.shown, self.turned, self.last) = (None, 0, conn);
                self.tell(Command::Submit(conn, Submit { to: Answers::Input(input), answer, key: None }))?;
                self.tell_news(n)
            }
            Err(why) => self.say(&format!("Not understood: {why}\n> ")),
        }
    }

    // ---- what is shown ----

    fn show(&mut self, (n, m): (usize, usize)) -> Done {
        let place = (self.screens[n].conn, self.screens[n].prompts[m].input_id);
        if self.shown.replace(place) == Some(place) {
            return Ok(());
        }
        self.tell_news(n)?;
        let screen = &self.screens[n];
        let prompt = &screen.prompts[m];
        let mut text = match self.screens.len() {
            1 => "\n".to_owned(),
            _ => format!("\n── {} ──\n", screen.name()),
        };
        text.push_str(&render::view(&screen.view, "  "));
        text.push('\n');
        if let Some(left) = prompt.until.and_then(|until| self.time.left(Some(self.began + until))) {
            text.push_str(&format!("[{} s] ", left.as_secs()));
        }
        text.push_str(&render::request(&prompt.selector));
        let others = self.screens.iter().map(|screen| screen.prompts.len()).sum::<usize>() - 1;
        if others > 0 {
            text.push_str(&format!("  o) something else is asked too ({others})\n"));
        }
        self.say(&format!("{text}> "))
    }

    fn tell_news(&mut self, n: usize) -> Done {
        let screen = &mut self.screens[n];
        let mut news: String = screen.take_news().into_iter().map(|line| format!("{line}\n")).collect();
        if news.is_empty() {
            return Ok(());
        }
        // Who only watches is never asked, and would never see the table otherwise.
        if screen.viewer == Viewer::Gallery {
            news.push_str(&format!("{}\n", render::view(&screen.view, "  ")));
        }
        self.say(&news)
    }

    /// Something for people to read.
    fn say(&self, text: &str) -> Done {
        if self.json { Ok(()) } else { self.print(text) }
    }

    fn print(&self, text: &str) -> Done {
        let mut out = io::stdout().lock();
        out.write_all(text.as_bytes())?;
        Ok(out.flush()?)
    }

    // ---- the end ----

    fn end(&mut self) -> Done {
        self.tell_news(0)?;
        if self.screens[0].viewer != Viewer::Gallery {
            self.say(&format!("\n{}\n", render::view(&self.screens[0].view, "  ")))?;
        }
        if let Some(over) = &self.screens[0].over {
            self.say(&format!("{}\n", over.text))?;
        }
        Ok(())
    }
}

const COMMANDS: &str = "  u            ask to take back your last answer
  o            go to the next thing that is asked
  q            leave the table
";

/// The table's time: the wall's, or one that only jumps.
enum Time {
    Real(Instant),
    Fast(u64),
}

impl Time {
    fn start(fast: bool) -> Self {
        if fast { Self::Fast(0) } else { Self::Real(Instant::now()) }
    }

    fn is_fast(&self) -> bool {
        matches!(self, Self::Fast(_))
    }

    /// Milliseconds since the table was opened.
    fn now(&self) -> u64 {
        match self {
            Self::Real(start) => u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
            Self::Fast(now) => *now,
        }
    }

    /// How long until then; nothing runs out in a time that only jumps.
    fn left(&self, at: Option<u64>) -> Option<Duration> {
        match self {
            Self::Real(_) => at.map(|at| Duration::from_millis(at.saturating_sub(self.now()))),
            Self::Fast(_) => None,
        }
    }

    /// Jumps to then, if it can.
    fn jump(&mut self, at: u64) -> bool {
        match self {
            Self::Real(_) => false,
            Self::Fast(now) => {
                *now = at.max(*now);
                true
            }
        }
    }
}

/// A seed that nobody knows: from the system where it has a source of luck, else from the keys of a fresh hasher.
fn secret_seed() -> Seed {
    let mut bytes = [0; 96];
    match std::fs::File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes)) {
        Ok(()) => Seed::from_bytes(&bytes),
        Err(_) => {
            use std::hash::BuildHasher;
            let word = |n: u64| std::collections::hash_map::RandomState::new().hash_one(n).to_string();
            Seed::from_text(&(0..12).map(word).collect::<String>())
        }
    }
}
