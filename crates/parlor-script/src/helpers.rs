//! Helpers on top of the single request (000-20), and requests of two kinds at once.

use std::borrow::Cow;

use parlor_core::Seat;

use crate::open::SeatAnswer;
use crate::question::{Choices, Either, One, Pick, Question};
use crate::script::{Interrupt, Script};
use crate::table::Table;

impl<S: Script> Table<S> {
    /// Asks for one of these. A public request with only one choice is answered automatically.
    ///
    /// # Errors
    /// The interrupt that came instead of an answer.
    pub async fn choose<C, F>(
        &mut self,
        seat: Seat,
        title: impl Into<Cow<'static, str>>,
        choices: F,
    ) -> Result<Vec<C::Item>, Interrupt>
    where
        C: Choices,
        F: Fn(&S) -> C + Send,
    {
        let title = title.into();
        self.single(seat, move |game| Pick::of(title.clone(), choices(game))).await
    }

    /// Asks for one card. A hand is secret, so the seat is asked even if it has no choice (000/R10); for open cards,
    /// use [`Table::single`] with [`Pick::one`].
    ///
    /// # Errors
    /// The interrupt that came instead of an answer.
    pub async fn choose_card<C, F>(
        &mut self,
        seat: Seat,
        title: impl Into<Cow<'static, str>>,
        cards: F,
    ) -> Result<C::Item, Interrupt>
    where
        C: Choices,
        F: Fn(&S) -> C + Send,
    {
        let title = title.into();
        self.single(seat, move |game| One(Pick::of(title.clone(), cards(game)).secret())).await
    }

    /// Asks for exactly this many cards, or all if there are fewer; the seat is asked even if it has no choice.
    ///
    /// # Errors
    /// The interrupt that came instead of an answer.
    pub async fn choose_cards<C, F>(
        &mut self,
        seat: Seat,
        title: impl Into<Cow<'static, str>>,
        count: u16,
        cards: F,
    ) -> Result<Vec<C::Item>, Interrupt>
    where
        C: Choices,
        F: Fn(&S) -> C + Send,
    {
        let title = title.into();
        self.single(seat, move |game| Pick::of(title.clone(), cards(game)).count(count).secret()).await
    }

    /// Asks for yes or no.
    ///
    /// # Errors
    /// The interrupt that came instead of an answer.
    pub async fn choose_yes_no(
        &mut self,
        seat: Seat,
        title: impl Into<Cow<'static, str>>,
    ) -> Result<bool, Interrupt> {
        let title = title.into();
        self.single(seat, move |_| Pick::one(title.clone(), [true, false])).await
    }

    /// Asks for one of these players.
    ///
    /// # Errors
    /// The interrupt that came instead of an answer.
    pub async fn choose_player<F>(
        &mut self,
        seat: Seat,
        title: impl Into<Cow<'static, str>>,
        players: F,
    ) -> Result<Seat, Interrupt>
    where
        F: Fn(&S) -> Vec<Seat> + Send,
    {
        let title = title.into();
        self.single(seat, move |game| Pick::one(title.clone(), players(game))).await
    }

    /// Asks two seats different questions at once and waits for both; the answers are in the order of the arguments.
    ///
    /// # Errors
    /// The interrupt that came instead of an answer.
    pub async fn join<A, B, F, G>(
        &mut self,
        first: (Seat, F),
        second: (Seat, G),
    ) -> Result<(A::Answer, B::Answer), Interrupt>
    where
        A: Question,
        B: Question,
        F: Fn(&S) -> A + Send,
        G: Fn(&S) -> B + Send,
    {
        let (seats, question) = both(first, second);
        let mut answers = self.many(seats, question).await?.into_iter().map(|given| given.answer);
        match (answers.next(), answers.next()) {
            (Some(Either::Left(first)), Some(Either::Right(second))) => Ok((first, second)),
            _ => unreachable!("two were asked, in this order"),
        }
    }

    /// Asks two seats different questions at once and continues with the first answer.
    ///
    /// # Errors
    /// The interrupt that came instead of an answer.
    pub async fn race<A, B, F, G>(
        &mut self,
        first: (Seat, F),
        second: (Seat, G),
    ) -> Result<SeatAnswer<Either<A::Answer, B::Answer>>, Interrupt>
    where
        A: Question,
        B: Question,
        F: Fn(&S) -> A + Send,
        G: Fn(&S) -> B + Send,
    {
        let (seats, question) = both(first, second);
        self.any(seats, question).await
    }
}

/// Two requests as one group.
fn both<S, A, B>(
    (first, a): (Seat, impl Fn(&S) -> A + Send),
    (second, b): (Seat, impl Fn(&S) -> B + Send),
) -> ([Seat; 2], impl Fn(&S, Seat) -> Either<A, B> + Send) {
    let question = move |game: &S, seat: Seat| {
        if seat == first { Either::Left(a(game)) } else { Either::Right(b(game)) }
    };
    ([first, second], question)
}
