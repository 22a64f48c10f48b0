//! Selectors as questions, with every feature: nested choices, exclusive and extra ones, actions beside a selection.

use parlor_core::selector::{Bounds, Form};
use parlor_core::{Choice, Chosen, Json, Picked, Refusal, Response, Rng, Selector};
use serde_json::json;

use super::{Branch, CheckedAnswer, Offer, Question, Terms, response, spoken};

/// The script gets what was chosen: picks by their indexes, or the action as it was sent, which the script must
/// check.
impl Question for Selector {
    type Answer = Chosen;

    fn terms(&self) -> Terms {
        Terms { secret: self.no_auto_respond, ..Terms::PLAIN }
    }

    fn describe(&self) -> Selector {
        self.clone()
    }

    fn read(&self, answer: &Json) -> Result<CheckedAnswer, Refusal> {
        Ok(match self.validate(&response(answer)?)? {
            Chosen::Picks(picks) => CheckedAnswer::Nested(picks.iter().map(branch).collect()),
            Chosen::Action(data) => CheckedAnswer::Free(data.to_string().into()),
        })
    }

    fn to_answer(&self, answer: &CheckedAnswer) -> Json {
        let selection = match answer {
            CheckedAnswer::Nested(branches) => speak(&self.choices, branches),
            CheckedAnswer::Free(text) => serde_json::from_str(text).unwrap_or_default(),
            CheckedAnswer::One(_) | CheckedAnswer::Some(_) => speak(&self.choices, &plain(answer)),
        };
        spoken(&Response { actor: None, title: Some(self.title.clone()), selection })
    }

    fn fits(&self, answer: &CheckedAnswer) -> bool {
        self.read(&Question::to_answer(self, answer)).is_ok()
    }

    fn take(self, answer: CheckedAnswer) -> Chosen {
        match answer {
            CheckedAnswer::Nested(branches) => Chosen::Picks(branches.iter().map(picked).collect()),
            CheckedAnswer::Free(text) => Chosen::Action(serde_json::from_str(&text).unwrap_or_default()),
            plain_picks => Chosen::Picks(plain(&plain_picks).iter().map(picked).collect()),
        }
    }

    fn sample(&self, rng: &mut Rng) -> CheckedAnswer {
        match self.form {
            Form::Action => CheckedAnswer::Free("{}".into()),
            Form::Select => CheckedAnswer::Nested(sample(&self.choices, &self.bounds, rng)),
        }
    }

    fn legal(&self) -> Vec<CheckedAnswer> {
        if self.form == Form::Action {
            return vec![CheckedAnswer::Free("{}".into())];
        }
        let (min, max) = self.bounds.among(countable(&self.choices).count());
        let least: Vec<Branch> = sets_of(&self.choices, min).next().unwrap_or_default();
        let mut all = vec![CheckedAnswer::Nested(least)];
        if max > 0 {
            let some = sets_of(&self.choices, min.max(1)).map(CheckedAnswer::Nested);
            all.extend(some.filter(|answer| *answer != all[0]).collect::<Vec<_>>());
        }
        all
    }

    fn forced(&self) -> Option<CheckedAnswer> {
        Selector::forced(self).map(|_| CheckedAnswer::picks(0..self.choices.len()))
    }

    fn offer(&self) -> Offer<'_> {
        let (min, max) = self.bounds.among(countable(&self.choices).count());
        Offer { title: &self.title, keys: (0..self.choices.len() as u32).collect(), min, max }
    }
}

fn branch(picked: &Picked) -> Branch {
    Branch { index: picked.index as u16, nested: picked.nested.iter().map(branch).collect() }
}

fn picked(branch: &Branch) -> Picked {
    Picked { index: branch.index.into(), nested: branch.nested.iter().map(picked).collect() }
}

fn plain(answer: &CheckedAnswer) -> Vec<Branch> {
    answer.indexes().iter().map(|index| Branch { index: *index, nested: Vec::new() }).collect()
}

fn speak(choices: &[Choice], branches: &[Branch]) -> Json {
    let one = |branch: &Branch| {
        let Some(choice) = choices.get(usize::from(branch.index)) else { return Json::Null };
        let mut item = json!({"title": choice.title});
        if let Some(id) = &choice.id {
            item["id"] = json!(id);
        }
        if !choice.choices.is_empty() {
            item["selection"] = speak(&choice.choices, &branch.nested);
        }
        item
    };
    Json::Array(branches.iter().map(one).collect())
}

/// The indexes of choices that can be picked and are counted.
fn countable(choices: &[Choice]) -> impl Iterator<Item = usize> {
    choices.iter().enumerate().filter(|(_, c)| !c.extra && c.why_not.is_none()).map(|(n, _)| n)
}

/// Sets of this many picks: each choice comes first in one of them. An exclusive choice is a set by itself.
fn sets_of(choices: &[Choice], count: usize) -> impl Iterator<Item = Vec<Branch>> {
    let all: Vec<usize> = countable(choices).collect();
    let joint: Vec<usize> = all.iter().copied().filter(|n| !choices[*n].exclusive).collect();
    let among = if count > 1 { joint } else { all };
    let sets = if count == 0 {
        1
    } else if among.len() < count {
        0
    } else {
        among.len()
    };
    let least = |index: usize| {
        let inner = &choices[index];
        let (min, _) = inner.bounds.among(countable(&inner.choices).count());
        let nested = if inner.choices.is_empty() { Vec::new() } else { sets_of_dyn(&inner.choices, min) };
        Branch { index: index as u16, nested }
    };
    (0..sets).map(move |from| (0..count).map(|k| least(among[(from + k) % among.len()])).collect())
}

/// The first set, behind a call that ends the recursion of types.
fn sets_of_dyn(choices: &[Choice], count: usize) -> Vec<Branch> {
    let sets: Box<dyn Iterator<Item = Vec<Branch>>> = Box::new(sets_of(choices, count));
    sets.into_iter().next().unwrap_or_default()
}

fn sample(choices: &[Choice], bounds: &Bounds, rng: &mut Rng) -> Vec<Branch> {
    let mut all: Vec<usize> = countable(choices).collect();
    let (min, max) = bounds.among(all.len());
    let mut count = min + rng.below((max - min + 1) as u32) as usize;
    if count > 1 {
        let joint: Vec<usize> = all.iter().copied().filter(|n| !choices[*n].exclusive).collect();
        if joint.len() >= min.max(2) {
            count = count.min(joint.len());
            all = joint;
        } else {
            count = min.max(1);
        }
    }
    rng.shuffle(&mut all);
    all.truncate(count);
    let extras = choices.iter().enumerate().filter(|(_, c)| c.extra && c.why_not.is_none()).map(|(n, _)| n);
    for extra in extras.collect::<Vec<_>>() {
        if rng.flip_coin() {
            all.push(extra);
        }
    }
    all.iter()
        .map(|index| {
            let inner = &choices[*index];
            Branch { index: *index as u16, nested: sample_inner(inner, rng) }
        })
        .collect()
}

fn sample_inner(choice: &Choice, rng: &mut Rng) -> Vec<Branch> {
    if choice.choices.is_empty() { Vec::new() } else { sample(&choice.choices, &choice.bounds, rng) }
}
