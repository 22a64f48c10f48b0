//! Games as one seat lived them, as JSON lines, in and out: what `parlor riichi sessions` reads and prints.
//!
//! A session has the seat's own tiles, everybody's discards and calls, and at the end the winning hands. The table follows
//! it with the other seats hidden and says what the rules let this seat do at every draw and discard, what each win is
//! worth and where the game stands after each round. Seat 0 is the seat that kept the record.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::SEATS_MAX;
use super::action::Action;
use super::games::{counter, kyoku, limit_number, list, number, scores, seat, tile, tiles, yaku_ids};
use super::options::Offer;
use super::rebuild::fill;
use super::result::{RoundResult, WinResult};
use super::settings::Settings;
use super::state::{Phase, Standing, Table};
use super::wall::Wall;
use crate::meld::MeldKind;
use crate::pay::Seat;
use crate::sets::TileSet;
use crate::tile::Tile;

/// The seat that kept the record.
const OWN: Seat = Seat::ALL[0];

/// What came of one round of a session.
#[derive(Clone, Debug)]
pub struct SessionRound {
    /// By the index of the event: what the rules offered the seat there.
    pub offers: BTreeMap<usize, Vec<&'static str>>,
    pub result: Option<RoundResult>,
    /// None when the game is over.
    pub after: Option<Standing>,
    /// Events in which the seat discarded what its call forbids. The recorded server takes such a discard, though its
    /// own client never offers one; it is believed.
    pub swaps: Vec<usize>,
    pub disagreements: Vec<Disagreement>,
}

/// Something a session says that the table does not.
#[derive(Clone, Debug)]
pub struct Disagreement {
    /// The index of the event.
    pub event: usize,
    pub what: &'static str,
    pub expected: Value,
    pub got: Value,
}

/// Follows the session of one line; gives the lines to print, one for each round.
///
/// # Errors
/// If the line is no session.
pub fn play_line(line: &str, settings: Settings) -> Result<Vec<Value>, String> {
    let session: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let rounds = play_value(&session, settings)?;
    Ok(rounds.iter().enumerate().map(|(index, round)| round_json(&session["id"], index, round)).collect())
}

/// Follows a session.
///
/// # Errors
/// If the value is no session.
pub fn play_value(session: &Value, settings: Settings) -> Result<Vec<SessionRound>, String> {
    let rounds = list(&session["rounds"], "rounds")?;
    let mut standing = first_standing(rounds.first().ok_or("rounds: the list is empty")?)?;
    let mut played = Vec::new();
    for (index, round) in rounds.iter().enumerate() {
        let follower = Follower::new(round, settings, standing);
        let round = follower.and_then(Follower::follow).map_err(|fault| format!("round {index}: {fault}"))?;
        let after = round.after;
        played.push(round);
        match after {
            Some(next) => standing = next,
            None => break,
        }
    }
    Ok(played)
}

fn first_standing(round: &Value) -> Result<Standing, String> {
    let kyoku = kyoku(number(&round["kyoku"], "kyoku")?)?;
    let seats = SEATS_MAX as u8;
    Ok(Standing {
        kyoku,
        honba: counter(number(&round["honba"], "honba")?, "honba")?,
        sticks: counter(number(&round["sticks"], "sticks")?, "sticks")?,
        scores: scores(&round["scores"])?,
        first_dealer: seat(&round["oya"], "oya")?.after(seats - kyoku % seats, seats),
        dealer_wins: 0,
    })
}

/// One round being followed.
struct Follower<'a> {
    table: Table,
    events: &'a [Value],
    ends: &'a [Value],
    /// A riichi was announced; its discard follows.
    declared: bool,
    /// The indicators that the session has shown.
    dora: Vec<Value>,
    done: SessionRound,
    at: usize,
}

impl<'a> Follower<'a> {
    fn new(round: &'a Value, settings: Settings, standing: Standing) -> Result<Self, String> {
        let (events, ends) = (list(&round["events"], "events")?, list(&round["ends"], "ends")?);
        let wall = wall_of(round, events, ends, standing.dealer(SEATS_MAX as u8))?;
        let table = Table::start_from(settings, standing, &mut |_| wall, &mut |_| ());
        let mut table = table.map_err(|error| error.to_string())?;
        table.hold_windows(true);
        for seat in table.others(OWN) {
            table.hide(seat);
        }
        let dora = vec![round["dora"].clone()];
        let done = SessionRound {
            offers: BTreeMap::new(),
            result: None,
            after: None,
            swaps: Vec::new(),
            disagreements: Vec::new(),
        };
        Ok(Self { table, events, ends, declared: false, dora, done, at: 0 })
    }

    fn follow(mut self) -> Result<SessionRound, String> {
        while self.at < self.events.len() && self.table.round_result().is_none() {
            self.event(&self.events[self.at]).map_err(|fault| format!("event {}: {fault}", self.at))?;
            self.at += 1;
        }
        if self.table.round_result().is_none() {
            self.end_in_turn()?;
        }
        if self.table.round_result().is_none() {
            let phase = format!("{:?}", self.table.asked());
            self.disagree("end", json!(self.ends), json!(phase));
        }
        self.done.result = self.table.round_result().cloned();
        self.done.after = match self.table.phase() {
            Phase::RoundEnd { next, .. } => Some(*next),
            _ => None,
        };
        Ok(self.done)
    }

    fn event(&mut self, event: &Value) -> Result<(), String> {
        match event[0].as_str() {
            Some("draw") => self.drew(event),
            Some("reach") if event[2] == 1 => {
                self.declared = true;
                Ok(())
            }
            Some("reach") => {
                let seat = seat(&event[1], "reach")?;
                let accepted = self.table.player(seat).in_riichi();
                self.expect("riichi_accepted", json!(true), json!(accepted));
                Ok(())
            }
            Some("dora") => {
                self.dora.push(event[1].clone());
                Ok(())
            }
            Some("discard") => self.discarded(event),
            Some("call") => self.called(event),
            Some("sent") => Ok(()),
            _ => Err(format!("{event} is not known")),
        }
    }

    fn drew(&mut self, event: &Value) -> Result<(), String> {
        let by = seat(&event[1], "draw")?;
        let turn = match self.table.phase() {
            Phase::Turn { seat, .. } => Some(*seat),
            _ => None,
        };
        self.expect("draw", json!(by), json!(turn));
        if by != OWN {
            return Ok(());
        }
        self.expect("drawn", event[2].clone(), json!(self.table.player(OWN).drawn()));
        let options = self.table.turn_options(OWN);
        self.offer([
            (options.tsumo, "tsumo"),
            (!options.riichi.is_empty(), "riichi"),
            (options.nine, "nine"),
        ]);
        Ok(())
    }

    fn discarded(&mut self, event: &Value) -> Result<(), String> {
        let (by, tile) = (seat(&event[1], "discard")?, tile(&event[2])?);
        let riichi = std::mem::take(&mut self.declared);
        let action = if riichi { Action::Riichi(tile) } else { Action::Discard(tile) };
        self.reveal_winners(by)?;
        self.act(by, action);
        self.check_dora();
        self.offer_calls(by);
        self.close_window(by)
    }

    /// A discard is when every indicator that was earned before lies open, on this side and in the session.
    fn check_dora(&mut self) {
        let (expected, open) = (json!(self.dora), json!(self.table.dora()));
        self.expect("dora", expected, open);
    }

    fn called(&mut self, event: &Value) -> Result<(), String> {
        let by = seat(&event[1], "call")?;
        let kind = event[2].as_str().and_then(MeldKind::from_name).ok_or("the call is not known")?;
        let tile = tile(&event[4])?;
        match kind {
            // These were answers to the discard before.
            MeldKind::Chi | MeldKind::Pon | MeldKind::Daiminkan => {
                let found = self.table.player(by).melds().last().map(|meld| meld.meld.kind().name());
                self.expect("call", event[2].clone(), json!(found));
            }
            MeldKind::Ankan => self.act(by, Action::Ankan(tile.kind())),
            MeldKind::Kakan => {
                self.reveal_winners(by)?;
                self.act(by, Action::Kakan(tile));
                self.offer_calls(by);
                self.close_window(by)?;
            }
        }
        Ok(())
    }

    /// What seat 0 does must be allowed; what others do is believed.
    fn act(&mut self, by: Seat, action: Action) {
        if by == OWN && !self.table.actions(OWN).contains(&action) {
            let player = self.table.player(OWN);
            match action {
                Action::Discard(tile) if player.forbidden.contains(tile.kind()) => {
                    self.done.swaps.push(self.at)
                }
                _ => self.disagree("allowed", json!(action), json!(null)),
            }
        }
        self.table.apply(by, action, &mut |_| Wall::sorted(), &mut |_| ());
    }

    fn offer_calls(&mut self, by: Seat) {
        if by == OWN {
            return;
        }
        let Offer { ron, pon, kan, chi } = match self.table.phase() {
            Phase::Window(window) => window.offers[OWN.index()],
            _ => Offer::default(),
        };
        self.offer([(pon, "pon"), (kan, "kan"), (chi, "chi"), (ron, "ron")]);
    }

    fn offer<const N: usize>(&mut self, offered: [(bool, &'static str); N]) {
        let names: Vec<&'static str> =
            offered.into_iter().filter(|(is_so, _)| *is_so).map(|(_, name)| name).collect();
        if !names.is_empty() {
            self.done.offers.insert(self.at, names);
        }
    }

    /// The seats that win on what this seat is about to give.
    fn winners_from(&self, from: Seat) -> Result<Vec<Seat>, String> {
        if self.next_deed().is_some() {
            return Ok(Vec::new());
        }
        let mut winners = Vec::new();
        for end in self.ends.iter().filter(|end| end.get("win").is_some()) {
            let (who, paid_by) = (seat(&end["win"], "win")?, seat(&end["from"], "from")?);
            if paid_by == from && who != from {
                winners.push(who);
            }
        }
        Ok(winners)
    }

    /// The next event in which somebody does something.
    fn next_deed(&self) -> Option<&'a Value> {
        let rest = &self.events[self.at + 1..];
        rest.iter().find(|event| matches!(event[0].as_str(), Some("draw" | "discard" | "call")))
    }

    fn reveal_winners(&mut self, from: Seat) -> Result<(), String> {
        for winner in self.winners_from(from)? {
            if winner != OWN {
                self.reveal(winner, false)?;
            }
        }
        Ok(())
    }

    fn reveal(&mut self, winner: Seat, tsumo: bool) -> Result<(), String> {
        let end =
            self.ends.iter().find(|end| end["win"] == json!(winner)).ok_or("a winner without a hand")?;
        let mut hand: TileSet = tiles(&end["hand"], "hand")?.into_iter().collect();
        let win = tile(&end["tile"])?;
        if !tsumo {
            hand.remove(win);
        }
        self.table.reveal(winner, hand, tsumo.then_some(win)).map_err(|error| error.to_string())
    }

    /// Everybody's answer to the open window follows from what comes next.
    fn close_window(&mut self, from: Seat) -> Result<(), String> {
        if !matches!(self.table.phase(), Phase::Window(_)) {
            return Ok(());
        }
        for winner in self.winners_from(from)? {
            let offered = self.table.offer(winner).ron;
            self.expect("ron", json!(true), json!(offered));
            self.table.intend(winner, Action::Ron);
        }
        if let Some(call) = self.next_deed().filter(|event| event[0] == "call") {
            let by = seat(&call[1], "call")?;
            if by != from
                && let Some(action) = call_action(call)?
            {
                if by == OWN && !self.table.actions(OWN).contains(&action) && !self.same_look(action) {
                    self.disagree("allowed", json!(action), json!(null));
                }
                self.table.intend(by, action);
            }
        }
        for seat in self.table.others(OWN) {
            let is_tenpai = self.ends.iter().flat_map(|end| end["tenpai"].as_array()).flatten();
            let shows = is_tenpai.filter(|tenpai| **tenpai == json!(seat)).count() > 0;
            self.table.show_tenpai(seat, shows);
        }
        self.table.elapse(&mut |_| Wall::sorted(), &mut |_| ());
        Ok(())
    }

    /// Whether the seat may call with tiles that look like these.
    fn same_look(&self, action: Action) -> bool {
        let look = |tile: Tile| (tile.kind(), tile.is_red());
        let looks = |action: &Action| match action {
            Action::Pon(own) => Some((0, own.map(look))),
            Action::Chi(own) => Some((1, own.map(look))),
            _ => None,
        };
        self.table.actions(OWN).iter().any(|option| looks(option) == looks(&action))
    }

    /// The last event was a draw: a win or nine kinds.
    fn end_in_turn(&mut self) -> Result<(), String> {
        let Phase::Turn { seat: by, .. } = *self.table.phase() else { return Ok(()) };
        let end = self.ends.first().ok_or("ends: the list is empty")?;
        let action = if end.get("win").is_some() { Action::Tsumo } else { Action::Nine };
        if by != OWN && action == Action::Tsumo {
            self.reveal(by, true)?;
            let possible = self.table.turn_options(by).tsumo;
            self.expect("tsumo", json!(true), json!(possible));
        }
        self.act(by, action);
        Ok(())
    }

    fn expect(&mut self, what: &'static str, expected: Value, got: Value) {
        if expected != got {
            self.disagree(what, expected, got);
        }
    }

    fn disagree(&mut self, what: &'static str, expected: Value, got: Value) {
        self.done.disagreements.push(Disagreement { event: self.at, what, expected, got });
    }
}

/// A call on a discard as an action; none for kans of one's own.
fn call_action(call: &Value) -> Result<Option<Action>, String> {
    let called = tile(&call[4])?;
    let own = || -> Result<[Tile; 2], String> {
        let mut own: Vec<Tile> = tiles(&call[3], "call")?;
        own.retain(|tile| *tile != called);
        own.try_into().map_err(|_| "a call takes two tiles of one's own".into())
    };
    Ok(match call[2].as_str() {
        Some("chi") => Some(Action::Chi(own()?)),
        Some("pon") => Some(Action::Pon(own()?)),
        Some("daiminkan") => Some(Action::Daiminkan),
        _ => None,
    })
}

/// A wall with everything the session knows in its place, and the rest of the box in the places that are left.
fn wall_of(round: &Value, events: &[Value], ends: &[Value], dealer: Seat) -> Result<Wall, String> {
    const DEALT: usize = 13 * SEATS_MAX;
    const RINSHAN: usize = 122;
    const DORA: usize = 126;
    const URA: usize = 131;
    let mut places: [Option<Tile>; 136] = [None; 136];
    let steps = usize::from(dealer.steps_to(OWN, SEATS_MAX as u8));
    let own = tiles(&round["hand"], "hand")?;
    let dealt = (0..13).map(|n| if n < 12 { n / 4 * 16 + steps * 4 + n % 4 } else { 48 + steps });
    dealt.zip(own).for_each(|(place, tile)| places[place] = Some(tile));
    places[DORA] = Some(tile(&round["dora"])?);
    let (mut next, mut rinshan, mut dora, mut after_kan) = (DEALT, RINSHAN, DORA + 1, false);
    for event in events {
        match event[0].as_str() {
            Some("draw") => {
                let place = if std::mem::take(&mut after_kan) { &mut rinshan } else { &mut next };
                if !event[2].is_null() {
                    *places.get_mut(*place).ok_or("more draws than the wall has")? = Some(tile(&event[2])?);
                }
                *place += 1;
            }
            Some("dora") => {
                *places.get_mut(dora).ok_or("more indicators than there are")? = Some(tile(&event[1])?);
                dora += 1;
            }
            Some("call") => after_kan |= event[2].as_str().is_some_and(|name| name.ends_with("kan")),
            _ => {}
        }
    }
    for end in ends {
        let shown = end["ura"].as_array().map_or(Ok(Vec::new()), |_| tiles(&end["ura"], "ura"))?;
        places[URA..].iter_mut().zip(shown).for_each(|(place, tile)| *place = Some(tile));
    }
    fill(places)
}

fn round_json(id: &Value, index: usize, round: &SessionRound) -> Value {
    let offers: serde_json::Map<String, Value> =
        round.offers.iter().map(|(event, names)| (event.to_string(), json!(names))).collect();
    let (wins, draw) = match &round.result {
        Some(RoundResult::Wins(wins)) => (wins.iter().map(win_json).collect(), Value::Null),
        Some(RoundResult::Draw { kind, deltas, .. }) => {
            (Vec::new(), json!({ "kind": super::games::draw_name(*kind), "deltas": deltas }))
        }
        None => (Vec::new(), Value::Null),
    };
    let after = round.after.map(|next| {
        json!({
            "kyoku": next.kyoku, "oya": next.dealer(SEATS_MAX as u8), "honba": next.honba,
            "sticks": next.sticks, "scores": next.scores,
        })
    });
    let disagrees: Vec<Value> = round
        .disagreements
        .iter()
        .map(|one| json!({ "event": one.event, "what": one.what, "expected": one.expected, "got": one.got }))
        .collect();
    json!({
        "id": id, "round": index, "offers": offers, "wins": wins, "draw": draw, "after": after,
        "disagrees": disagrees,
    })
}

fn win_json(win: &WinResult) -> Value {
    let (yaku, yakuman) = yaku_ids(win);
    let han: u8 = yaku.iter().map(|(_, han)| han).sum();
    json!({
        "who": win.who, "from": win.from.unwrap_or(win.who), "fu": win.fu, "han": han, "points": win.points,
        "limit": limit_number(win.limit), "yaku": yaku, "yakuman": yakuman, "deltas": win.deltas,
    })
}
