//! Who `you` is and what `self` is. The flow, phases and the setup are nobody's: an author who leaves a seat to be
//! understood there, by a word or by silence, is told, because the rules would do nothing.

use super::Compiler;
use super::scope::Bound;
use crate::machine::ids::EventType;
use crate::machine::program::{Expr, ExprId, Ty};

/// For whom the code is that is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum ImplicitSeat {
    /// For nobody: the flow, and what is worked out for a whole table.
    #[default]
    Nobody,
    /// For whoever lets this event happen.
    Emitter(EventType),
    /// For a seat; for a card too, where there is one that acts.
    Seat {
        /// Whether `self` is a card.
        card: bool,
    },
}

/// How a seat or a card was spoken of.
#[derive(Clone, Copy, Debug)]
pub(super) enum Left<'a> {
    /// By a zone that each player has.
    Zone(&'a str),
    /// By a word: `you`, `opponent`, `team`.
    Word(&'a str),
    /// By a field that is not there: `who`.
    Field(&'a str),
    /// By a word for a card: `self`.
    Card(&'a str),
}

/// What an event speaks of, or a place lacks.
const YOU: u8 = 1;
const CARD: u8 = 2;

/// What events speak of, and where they are let happen: understood when all of them are known.
#[derive(Debug, Default)]
pub(super) struct Emissions {
    /// What an event speaks of, and where.
    speaks: Vec<(EventType, u8, String)>,
    /// Events that let others happen.
    within: Vec<(EventType, EventType)>,
    /// Where one happens for nobody: the event, what that place lacks, its byte, the way down to it.
    sites: Vec<(EventType, u8, u32, Vec<String>)>,
}

impl<'n> Compiler<'n> {
    /// Compiles something for somebody.
    pub(super) fn with_implicit_seat<R>(
        &mut self,
        implicit_seat: ImplicitSeat,
        f: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let outer = std::mem::replace(&mut self.implicit_seat, implicit_seat);
        let result = f(self);
        self.implicit_seat = outer;
        result
    }

    /// The seat that the code is for, where it was left to be understood: an error where there is none.
    pub(super) fn you(&mut self, at: u32, left: Left<'_>) -> ExprId {
        match self.implicit_seat {
            ImplicitSeat::Nobody => self.nobody(at, left),
            ImplicitSeat::Emitter(event) => self.speaks(event, YOU),
            ImplicitSeat::Seat { .. } => {}
        }
        self.add(Expr::You)
    }

    /// The card that the code is for: an error where there is none.
    pub(super) fn this(&mut self, at: u32, word: &str) -> ExprId {
        match self.implicit_seat {
            ImplicitSeat::Nobody | ImplicitSeat::Seat { card: false } => self.nobody(at, Left::Card(word)),
            ImplicitSeat::Emitter(event) => self.speaks(event, CARD),
            ImplicitSeat::Seat { card: true } => {}
        }
        self.add(Expr::This)
    }

    /// A seat by the name that it has last got here.
    fn known_seat(&self) -> Option<String> {
        self.scope.latest(|bound| matches!(bound, Bound::Local(_, Ty::Seat) | Bound::It(_, Ty::Seat)))
    }

    /// A seat that can be named here, for examples.
    pub(super) fn some_seat(&self) -> String {
        let acts = if matches!(self.implicit_seat, ImplicitSeat::Seat { .. }) { "you" } else { "active" };
        self.known_seat().unwrap_or_else(|| acts.to_owned())
    }

    /// Words that are known everywhere, or only where somebody is meant by them.
    pub(super) fn words(&self) -> Vec<String> {
        let mut words = self.scope.names();
        words.retain(|name| !name.is_empty() && !name.starts_with('?'));
        let (you, card) = match self.implicit_seat {
            ImplicitSeat::Nobody => (false, false),
            ImplicitSeat::Seat { card } => (true, card),
            ImplicitSeat::Emitter(_) => (true, true),
        };
        words.extend(card.then(|| "self".to_owned()));
        words.extend(you.then(|| "you".to_owned()));
        words.extend(["active", "none"].map(str::to_owned));
        words
    }

    /// How something is written that was written as a bare name: a variable, a knob, an attribute, several seats.
    pub(super) fn written(&self, text: &str, want: Ty) -> Option<String> {
        const MANY: [&str; 8] =
            ["all", "each", "any", "opponents", "others", "inTurn", "partners", "enemies"];
        if want == Ty::Seat && MANY.contains(&text) {
            return Some(
                "one seat is expected here: do it for each, with {\"forEach\": {\"seats\": …, \"as\": \"p\", …}}"
                    .to_owned(),
            );
        }
        if text.parse::<i64>().is_ok() && matches!(want, Ty::Int | Ty::Any) {
            return Some(format!("it is a number: write {text} without quotes"));
        }
        if let Some(Bound::Answer(..)) = self.scope.find(&format!("?{text}")) {
            let seat = self.some_seat();
            return Some(format!(
                "several may have answered: {{\"answer\": [\"{text}\", \"{seat}\"]}} is what a seat said"
            ));
        }
        if let Some(var) = self.program.vars.iter().find(|var| var.name == text) {
            return Some(if var.per_player || var.per_team {
                format!("it is a variable: {{\"var\": [\"{}\", \"{text}\"]}}", self.some_seat())
            } else {
                format!("it is a variable: {{\"var\": \"{text}\"}}")
            });
        }
        if self.program.config.iter().any(|knob| knob.name == text) {
            return Some(format!("it is a knob: {{\"config\": \"{text}\"}}"));
        }
        if let Some((of, attr)) = text.split_once('.')
            && self.program.attrs.iter().any(|def| def.name == attr)
        {
            return Some(format!("it is an attribute: {{\"attr\": [\"{of}\", \"{attr}\"]}}"));
        }
        let fields = self.event.map(|event| &self.program.events[event].fields);
        if fields.is_some_and(|fields| fields.iter().any(|(field, _)| field == text)) {
            return Some(format!("it is a field of the event: {{\"ev\": \"{text}\"}}"));
        }
        let attr = self.program.attrs.iter().any(|def| def.name == text);
        attr.then(|| format!("it is an attribute: {{\"attr\": [card, \"{text}\"]}}"))
    }

    fn nobody(&mut self, at: u32, left: Left<'_>) {
        let known = self.known_seat();
        let seat = known.clone().unwrap_or_else(|| "active".to_owned());
        let each = match known {
            Some(_) => String::new(),
            None => ", or \"p\" inside {\"forEach\": {\"seats\": \"all\", \"as\": \"p\", …}}".to_owned(),
        };
        let (message, help) = match left {
            Left::Zone(zone) => (
                format!("each player has a zone {zone}, and no seat is meant here"),
                format!("say whose: {{\"zone\": [\"{zone}\", \"{seat}\"]}}{each}"),
            ),
            Left::Word(word) => (
                format!("nobody is `{word}` here"),
                format!("this is no player's own code: say which seat, \"{seat}\"{each}"),
            ),
            Left::Field(field) => (
                format!("`{field}` is missing, and no seat is meant here"),
                format!("say who: \"{field}\": \"{seat}\"{each}"),
            ),
            Left::Card(word) => (
                format!("no card is `{word}` here"),
                "this is no card's own code: name the card, with `let`, `forEach` or the event's field"
                    .to_owned(),
            ),
        };
        self.findings.error_help("nobody", at, message, help);
    }

    fn speaks(&mut self, event: EventType, of: u8) {
        let pointer = self.findings.pointer();
        self.emissions.speaks.push((event, of, pointer));
    }

    /// Notes that an event is let happen here.
    pub(super) fn emitted(&mut self, event: EventType, at: u32) {
        let lacks = match self.implicit_seat {
            ImplicitSeat::Nobody => YOU | CARD,
            ImplicitSeat::Seat { card: false } => CARD,
            ImplicitSeat::Seat { card: true } => return,
            ImplicitSeat::Emitter(outer) => return self.emissions.within.push((outer, event)),
        };
        let path = self.findings.path();
        self.emissions.sites.push((event, lacks, at, path));
    }

    /// Events that speak of whoever lets them happen, where nobody does.
    pub(super) fn for_nobody(&mut self) {
        let Emissions { mut speaks, within, sites } = std::mem::take(&mut self.emissions);
        // What an event lets happen speaks for it.
        loop {
            let mut more = Vec::new();
            for (outer, inner) in &within {
                for (event, of, pointer) in &speaks {
                    let new = |list: &[(EventType, u8, String)]| {
                        !list.iter().any(|(e, o, _)| e == outer && o == of)
                    };
                    if event == inner && new(&speaks) && new(&more) {
                        more.push((*outer, *of, pointer.clone()));
                    }
                }
            }
            if more.is_empty() {
                break;
            }
            speaks.extend(more);
        }
        for (event, lacks, at, path) in sites {
            let Some((_, of, pointer)) = speaks.iter().find(|(e, of, _)| *e == event && lacks & of != 0)
            else {
                continue;
            };
            let name = self.program.events[event].name.clone();
            let (who, field) = if *of == YOU { ("`you`", "a seat") } else { ("`self`", "the card") };
            let message = format!("{name} speaks of {who}, and here nobody lets it happen");
            let help =
                format!("it does at {pointer}: give the event a field for {field}, and name it with `ev`");
            let outer = self.findings.go(path);
            self.findings.error_help("nobody", at, message, help);
            self.findings.go(outer);
        }
    }
}
