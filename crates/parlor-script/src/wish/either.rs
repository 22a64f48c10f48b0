//! Two kinds of request side by side.

use parlor_core::{Json, Luck, Refusal, Selector};

use super::{Offer, Said, Terms, Wish};

/// One of two: requests of different kinds in one group, and their answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Either<A, B> {
    /// The first.
    Left(A),
    /// The second.
    Right(B),
}

impl<A: Wish, B: Wish> Wish for Either<A, B> {
    type Answer = Either<A::Answer, B::Answer>;

    fn terms(&self) -> Terms {
        match self {
            Self::Left(wish) => wish.terms(),
            Self::Right(wish) => wish.terms(),
        }
    }

    fn describe(&self) -> Selector {
        match self {
            Self::Left(wish) => wish.describe(),
            Self::Right(wish) => wish.describe(),
        }
    }

    fn read(&self, answer: &Json) -> Result<Said, Refusal> {
        match self {
            Self::Left(wish) => wish.read(answer),
            Self::Right(wish) => wish.read(answer),
        }
    }

    fn say(&self, said: &Said) -> Json {
        match self {
            Self::Left(wish) => wish.say(said),
            Self::Right(wish) => wish.say(said),
        }
    }

    fn fits(&self, said: &Said) -> bool {
        match self {
            Self::Left(wish) => wish.fits(said),
            Self::Right(wish) => wish.fits(said),
        }
    }

    fn take(self, said: Said) -> Self::Answer {
        match self {
            Self::Left(wish) => Either::Left(wish.take(said)),
            Self::Right(wish) => Either::Right(wish.take(said)),
        }
    }

    fn sample(&self, luck: &mut Luck) -> Said {
        match self {
            Self::Left(wish) => wish.sample(luck),
            Self::Right(wish) => wish.sample(luck),
        }
    }

    fn legal(&self) -> Vec<Said> {
        match self {
            Self::Left(wish) => wish.legal(),
            Self::Right(wish) => wish.legal(),
        }
    }

    fn forced(&self) -> Option<Said> {
        match self {
            Self::Left(wish) => wish.forced(),
            Self::Right(wish) => wish.forced(),
        }
    }

    fn by_clock(&self) -> Said {
        match self {
            Self::Left(wish) => wish.by_clock(),
            Self::Right(wish) => wish.by_clock(),
        }
    }

    fn offer(&self) -> Offer<'_> {
        match self {
            Self::Left(wish) => wish.offer(),
            Self::Right(wish) => wish.offer(),
        }
    }
}
