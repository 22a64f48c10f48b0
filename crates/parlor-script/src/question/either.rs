//! Requests of two kinds in one group.

use parlor_core::{Json, Refusal, Rng, Selector};

use super::{CheckedAnswer, Offer, Question, Terms};

/// One of two requests of different kinds, or its answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Either<A, B> {
    Left(A),
    Right(B),
}

impl<A: Question, B: Question> Question for Either<A, B> {
    type Answer = Either<A::Answer, B::Answer>;

    fn terms(&self) -> Terms {
        match self {
            Self::Left(question) => question.terms(),
            Self::Right(question) => question.terms(),
        }
    }

    fn describe(&self) -> Selector {
        match self {
            Self::Left(question) => question.describe(),
            Self::Right(question) => question.describe(),
        }
    }

    fn read(&self, answer: &Json) -> Result<CheckedAnswer, Refusal> {
        match self {
            Self::Left(question) => question.read(answer),
            Self::Right(question) => question.read(answer),
        }
    }

    fn to_answer(&self, answer: &CheckedAnswer) -> Json {
        match self {
            Self::Left(question) => question.to_answer(answer),
            Self::Right(question) => question.to_answer(answer),
        }
    }

    fn fits(&self, answer: &CheckedAnswer) -> bool {
        match self {
            Self::Left(question) => question.fits(answer),
            Self::Right(question) => question.fits(answer),
        }
    }

    fn take(self, answer: CheckedAnswer) -> Self::Answer {
        match self {
            Self::Left(question) => Either::Left(question.take(answer)),
            Self::Right(question) => Either::Right(question.take(answer)),
        }
    }

    fn sample(&self, rng: &mut Rng) -> CheckedAnswer {
        match self {
            Self::Left(question) => question.sample(rng),
            Self::Right(question) => question.sample(rng),
        }
    }

    fn legal(&self) -> Vec<CheckedAnswer> {
        match self {
            Self::Left(question) => question.legal(),
            Self::Right(question) => question.legal(),
        }
    }

    fn forced(&self) -> Option<CheckedAnswer> {
        match self {
            Self::Left(question) => question.forced(),
            Self::Right(question) => question.forced(),
        }
    }

    fn by_clock(&self) -> CheckedAnswer {
        match self {
            Self::Left(question) => question.by_clock(),
            Self::Right(question) => question.by_clock(),
        }
    }

    fn offer(&self) -> Offer<'_> {
        match self {
            Self::Left(question) => question.offer(),
            Self::Right(question) => question.offer(),
        }
    }
}
