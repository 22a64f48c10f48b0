//! What a client is asked, and an answer to it: picked from the choices it was sent, without knowing the game.

use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::Outcome;

/// What a client reads of a request.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Asked {
    pub(crate) input_id: u32,
    pub(crate) kind: String,
    #[serde(rename = "type", default)]
    form: String,
    title: String,
    #[serde(default)]
    choices: Vec<Choice>,
    count: Option<usize>,
    min: Option<usize>,
    max: Option<usize>,
}

/// One of its choices.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Choice {
    title: String,
    id: Option<String>,
    #[serde(default)]
    choices: Vec<Choice>,
    why_not: Option<IgnoredAny>,
    #[serde(default)]
    extra: bool,
}

/// An answer to a request.
#[derive(Serialize)]
pub(crate) struct Picked {
    title: String,
    selection: Vec<Value>,
}

/// Numbers that look random and are the same in every run.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n.max(1) as u64) as usize
    }
}

impl Asked {
    /// Whether the game waits for this client.
    pub(crate) fn waits(&self) -> bool {
        self.kind == "request"
    }

    /// A legal answer: as few of the choices as are needed.
    pub(crate) fn answer(&self, dice: &mut Dice) -> Outcome<Picked> {
        if self.form == "action" {
            return Err(format!(
                "\"{}\" is asked in free form: this client only picks from choices",
                self.title
            ));
        }
        let needed = match (self.count, self.min, self.max) {
            (Some(count), ..) => count,
            (None, Some(min), _) => min,
            (None, None, Some(_)) => 0,
            (None, None, None) => 1,
        };
        Ok(Picked { title: self.title.clone(), selection: pick(&self.choices, needed, dice) })
    }
}

fn pick(choices: &[Choice], needed: usize, dice: &mut Dice) -> Vec<Value> {
    let mut open: Vec<&Choice> =
        choices.iter().filter(|choice| choice.why_not.is_none() && !choice.extra).collect();
    let mut picks = Vec::new();
    while picks.len() < needed && !open.is_empty() {
        // Mostly the first, which passes, folds or buys in again: players who do anything at all are soon gone.
        let at = if dice.below(4) > 0 { 0 } else { dice.below(open.len()) };
        let choice = open.remove(at);
        picks.push(match (&choice.id, choice.choices.is_empty()) {
            (None, true) => json!(choice.title),
            (Some(id), true) => json!({"title": choice.title, "id": id}),
            (_, false) => json!({"title": choice.title, "selection": pick(&choice.choices, 1, dice)}),
        });
    }
    picks
}
