//! Free-form requests: anything that the game's own check accepts. A refused answer is never logged.

use std::borrow::Cow;
use std::marker::PhantomData;

use parlor_core::{Json, Refusal, Response, Rng, Selector};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{CheckedAnswer, Offer, Question, Terms, malformed, response, spoken};

/// A request for an `A`, checked by `F`.
pub struct Free<A, F> {
    title: Cow<'static, str>,
    check: F,
    examples: Vec<A>,
    terms: Terms,
    meta: Option<Json>,
    answer: PhantomData<fn() -> A>,
}

impl<A, F> Free<A, F>
where
    A: Serialize + DeserializeOwned + Clone,
    F: Fn(&A) -> Result<(), Refusal>,
{
    /// Asks for anything that this check accepts. `examples` are valid answers, for random play and for a clock that
    /// runs out.
    ///
    /// # Panics
    /// If there is no example.
    #[must_use]
    pub fn new(title: impl Into<Cow<'static, str>>, examples: Vec<A>, check: F) -> Self {
        assert!(!examples.is_empty(), "a free-form request needs an example of a good answer");
        Self { title: title.into(), check, examples, terms: Terms::PLAIN, meta: None, answer: PhantomData }
    }

    /// Sets what the screen needs to draw the request.
    #[must_use]
    pub fn meta(mut self, meta: Json) -> Self {
        self.meta = Some(meta);
        self
    }

    /// Sets the terms.
    #[must_use]
    pub fn terms(mut self, terms: Terms) -> Self {
        self.terms = terms;
        self
    }

    fn typed(&self, selection: &Json) -> Result<A, Refusal> {
        let typed: A = serde_json::from_value(selection.clone()).map_err(|error| malformed(&error))?;
        (self.check)(&typed)?;
        Ok(typed)
    }

    fn kept(answer: &A) -> CheckedAnswer {
        CheckedAnswer::Free(serde_json::to_string(answer).expect("an answer is plain data").into())
    }

    fn parsed(answer: &CheckedAnswer) -> Option<A> {
        match answer {
            CheckedAnswer::Free(text) => serde_json::from_str(text).ok(),
            _ => None,
        }
    }
}

impl<A, F> Question for Free<A, F>
where
    A: Serialize + DeserializeOwned + Clone,
    F: Fn(&A) -> Result<(), Refusal>,
{
    type Answer = A;

    fn terms(&self) -> Terms {
        self.terms
    }

    fn describe(&self) -> Selector {
        Selector { meta: self.meta.clone(), ..Selector::action(self.title.clone()) }
    }

    fn read(&self, answer: &Json) -> Result<CheckedAnswer, Refusal> {
        let response = response(answer)?;
        self.describe().validate(&response)?;
        self.typed(&response.selection).map(|typed| Self::kept(&typed))
    }

    fn to_answer(&self, answer: &CheckedAnswer) -> Json {
        let selection = match answer {
            CheckedAnswer::Free(text) => serde_json::from_str(text).unwrap_or_default(),
            _ => Json::Null,
        };
        spoken(&Response { actor: None, title: Some(self.title.clone().into_owned()), selection })
    }

    fn fits(&self, answer: &CheckedAnswer) -> bool {
        Self::parsed(answer).is_some_and(|answer| (self.check)(&answer).is_ok())
    }

    fn take(self, answer: CheckedAnswer) -> A {
        Self::parsed(&answer).expect("the answer was checked")
    }

    fn sample(&self, rng: &mut Rng) -> CheckedAnswer {
        Self::kept(rng.pick(&self.examples))
    }

    fn legal(&self) -> Vec<CheckedAnswer> {
        self.examples.iter().map(Self::kept).collect()
    }

    fn forced(&self) -> Option<CheckedAnswer> {
        None
    }

    fn offer(&self) -> Offer<'_> {
        Offer { title: &self.title, keys: Vec::new(), min: 0, max: 0 }
    }
}
