//! Everything that a seat may say, where it can be listed; a sample where it is too much.

use parlor_core::{AskId, Rng, Seat};

use super::dyn_game::RulesetGame;
use super::request;
use crate::limits::OPS_PER_LOOK_MAX;
use crate::machine::eval::Scratch;
use crate::machine::program::{AskDef, AskKind};
use crate::machine::requests::{Asked, SeatInput};
use crate::machine::stack::window::Acting;
use crate::machine::state::Question;

/// Legal answers that are listed before a sample stands for all.
const LISTED_MAX: usize = 400;

impl RulesetGame {
    /// What a seat may say to an ask.
    pub(super) fn every(&self, seat: Seat, ask: AskId) -> Vec<SeatInput> {
        let (program, state) = (&*self.program, &self.state);
        if ask == request::OFFER {
            return request::every_offer(program);
        }
        let mut scratch = Scratch::new(OPS_PER_LOOK_MAX);
        let Some(open) = &state.open else { return Vec::new() };
        match &open.what {
            Question::Wait(_) => Vec::new(),
            Question::Choose => {
                let Some(choice) = &state.choice else { return Vec::new() };
                if choice.count() == 1 {
                    return choice.values().into_iter().map(|value| SeatInput::Picks(vec![value])).collect();
                }
                sampled(|rng| SeatInput::Picks(choice.sample(rng)))
            }
            Question::Priority => {
                let acting = Acting { program, state, seat: seat.index() as u8 };
                let mut all = vec![SeatInput::Pass];
                for action in acting.actions(&mut scratch) {
                    let options = acting.options(&mut scratch, &program.actions[action], &[]);
                    if options.is_empty() {
                        all.push(SeatInput::Act(action, Vec::new()));
                    }
                    all.extend(options.into_iter().map(|target| SeatInput::Act(action, vec![target])));
                }
                all
            }
            Question::Target => {
                let mut all = vec![SeatInput::Cancel];
                if let Some(announce) = &state.announce {
                    let acting = Acting { program, state, seat: announce.seat };
                    let def = &program.actions[announce.action];
                    all.extend(
                        acting
                            .options(&mut scratch, def, &announce.targets)
                            .into_iter()
                            .map(SeatInput::Target),
                    );
                }
                all
            }
            Question::Ask(ask) => self.answers(seat, &program.asks[*ask], &mut scratch),
        }
    }

    fn answers(&self, seat: Seat, def: &AskDef, scratch: &mut Scratch) -> Vec<SeatInput> {
        let asked = Asked { program: &self.program, state: &self.state, seat };
        let mut options = Vec::new();
        asked.options(scratch, def, &mut options);
        let (min, max) = asked.bounds(scratch, def, options.len());
        let choosing = matches!(def.kind, AskKind::Pick);
        if choosing && combinations(options.len(), min, max) <= LISTED_MAX {
            let mut all = Vec::new();
            choose(&options, min, max, 0, &mut Vec::new(), &mut all);
            let fits = |said: &SeatInput, scratch: &mut Scratch| match said {
                SeatInput::Picks(picks) => asked.fits(scratch, def, picks),
                _ => true,
            };
            let fitting: Vec<SeatInput> = all.iter().filter(|said| fits(said, scratch)).cloned().collect();
            return if fitting.is_empty() { all } else { fitting };
        }
        let listed = matches!(def.kind, AskKind::Confirm | AskKind::Mode | AskKind::Number);
        if listed && asked.wide(scratch, def).is_none() {
            return options.into_iter().map(|value| SeatInput::Picks(vec![value])).collect();
        }
        sampled(|rng| asked.sample(rng))
    }
}

/// Some of what may be said, where all of it is too much.
fn sampled(one: impl Fn(&mut Rng) -> SeatInput) -> Vec<SeatInput> {
    let mut rng = Rng::fast(7);
    let mut all: Vec<SeatInput> = Vec::new();
    for _ in 0..40 {
        let said = one(&mut rng);
        if !all.contains(&said) {
            all.push(said);
        }
    }
    all
}

/// How many ways there are to choose `min` to `max` of `n`; stops counting when there are too many.
fn combinations(n: usize, min: usize, max: usize) -> usize {
    let mut all = 0usize;
    for k in min..=max {
        let mut ways = 1usize;
        for i in 0..k {
            ways = ways.saturating_mul(n - i) / (i + 1);
        }
        all = all.saturating_add(ways);
    }
    all
}

fn choose(
    options: &[i64],
    min: usize,
    max: usize,
    from: usize,
    now: &mut Vec<i64>,
    all: &mut Vec<SeatInput>,
) {
    if now.len() >= min {
        all.push(SeatInput::Picks(now.clone()));
    }
    if now.len() == max {
        return;
    }
    for n in from..options.len() {
        now.push(options[n]);
        choose(options, min, max, n + 1, now, all);
        now.pop();
    }
}
