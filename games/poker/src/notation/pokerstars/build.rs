//! Making a record of a PokerStars hand: players put in the order of play, fields filled, and the lines driven through the
//! rules.

use super::drive::Driver;
use super::read::{Draft, Event, Sitter, at, wrong};
use crate::money::{Amount, Chips, Scale};
use crate::notation::ReadError;
use crate::notation::entry::Step;
use crate::notation::record::Record;
use crate::notation::value::Value;
use crate::replay::{Replay, book_of};
use crate::row::Row;
use crate::setup::Interpretation;
use crate::variant::Limit;

pub(super) fn record(mut draft: Draft) -> Result<Record, ReadError> {
    let order = order_of_play(&mut draft)?;
    let antes = || draft.sitters.iter().filter(|sitter| !sitter.out).map(|sitter| sitter.ante);
    if antes().all(Amount::is_zero) {
        let mut record = with_trimming(&draft, &order, false)?;
        record.ante_trimming = None;
        return Ok(record);
    }
    // Nothing says whether short antes make side pots; the pots do. An ante that only one player posts (for the table)
    // stays unless a line returns it.
    let likely = draft.ante_returned || !antes().any(Amount::is_zero);
    let first = with_trimming(&draft, &order, likely);
    if first.as_ref().is_ok_and(|record| pays_as_told(record, &draft, &order)) {
        return first;
    }
    match with_trimming(&draft, &order, !likely) {
        Ok(other) if first.is_err() || pays_as_told(&other, &draft, &order) => Ok(other),
        _ => first,
    }
}

/// Marks who sits out and orders the players: first after the button, last the button or who sits before it.
fn order_of_play(draft: &mut Draft) -> Result<Vec<usize>, ReadError> {
    for (_, player, event) in &draft.events {
        if let Some(player) = player.filter(|_| !matches!(event, Event::Chat(_))) {
            draft.sitters[player].out = false;
        }
    }
    let mut order: Vec<usize> = (0..draft.sitters.len()).collect();
    // Seats that are not listed in their order are listed in the order of play.
    if draft.sitters.is_sorted_by_key(|sitter| sitter.seat) {
        order.sort_by_key(|&i| (draft.sitters[i].seat <= draft.button, draft.sitters[i].seat));
    }
    if order.len() < 2 {
        return Err(wrong(draft.head_line, "at least two seats").into());
    }
    Ok(order)
}

/// Reads the log by house rules, or by PokerKit's where only those allow it.
fn with_trimming(draft: &Draft, order: &[usize], trimming: bool) -> Result<Record, ReadError> {
    let house = by_book(draft, order, trimming, Interpretation::House);
    if house.is_ok() {
        return house;
    }
    by_book(draft, order, trimming, Interpretation::PokerKit).or(house)
}

fn by_book(
    draft: &Draft,
    order: &[usize],
    trimming: bool,
    interpretation: Interpretation,
) -> Result<Record, ReadError> {
    let mut record =
        fields(draft, order, trimming).map_err(|problem| line_error(draft.head_line, &problem))?;
    let place = |sitter: usize| order.iter().position(|&i| i == sitter).unwrap_or(0);
    // The raises are there for the scale, which the whole log decides.
    record.actions = draft
        .events
        .iter()
        .filter_map(|(_, player, event)| match event {
            Event::Raise(to) | Event::Bet(to) => Some(Step::Raise(place((*player)?), *to).into()),
            _ => None,
        })
        .collect();
    let replay = Replay::start(&record, interpretation).map_err(|e| line_error(draft.head_line, &e))?;
    let mut driver = Driver {
        hand: replay.hand().clone(),
        scale: replay.scale(),
        entries: Vec::new(),
        known: vec![None; order.len()],
    };
    for (i, (line, player, event)) in draft.events.iter().enumerate() {
        let later = &draft.events[i..];
        let seat = player.map(place);
        driver.event(seat, event, later, &place).map_err(|problem| line_error(*line, &problem))?;
    }
    let paid = draft.sitters.iter().any(|sitter| !sitter.collected.is_empty());
    driver.end(paid);
    record.actions = driver.entries;
    Ok(record)
}

fn line_error(line: usize, problem: &impl ToString) -> ReadError {
    ReadError::Line { place: at(line), problem: problem.to_string() }
}

fn pays_as_told(record: &Record, draft: &Draft, order: &[usize]) -> bool {
    let Ok(replay) = Replay::start(record, book_of(record)) else { return false };
    let scale = replay.scale();
    let Ok(hand) = replay.finish() else { return false };
    let pots: Option<Vec<Chips>> = draft.pots.iter().map(|&pot| scale.chips(pot)).collect();
    let mut lay: Vec<Chips> = hand.final_pots().iter().map(|(pot, _)| pot.chips).collect();
    if hand.live().len() == 1 {
        lay = vec![lay.iter().sum()];
    }
    let same_pots = draft.pots.is_empty() || pots.is_some_and(|pots| pots == lay);
    same_pots
        && order.iter().enumerate().all(|(seat, &i)| {
            let told: Option<Vec<Chips>> =
                draft.sitters[i].collected.iter().map(|&a| scale.chips(a)).collect();
            told.is_some_and(|told| told.iter().sum::<Chips>() == hand.won()[seat])
        })
}

/// Everything but the log, players in the order of play.
fn fields(draft: &Draft, order: &[usize], trimming: bool) -> Result<Record, String> {
    let sitters = || order.iter().map(|&i| &draft.sitters[i]);
    let fixed = draft.variant.limit() == Limit::Fixed;
    let stud = draft.variant.is_stud();
    let told = draft.events.iter().find_map(|(_, _, event)| match event {
        Event::BringIn(chips) => Some(*chips),
        _ => None,
    });
    let negative = |amount: Amount| match amount {
        Amount::Number { units, decimals } => Amount::Number { units: -units, decimals },
        Amount::Unknown => amount,
    };
    let blind = |sitter: &Sitter| if sitter.live_post { negative(sitter.blind) } else { sitter.blind };
    let stacks: Result<Vec<Amount>, String> = sitters().map(stack_after_dead).collect();
    let mut record = Record {
        variant: draft.variant,
        button: order.len() - 1,
        ante_trimming: Some(trimming),
        antes: sitters().map(|s| s.ante).collect(),
        blinds: if stud { Vec::new() } else { sitters().map(blind).collect() },
        bring_in: stud.then(|| draft.bring_in.or(told).unwrap_or(Amount::ZERO)),
        small_bet: fixed.then_some(draft.stakes[0]),
        big_bet: fixed.then_some(draft.stakes[1]),
        min_bet: (!fixed).then_some(draft.stakes[1]),
        starting_stacks: stacks?,
        actions: Vec::new(),
        rest: Vec::new(),
    };
    let text = |text: &str| Value::Text(text.to_owned());
    record.set("venue", text("PokerStars"));
    if let Some(date) = &draft.date {
        dates(&mut record, date);
    }
    if draft.number != "-" {
        let number = draft.number.parse::<Chips>().ok().filter(|n| n.to_string() == draft.number);
        record.set("hand", number.map_or_else(|| text(&draft.number), |n| Value::Number(Amount::whole(n))));
    }
    record.set("seats", Value::Array(sitters().map(|s| Value::Number(Amount::whole(s.seat))).collect()));
    if let Some(count) = draft.seat_count {
        record.set("seat_count", Value::Number(Amount::whole(count)));
    }
    if !draft.table.is_empty() {
        record.set("table", text(&draft.table));
    }
    record.set("players", Value::Array(sitters().map(|s| text(&s.name)).collect()));
    if let Some(code) = &draft.currency {
        record.set("currency", text(code));
    }
    if !draft.sign.is_empty() {
        record.set("currency_symbol", text(&draft.sign));
    }
    if sitters().any(|s| s.out) {
        let flag = |s: &Sitter| Value::Number(Amount::whole(i64::from(s.out)));
        record.set("_inactive", Value::Array(sitters().map(flag).collect()));
    }
    if sitters().any(|s| s.dead.is_some()) {
        let dead = sitters().map(|s| Value::Number(s.dead.unwrap_or(Amount::ZERO)));
        record.set("_paidDead", Value::Array(dead.collect()));
    }
    if let Some(rake) = draft.rake.filter(|rake| !rake.is_zero()) {
        record.set("_rake", Value::Number(rake));
    }
    if let Some(board) = draft.second_board {
        let first: Row = draft
            .events
            .iter()
            .filter_map(|(_, _, e)| match e {
                Event::Board(row) => Some(*row),
                _ => None,
            })
            .flat_map(|row| row.as_slice().to_vec())
            .collect();
        record.set("_boards", Value::Array(vec![text(&first.to_string()), text(&board.to_string())]));
    }
    if draft.bomb_pot {
        record.set("_bombPot", Value::Bool(true));
    }
    Ok(record)
}

/// PHH's stack has the dead blind already paid.
fn stack_after_dead(sitter: &Sitter) -> Result<Amount, String> {
    let (Amount::Number { .. }, Some(dead)) = (sitter.stack, sitter.dead) else { return Ok(sitter.stack) };
    let scale = Scale::new(sitter.stack.decimals_needed().max(dead.decimals_needed()));
    let chips = scale.chips(sitter.stack).zip(scale.chips(dead)).map(|(stack, dead)| stack - dead);
    let left = chips.filter(|&c| c > 0).ok_or_else(|| format!("{} posts more than he has", sitter.name))?;
    Ok(scale.amount(left))
}

/// A time of day: `9:05:07` is `09:05:07`.
fn time(text: &str) -> Option<String> {
    let part = |text: &str, most: u8| {
        let digits = matches!(text.len(), 1..=2) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number: &u8| digits && *number <= most)
    };
    let (hour, rest) = text.split_once(':')?;
    let (minute, second) = rest.split_once(':')?;
    let [hour, minute, second] = [part(hour, 23)?, part(minute, 59)?, part(second, 59)?];
    Some(format!("{hour:02}:{minute:02}:{second:02}"))
}

/// `2009/07/02 13:14:51 ET`
fn dates(record: &mut Record, date: &str) {
    let mut words = date.splitn(3, ' ');
    let ymd: Vec<Chips> = words.next().unwrap_or("").split('/').filter_map(|n| n.parse().ok()).collect();
    if let Some(time) = words.next().and_then(time) {
        record.set("time", Value::Time(time));
    }
    if let Some(zone) = words.next().filter(|zone| !zone.is_empty()) {
        let name = if zone.contains('/') { "time_zone" } else { "time_zone_abbreviation" };
        record.set(name, Value::Text(zone.trim().to_owned()));
    }
    if let [year, month, day] = ymd[..] {
        for (name, number) in [("day", day), ("month", month), ("year", year)] {
            record.set(name, Value::Number(Amount::whole(number)));
        }
    }
}
