//! A table in the terminal.
//!
//! It drives a real [`Table`] with a store that confirms every record at once, so it behaves as it would on a server.
//! One person plays one seat, or several people share the terminal.

#[cfg(test)]
mod tests;

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::rc::Rc;

use parlor_core::{GameDef, Json, Seat, Seed, Viewer};
use parlor_host::{AnswerTarget, Command, ConnId, Effect, NewTable, Occupant, Submit, Table, TableSettings};

use crate::keyboard::{Heard, Keyboard};
use crate::screen::Screen;
use crate::sheet::Sheet;
use crate::shell::{Done, Failure};
use crate::store::Recorder;
use crate::time::Time;
use crate::{answer, render};

/// How long a bot takes to answer when a person watches.
const BOT_MS: u64 = 400;

/// How long it takes otherwise: more than zero, so that a viewer who connects sees the first move too.
const HASTY_BOT_MS: u64 = 1;

/// The table to open.
pub(crate) struct Plan {
    pub(crate) def: GameDef,
    pub(crate) seats: u8,
    /// The seats that are played from this terminal; bots take the others.
    pub(crate) people: BTreeSet<u8>,
    pub(crate) seed: Seed,
    /// Whether the player chose the seed.
    pub(crate) seeded: bool,
    pub(crate) settings: Json,
    pub(crate) record: Option<PathBuf>,
    /// Whether time jumps over waits instead of passing.
    pub(crate) fast: bool,
    /// Whether messages are printed as JSON.
    pub(crate) json: bool,
}

impl Plan {
    fn chairs(&self) -> Vec<Occupant> {
        let chair = |seat| match (self.people.contains(&seat), self.people.len()) {
            (true, 1) => Occupant::human("Player"),
            (true, _) => Occupant::human(&format!("Player {seat}")),
            (false, _) => Occupant::bot(&format!("Bot {seat}")),
        };
        (0..self.seats).map(chair).collect()
    }

    /// All viewers at this terminal; the gallery if no seat is played here.
    fn viewers(&self) -> Vec<Viewer> {
        if self.people.is_empty() {
            return vec![Viewer::Gallery];
        }
        self.people.iter().map(|seat| Seat::new(*seat).into()).collect()
    }
}

/// The table and the players at this terminal.
pub(crate) struct TableTop {
    table: Table,
    time: Time,
    /// When the table asked to be woken, in its driver's time.
    wake: Option<u64>,
    /// The driver's time at which the match began; match time counts from there.
    began: u64,
    screens: Vec<Screen>,
    keyboard: Keyboard,
    recorder: Option<Recorder>,
    /// Which of the open requests is shown; `o` goes to the next.
    turned: usize,
    /// The player who answered last; an undo is on their behalf.
    last: ConnId,
    /// The request that was shown last, so that it is not shown twice.
    shown: Option<(ConnId, u32)>,
    /// Whether the cursor is behind a prompt.
    prompted: bool,
    json: bool,
    out: Box<dyn Write>,
}

impl TableTop {
    /// Opens the table and connects its viewers.
    pub(crate) fn open(plan: Plan, keyboard: Keyboard, out: Box<dyn Write>) -> Result<Self, Failure> {
        let watched = !plan.fast && keyboard.live && io::stdout().is_terminal();
        let settings =
            TableSettings { bot_ms: if watched { BOT_MS } else { HASTY_BOT_MS }, ..TableSettings::default() };
        let (time, chairs, viewers) = (Time::start(plan.fast), plan.chairs(), plan.viewers());
        let new = NewTable::new(plan.def, plan.seed, chairs).rules(plan.settings).settings(settings);
        let opened = Table::open(NewTable { seeded: plan.seeded, ..new }, time.now());
        let (table, effects) = opened.map_err(|refusal| {
            Failure::usage(format!("cannot start a match: {refusal}"))
                .hint("run `parlor games` to see the settings of each game")
        })?;
        let sheet = Sheet::of(&plan.def).map(Rc::new);
        let screens = viewers.iter().enumerate();
        let screens = screens.map(|(n, viewer)| Screen::new(ConnId(n as u64), *viewer, sheet.clone()));
        let mut top = Self {
            table,
            time,
            wake: None,
            began: 0,
            screens: screens.collect(),
            keyboard,
            recorder: plan.record.map(|path| Recorder::new(plan.def, path)),
            turned: 0,
            last: ConnId(0),
            shown: None,
            prompted: false,
            json: plan.json,
            out,
        };
        top.greet(plan.def.title)?;
        top.carry_out(effects)?;
        for (n, viewer) in viewers.into_iter().enumerate() {
            top.handle(Command::Connect { conn: ConnId(n as u64), viewer, last_v: None })?;
        }
        Ok(top)
    }

    fn greet(&mut self, title: &str) -> Done {
        let seated = self.screens[0].viewer.seat().is_some();
        let help = if seated { "? for help, u to undo, q to quit" } else { "q to quit" };
        self.say(&format!(
            "{title} — {help}
"
        ))
    }

    // ---- the table ----

    /// Sends the table a command and carries out its effects.
    fn handle(&mut self, command: Command) -> Done {
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
                Effect::Think { seat, input } => {
                    let answer = self.table.bot_task(seat, input).and_then(|task| task.run().ok());
                    let decided = Command::Decided { seat, input, answer };
                    effects.extend(self.table.handle(self.time.now(), decided));
                }
                // Nobody here pays from an account.
                Effect::Reserve { id, .. } => {
                    effects.extend(self.table.handle(self.time.now(), Command::Reserved { id }));
                }
                Effect::Close { .. }
                | Effect::Finished
                | Effect::Warn { .. }
                | Effect::Said { .. }
                | Effect::Release { .. }
                | Effect::Sat { .. }
                | Effect::WantsSeat { .. }
                | Effect::Left { .. }
                | Effect::Vacated { .. }
                | Effect::Expelled { .. } => {}
            }
        }
        match self.screens.len() {
            1 => self.tell_news(0),
            // Players who share a terminal see their news only when it is their turn to answer.
            _ => Ok(()),
        }
    }

    // ---- the loop ----

    /// Plays until the match is over or the player leaves. The log gets its footer in either case.
    pub(crate) fn run(mut self) -> Done {
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
                self.handle(Command::Tick)?;
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
                        return self.say("You have left the table.\n");
                    }
                }
                Heard::Nothing => self.handle(Command::Tick)?,
                Heard::Closed => return self.say("End of input: you have left the table.\n"),
            }
        }
    }

    /// Whether bots act before the next line is read: piped answers are there already and must not overtake them.
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
        let waits = |place: &(usize, usize)| {
            self.screens[place.0].prompts[place.1].kind == parlor_wire::PromptKind::Request
        };
        // An offer alone blocks nothing: wait for an answer to it only if a person is at the keyboard in real time.
        let in_passing = self.wake.is_some() && (self.time.is_fast() || !self.keyboard.live);
        if in_passing && !all().any(|place| waits(&place)) {
            return None;
        }
        let mut places: Vec<(usize, usize)> = all().collect();
        places.sort_by_key(|place| !waits(place));
        (!places.is_empty()).then(|| places[self.turned % places.len()])
    }

    /// There is no request for this terminal: lets the table's time pass.
    fn pass_time(&mut self) -> Result<Heard, Failure> {
        let Some(at) = self.wake else {
            // Only an operator's command could move this table, and none comes from here.
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

    /// Carries out a line. Returns whether the player leaves.
    fn obey(&mut self, asked: Option<(usize, usize)>, line: &str) -> Result<bool, Failure> {
        // A terminal has echoed the line already; a pipe has not.
        if std::mem::take(&mut self.prompted) && !self.keyboard.live {
            self.say(&format!("{line}\n"))?;
        }
        match (line, asked) {
            ("q" | "quit", _) => return Ok(true),
            ("?" | "help", _) => {
                self.say(&format!("{}{COMMANDS}", answer::HELP))?;
                self.shown = None;
            }
            ("u" | "undo", _) => {
                self.handle(Command::Undo { conn: self.last, to: None, key: None })?;
                // Another player must agree first, or the undo was refused: the same request stays open.
                if self.shown == self.asked().map(|place| self.id_of(place)) && !self.bots_are_due() {
                    self.prompt()?;
                }
            }
            ("o" | "other", _) => {
                self.turned += 1;
                self.shown = None;
            }
            ("", _) => self.shown = None,
            (_, None) => self.say("There is nothing to answer now.\n")?,
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
                self.handle(Command::Submit(
                    conn,
                    Submit { to: AnswerTarget::Input(input), answer, key: None },
                ))?;
                self.tell_news(n)
            }
            Err(why) => {
                self.say(&format!("Not understood: {why}\n"))?;
                self.prompt()
            }
        }
    }

    // ---- output ----

    fn show(&mut self, (n, m): (usize, usize)) -> Done {
        let id = self.id_of((n, m));
        if self.shown.replace(id) == Some(id) {
            return Ok(());
        }
        self.tell_news(n)?;
        let screen = &self.screens[n];
        let prompt = &screen.prompts[m];
        let mut text = match self.screens.len() {
            1 => "\n".to_owned(),
            _ => format!("\n── {} ──\n", screen.name()),
        };
        text.push_str(&screen.table());
        text.push('\n');
        if let Some(left) = prompt.until.and_then(|until| self.time.left(Some(self.began + until))) {
            text.push_str(&format!("[{} s] ", left.as_secs()));
        }
        text.push_str(&render::request(&prompt.selector));
        let others = self.screens.iter().map(|screen| screen.prompts.len()).sum::<usize>() - 1;
        if others > 0 {
            text.push_str(&format!("  o) show the next request ({others} more)\n"));
        }
        self.say(&text)?;
        self.prompt()
    }

    /// Identifies an open request among all others at this terminal.
    fn id_of(&self, (n, m): (usize, usize)) -> (ConnId, u32) {
        (self.screens[n].conn, self.screens[n].prompts[m].input_id)
    }

    fn prompt(&mut self) -> Done {
        self.say("> ")?;
        self.prompted = true;
        Ok(())
    }

    fn tell_news(&mut self, n: usize) -> Done {
        let screen = &mut self.screens[n];
        let mut news: String = screen.take_news().into_iter().map(|line| format!("{line}\n")).collect();
        if news.is_empty() {
            return Ok(());
        }
        // A spectator gets no requests, with which the view is shown otherwise.
        if screen.viewer == Viewer::Gallery {
            news.push_str(&format!("{}\n", screen.table()));
        }
        self.say(&news)
    }

    /// Prints text for people; nothing with `--json`.
    fn say(&mut self, text: &str) -> Done {
        if self.json {
            return Ok(());
        }
        if std::mem::take(&mut self.prompted) {
            self.print("\n")?;
        }
        self.print(text)
    }

    fn print(&mut self, text: &str) -> Done {
        self.out.write_all(text.as_bytes())?;
        Ok(self.out.flush()?)
    }

    // ---- the end ----

    fn end(&mut self) -> Done {
        self.tell_news(0)?;
        if self.screens[0].viewer != Viewer::Gallery {
            self.say(&format!("\n{}\n", self.screens[0].table()))?;
        }
        match &self.screens[0].over {
            Some(over) => self.say(&format!("{}\n", over.text.clone())),
            None => Ok(()),
        }
    }
}

const COMMANDS: &str = "  u            ask to take back your last answer
  o            show the next open request
  q            leave the table
";
