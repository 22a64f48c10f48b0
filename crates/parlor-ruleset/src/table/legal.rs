//! Everything that a seat may say, where it can be listed; a sample where it is too much.

use parlor_core::{AskId, Rng, Seat};

use super::hosted::Table;
use super::request;
use crate::limits::OPS_PER_LOOK_MAX;
use crate::program::{AskDef, AskKind};
use crate::vm::ask::{Asked, Said};
use crate::vm::eval::Scratch;
use crate::vm::state::Question;
use crate::vm::window::Acting;

/// Legal answers that are listed before a sample stands for all.
const LISTED_MAX: usize = 400;

impl Table {
    /// What a seat may say to an ask.
    pub(super) fn every(&self, seat: Seat, ask: AskId) -> Vec<Said> {
        let (p, s) = (&*self.p, &self.s);
        if ask == request::OFFER {
            return request::every_offer(p);
        }
        let mut x = Scratch::new(OPS_PER_LOOK_MAX);
        let Some(open) = &s.open else { return Vec::new() };
        match &open.what {
            Question::Wait(_) => Vec::new(),
            Question::Choose => {
                let Some(choice) = &s.choice else { return Vec::new() };
                if choice.count() == 1 {
                    return choice.values().into_iter().map(|value| Said::Picks(vec![value])).collect();
                }
                sampled(|rng| Said::Picks(choice.sample(rng)))
            }
            Question::Priority => {
                let acting = Acting { p, s, seat: seat.index() as u8 };
                let mut all = vec![Said::Pass];
                for action in acting.actions(&mut x) {
                    let options = acting.options(&mut x, &p.actions[usize::from(action)], &[]);
                    if options.is_empty() {
                        all.push(Said::Act(action, Vec::new()));
                    }
                    all.extend(options.into_iter().map(|target| Said::Act(action, vec![target])));
                }
                all
            }
            Question::Target => {
                let mut all = vec![Said::Cancel];
                if let Some(announce) = &s.announce {
                    let acting = Acting { p, s, seat: announce.seat };
                    let def = &p.actions[usize::from(announce.action)];
                    all.extend(acting.options(&mut x, def, &announce.targets).into_iter().map(Said::Target));
                }
                all
            }
            Question::Ask(ask) => self.answers(seat, &p.asks[usize::from(*ask)], &mut x),
        }
    }

    fn answers(&self, seat: Seat, def: &AskDef, x: &mut Scratch) -> Vec<Said> {
        let asked = Asked { p: &self.p, s: &self.s, seat };
        let mut options = Vec::new();
        asked.options(x, def, &mut options);
        let (min, max) = asked.bounds(x, def, options.len());
        let choosing = matches!(def.kind, AskKind::Pick);
        if choosing && combinations(options.len(), min, max) <= LISTED_MAX {
            let mut all = Vec::new();
            choose(&options, min, max, 0, &mut Vec::new(), &mut all);
            return all;
        }
        let listed = matches!(def.kind, AskKind::Confirm | AskKind::Mode | AskKind::Number);
        if listed && asked.wide(x, def).is_none() {
            return options.into_iter().map(|value| Said::Picks(vec![value])).collect();
        }
        sampled(|rng| asked.sample(rng))
    }
}

/// Some of what may be said, where all of it is too much.
fn sampled(one: impl Fn(&mut Rng) -> Said) -> Vec<Said> {
    let mut rng = Rng::fast(7);
    let mut all: Vec<Said> = Vec::new();
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

fn choose(options: &[i64], min: usize, max: usize, from: usize, now: &mut Vec<i64>, all: &mut Vec<Said>) {
    if now.len() >= min {
        all.push(Said::Picks(now.clone()));
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
