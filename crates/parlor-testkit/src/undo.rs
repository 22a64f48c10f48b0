//! Undo to every record, and play on from there.

use parlor_core::{AskId, Body, By, Match, Response, Rng, Seat, Viewer};

use crate::random;
use crate::world::{Logged, World};

/// How often hidden facts were the same, or different, after an undo.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Reshuffled {
    same: u64,
    different: u64,
}

impl Reshuffled {
    /// Checks that an undo reshuffles what no viewer knew.
    ///
    /// # Errors
    /// It was the same after every undo.
    pub fn verdict(self) -> Result<(), String> {
        if self.different == 0 && self.same >= 12 {
            return Err(format!("an undo keeps the deck: {} second looks all gave the same", self.same));
        }
        Ok(())
    }
}

/// Undoes every answer of every match, plays on, and replays the result. Where the policy or a posting forbids it,
/// the undo must be refused and change nothing.
///
/// # Errors
/// The first failure.
pub fn to_every_record(
    world: &World,
    rng: &mut Rng,
    reshuffled: &mut Reshuffled,
) -> Result<(u64, u64), String> {
    let (mut done, mut refused) = (0, 0);
    for Logged { header, records } in &world.log {
        let replay = |upto: usize| {
            Match::replay(world.plan.def, header.clone(), records[..upto].to_vec())
                .map_err(|error| error.to_string())
        };
        // From the middle, from just before the end, and from the end itself, where the undo must be refused.
        for cut in [records.len() / 2, records.len().saturating_sub(1), records.len()] {
            let tip = replay(cut)?;
            let answers: Vec<u32> =
                tip.records().iter().filter(|r| answered(&r.body).is_some()).map(|r| r.seq).collect();
            for to in answers {
                let mut play = replay(cut)?;
                let seat = answered(&records[to as usize - 1].body).unwrap_or(Seat::new(0));
                let before = replay(to as usize - 1)?;
                match go_back(&mut play, seat, to) {
                    Err(()) => {
                        refused += 1;
                        harmless(&play, &tip)?;
                    }
                    Ok(()) => {
                        done += 1;
                        as_it_was(&play, &before, to)?;
                        look_again(&mut play, &tip, &before, &records[to as usize - 1].body, reshuffled)?;
                        plays_on(play, rng)?;
                    }
                }
            }
        }
    }
    Ok((done, refused))
}

fn answered(body: &Body) -> Option<Seat> {
    match body {
        Body::Answer { seat, ask, .. } if *ask != AskId::UNDO => Some(*seat),
        _ => None,
    }
}

/// Requests the undo and lets every seat agree.
fn go_back(play: &mut Match, seat: Seat, to: u32) -> Result<(), ()> {
    let at = play.last_at().unwrap_or(0);
    let line = play.rewinds();
    play.apply(at, By::Human, None, Body::Undo { seat, to }).map_err(|_| ())?;
    for other in (0..play.header().seats).map(Seat::new).filter(|other| *other != seat) {
        if play.open_requests(other).iter().any(|stand| stand.ask == AskId::UNDO) {
            let yes = play.request(other, AskId::UNDO).to_answer(&[0]);
            let answer = serde_json::to_value::<Response>(yes).expect("a response is plain data");
            play.apply(at, By::Human, None, Body::Answer { seat: other, ask: AskId::UNDO, answer })
                .map_err(|_| ())?;
        }
    }
    if play.rewinds() == line { Err(()) } else { Ok(()) }
}

fn harmless(play: &Match, tip: &Match) -> Result<(), String> {
    if play.digest() == tip.digest() && play.records() == tip.records() {
        return Ok(());
    }
    Err("refusal_changes_nothing: a refused undo left a trace".to_owned())
}

/// Every viewer has the view they had before the answer that was undone.
fn as_it_was(play: &Match, before: &Match, to: u32) -> Result<(), String> {
    for viewer in Viewer::all(play.header().seats) {
        if play.view(viewer) != before.view(viewer) {
            return Err(format!(
                "after an undo of record {to} {viewer} sees {} and saw {}",
                play.view(viewer),
                before.view(viewer)
            ));
        }
    }
    if play.open_asks() != before.open_asks() {
        return Err(format!("after an undo of record {to} something else stands"));
    }
    Ok(())
}

/// Gives the same answer again: facts that no viewer knew may be different now.
fn look_again(
    play: &mut Match,
    tip: &Match,
    before: &Match,
    body: &Body,
    reshuffled: &mut Reshuffled,
) -> Result<(), String> {
    let _ = tip;
    let at = play.last_at().unwrap_or(0);
    let (mut first, mut second) = (before.as_twin(before.game().fork()), play.as_twin(play.game().fork()));
    if first.apply(at, By::Human, None, body.clone()).is_err() {
        return Err("an answer that was taken before is refused".to_owned());
    }
    if second.apply(at, By::Human, None, body.clone()).is_err() {
        return Ok(());
    }
    let seats = || (0..play.header().seats).map(|n| Viewer::Seat(Seat::new(n)));
    let fresh =
        |fact: u32| seats().all(|v| before.game().known_facts(v).iter().all(|(known, _)| known != fact));
    for viewer in seats() {
        for (fact, value) in first.game().known_facts(viewer).iter().filter(|(fact, _)| fresh(*fact)) {
            match second.game().known_facts(viewer).iter().find(|(other, _)| *other == fact) {
                Some((_, again)) if again == value => reshuffled.same += 1,
                Some(_) => reshuffled.different += 1,
                None => {}
            }
        }
    }
    Ok(())
}

fn plays_on(mut play: Match, rng: &mut Rng) -> Result<(), String> {
    for _ in 0..random::STEPS_MAX {
        if play.outcome().is_some() || !random::random_input(&mut play, rng) {
            break;
        }
    }
    let replayed = Match::replay(*play.def(), play.header().clone(), play.records().to_vec());
    let replayed = replayed.map_err(|error| format!("a log with an undo does not replay: {error}"))?;
    if replayed.digest() != play.digest() {
        return Err("same_log_same_bytes: a log with an undo replays to another digest".to_owned());
    }
    Ok(())
}
