//! Picks among typed items.

use std::borrow::Cow;

use parlor_core::selector::Bounds;
use parlor_core::{Choice, Json, Refusal, Rng, Seat, Selector, TimeLimit};

use super::{CheckedAnswer, Offer, Question, Terms, response, spoken};

/// How many answers of one request are listed; if there are more, some of each size are listed.
const LEGAL_MAX: usize = 256;

/// An item that can be picked.
pub trait Item: Clone {
    /// The choice that a client gets.
    fn choice(&self) -> Choice;
    /// The key by which a bot recognizes it.
    fn key(&self) -> u32 {
        0
    }
}

impl Item for &str {
    fn choice(&self) -> Choice {
        Choice::new(*self)
    }
}

impl Item for Seat {
    fn choice(&self) -> Choice {
        Choice::new(format!("seat {self}")).id(self.to_string())
    }

    fn key(&self) -> u32 {
        self.index() as u32
    }
}

impl Item for u32 {
    fn choice(&self) -> Choice {
        Choice::new(self.to_string())
    }

    fn key(&self) -> u32 {
        *self
    }
}

impl Item for bool {
    fn choice(&self) -> Choice {
        Choice::new(if *self { "yes" } else { "no" })
    }

    fn key(&self) -> u32 {
        u32::from(*self)
    }
}

/// A request to pick some of these. The answer is a list, in the order in which the client named them.
#[derive(Clone, Debug)]
pub struct Pick<C> {
    title: Cow<'static, str>,
    choices: C,
    bounds: Bounds,
    terms: Terms,
    meta: Option<Json>,
}

/// A request to pick exactly one of these.
#[derive(Clone, Debug)]
pub struct One<C>(pub Pick<C>);

impl<C> Pick<C> {
    /// A request to pick one of these, unless other bounds are set.
    #[must_use]
    pub fn of(title: impl Into<Cow<'static, str>>, choices: C) -> Self {
        Self { title: title.into(), choices, bounds: Bounds::default(), terms: Terms::PLAIN, meta: None }
    }

    /// A request to pick exactly one; the answer is the item itself, not a list.
    #[must_use]
    pub fn one(title: impl Into<Cow<'static, str>>, choices: C) -> One<C> {
        One(Self::of(title, choices))
    }

    /// Sets the exact number of picks; all, if there are fewer.
    #[must_use]
    pub fn count(mut self, count: u16) -> Self {
        self.bounds = Bounds { count: Some(count), ..Bounds::default() };
        self
    }

    /// Sets the minimum number of picks; the maximum is all.
    #[must_use]
    pub fn at_least(mut self, min: u16) -> Self {
        self.bounds = Bounds { min: Some(min), ..Bounds::default() };
        self
    }

    /// Sets the maximum number of picks.
    #[must_use]
    pub fn at_most(mut self, max: u16) -> Self {
        self.bounds = Bounds { max: Some(max), ..Bounds::default() };
        self
    }

    /// Sets the minimum and the maximum number of picks.
    ///
    /// # Panics
    /// If `min` is above `max`: refused where it is asked (000/R1).
    #[must_use]
    pub fn between(mut self, min: u16, max: u16) -> Self {
        assert!(min <= max, "min ({min}) must be <= max ({max})");
        self.bounds = Bounds { min: Some(min), max: Some(max), count: None };
        self
    }

    /// Makes the choices, or their number, secret: there are no automatic answers.
    #[must_use]
    pub fn secret(mut self) -> Self {
        self.terms.secret = true;
        self
    }

    /// Sets a time limit in milliseconds; when it is over, the first choices are picked.
    #[must_use]
    pub fn within(mut self, ms: u32) -> Self {
        self.terms.clock = TimeLimit::Fixed { ms };
        self
    }

    /// Sets the terms.
    #[must_use]
    pub fn terms(mut self, terms: Terms) -> Self {
        self.terms = terms;
        self
    }

    /// Sets what the screen needs to draw the request.
    #[must_use]
    pub fn meta(mut self, meta: Json) -> Self {
        self.meta = Some(meta);
        self
    }
}

impl<C> One<C> {
    /// As [`Pick::secret`].
    #[must_use]
    pub fn secret(self) -> Self {
        Self(self.0.secret())
    }

    /// As [`Pick::within`].
    #[must_use]
    pub fn within(self, ms: u32) -> Self {
        Self(self.0.within(ms))
    }
}

/// A container of items to pick from: an array, a `Vec`, an `ArrayVec`.
pub trait Choices {
    /// The type of the items.
    type Item: Item;
    /// All items.
    fn items(&self) -> &[Self::Item];
}

impl<T: Item> Choices for Vec<T> {
    type Item = T;
    fn items(&self) -> &[T] {
        self
    }
}

impl<T: Item, const N: usize> Choices for [T; N] {
    type Item = T;
    fn items(&self) -> &[T] {
        self
    }
}

impl<T: Item, const N: usize> Choices for arrayvec::ArrayVec<T, N> {
    type Item = T;
    fn items(&self) -> &[T] {
        self
    }
}

impl<C: Choices> Pick<C> {
    fn range(&self) -> (usize, usize) {
        self.bounds.among(self.choices.items().len())
    }
}

impl<C: Choices> Question for Pick<C> {
    type Answer = Vec<C::Item>;

    fn terms(&self) -> Terms {
        self.terms
    }

    fn describe(&self) -> Selector {
        let choices = self.choices.items().iter().map(Item::choice).collect();
        Selector {
            bounds: self.bounds,
            no_auto_respond: self.terms.secret,
            meta: self.meta.clone(),
            ..Selector::pick(self.title.clone(), choices)
        }
    }

    fn read(&self, answer: &Json) -> Result<CheckedAnswer, Refusal> {
        let chosen = self.describe().validate(&response(answer)?)?;
        Ok(CheckedAnswer::picks(chosen.indexes()))
    }

    fn to_answer(&self, answer: &CheckedAnswer) -> Json {
        let indexes: Vec<usize> = answer.indexes().iter().map(|index| usize::from(*index)).collect();
        spoken(&self.describe().to_answer(&indexes))
    }

    fn fits(&self, answer: &CheckedAnswer) -> bool {
        let (indexes, (min, max)) = (answer.indexes(), self.range());
        (min..=max).contains(&indexes.len())
            && indexes.iter().all(|index| usize::from(*index) < self.choices.items().len())
    }

    fn take(self, answer: CheckedAnswer) -> Self::Answer {
        answer.indexes().iter().map(|index| self.choices.items()[usize::from(*index)].clone()).collect()
    }

    fn sample(&self, rng: &mut Rng) -> CheckedAnswer {
        let (n, (min, max)) = (self.choices.items().len(), self.range());
        let count = if min == max { min } else { min + rng.below((max - min + 1) as u32) as usize };
        if count == 1 {
            return CheckedAnswer::one(rng.below(n as u32) as usize);
        }
        // Every set of `count` has the same probability: each index is taken with the odds of what is left.
        let mut picks = Vec::with_capacity(count);
        for index in 0..n {
            let (open, left) = ((n - index) as u32, (count - picks.len()) as u32);
            if left > 0 && (left == open || rng.below(open) < left) {
                picks.push(index as u16);
            }
        }
        CheckedAnswer::Some(picks.into())
    }

    fn legal(&self) -> Vec<CheckedAnswer> {
        let (n, (min, max)) = (self.choices.items().len(), self.range());
        let mut all = Vec::new();
        for count in min..=max {
            if binomial(n, count) <= LEGAL_MAX {
                combinations(n, count, &mut all);
            } else {
                // Too many to list: each choice occurs in one of these.
                all.extend((0..n).map(|from| CheckedAnswer::picks((0..count).map(|k| (from + k) % n))));
            }
        }
        all
    }

    fn forced(&self) -> Option<CheckedAnswer> {
        let n = self.choices.items().len();
        (!self.terms.secret && self.range().0 >= n).then(|| CheckedAnswer::picks(0..n))
    }

    fn by_clock(&self) -> CheckedAnswer {
        CheckedAnswer::picks(0..self.range().0)
    }

    fn offer(&self) -> Offer<'_> {
        let (min, max) = self.range();
        Offer { title: &self.title, keys: self.choices.items().iter().map(Item::key).collect(), min, max }
    }
}

impl<C: Choices> Question for One<C> {
    type Answer = C::Item;

    fn terms(&self) -> Terms {
        self.0.terms
    }

    fn describe(&self) -> Selector {
        assert!(!self.0.choices.items().is_empty(), "\"{}\": one of nothing cannot be chosen", self.0.title);
        self.0.describe()
    }

    fn read(&self, answer: &Json) -> Result<CheckedAnswer, Refusal> {
        self.0.read(answer)
    }

    fn to_answer(&self, answer: &CheckedAnswer) -> Json {
        self.0.to_answer(answer)
    }

    fn fits(&self, answer: &CheckedAnswer) -> bool {
        matches!(answer, CheckedAnswer::One(_)) && self.0.fits(answer)
    }

    fn take(self, answer: CheckedAnswer) -> Self::Answer {
        let CheckedAnswer::One(index) = answer else {
            panic!("\"{}\": one of nothing cannot be chosen", self.0.title)
        };
        self.0.choices.items()[usize::from(index)].clone()
    }

    #[inline]
    fn sample(&self, rng: &mut Rng) -> CheckedAnswer {
        CheckedAnswer::one(rng.below(self.0.choices.items().len() as u32) as usize)
    }

    fn legal(&self) -> Vec<CheckedAnswer> {
        (0..self.0.choices.items().len()).map(CheckedAnswer::one).collect()
    }

    #[inline]
    fn forced(&self) -> Option<CheckedAnswer> {
        (!self.0.terms.secret && self.0.choices.items().len() == 1).then_some(CheckedAnswer::One(0))
    }

    fn by_clock(&self) -> CheckedAnswer {
        CheckedAnswer::One(0)
    }

    fn offer(&self) -> Offer<'_> {
        self.0.offer()
    }
}

/// The number of sets of `k` among `n`; stops counting above [`LEGAL_MAX`].
fn binomial(n: usize, k: usize) -> usize {
    let mut sets = 1;
    for part in 0..k.min(n - k) {
        sets = sets * (n - part) / (part + 1);
        if sets > LEGAL_MAX {
            return LEGAL_MAX + 1;
        }
    }
    sets
}

/// Lists every set of `k` among `n`, in order.
fn combinations(n: usize, k: usize, all: &mut Vec<CheckedAnswer>) {
    let mut picks: Vec<usize> = (0..k).collect();
    loop {
        all.push(CheckedAnswer::picks(picks.iter().copied()));
        let Some(place) = (0..k).rev().find(|place| picks[*place] < n - k + place) else { return };
        picks[place] += 1;
        for next in place + 1..k {
            picks[next] = picks[next - 1] + 1;
        }
    }
}
