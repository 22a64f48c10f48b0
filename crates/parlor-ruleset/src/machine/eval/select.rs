//! Selections: walked one by one where that is enough, listed where it is not.

use std::ops::ControlFlow;

use super::filter::Filter;
use crate::machine::eval::{Eval, Scratch};
use crate::machine::ids::{AttrId, EntityId, InstanceId};
use crate::machine::program::{
    Expr, ExprId, NONE, Sel, SelId, Source, TeamRelation, Who, Whole, amount, number,
};
use crate::machine::value::{item_value, seat_value};

/// What a walk does with each.
type Each<'f> = &'f mut dyn FnMut(&mut Scratch, i64) -> ControlFlow<()>;

impl Eval<'_> {
    /// Calls `f` with the number of each of these seats; stops when it says so.
    pub(crate) fn each_seat(
        &self,
        scratch: &mut Scratch,
        who: Who,
        f: &mut dyn FnMut(&mut Scratch, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let n = usize::from(self.state.board.seats);
        match who {
            Who::All => (0..n).try_for_each(|seat| f(scratch, seat)),
            Who::InTurn => {
                self.seats_from(self.state.board.active.into()).try_for_each(|seat| f(scratch, seat.index()))
            }
            Who::One(expr) => {
                let seat = self.value(scratch, expr);
                self.seat(seat).map_or(ControlFlow::Continue(()), |seat| f(scratch, seat))
            }
            Who::Others(expr) => {
                let seat = self.value(scratch, expr);
                let but = self.seat(seat);
                (0..n).filter(|seat| Some(*seat) != but).try_for_each(|seat| f(scratch, seat))
            }
            Who::From(first, count) => {
                let (first, count) = (self.value(scratch, first), self.value(scratch, count));
                let Some(first) = self.seat(first) else { return ControlFlow::Continue(()) };
                let count = count.clamp(0, n as i64) as usize;
                self.seats_from(first).take(count).try_for_each(|seat| f(scratch, seat.index()))
            }
            Who::TeamRelation(expr, relation) => {
                let seat = self.value(scratch, expr);
                let (me, team) = (self.seat(seat), self.team_of(seat));
                let fits = |n: &usize| {
                    let same = team.is_some() && self.program.teams.get(*n).copied() == team;
                    match relation {
                        TeamRelation::Team => same || Some(*n) == me,
                        TeamRelation::Partners => same && Some(*n) != me,
                        TeamRelation::Enemies => !same && Some(*n) != me,
                    }
                };
                (0..n).filter(fits).try_for_each(|seat| f(scratch, seat))
            }
            Who::Among(sel) => {
                let mut list = scratch.list();
                self.list(scratch, sel, &mut list);
                let (mut before, mut flow) = (0u32, ControlFlow::Continue(()));
                for seat in list.iter().filter_map(|value| self.seat(*value)) {
                    if before & 1 << seat == 0 && flow.is_continue() {
                        before |= 1 << seat;
                        flow = f(scratch, seat);
                    }
                }
                scratch.give(list);
                flow
            }
        }
    }

    /// Seats, a bit each.
    pub(crate) fn seat_bits(&self, scratch: &mut Scratch, who: Who) -> u16 {
        let mut seats = 0;
        let _ = self.each_seat(scratch, who, &mut |_, seat| {
            seats |= 1u16 << seat;
            ControlFlow::Continue(())
        });
        seats
    }

    /// Walks the source and lets through what is kept.
    fn walk(&self, scratch: &mut Scratch, sel: &Sel, id: SelId, f: Each<'_>) -> ControlFlow<()> {
        if sel.keep.is_none() {
            return self.walk_source(scratch, sel, f);
        }
        let around = scratch.begin_walk(id);
        let flow = self.walk_source(scratch, sel, f);
        scratch.end_walk(around);
        flow
    }

    /// Walks what it is taken from, without looking for what was worked out for the walk.
    pub(crate) fn walk_source(&self, scratch: &mut Scratch, sel: &Sel, f: Each<'_>) -> ControlFlow<()> {
        let mut filter = sel.keep.map(|keep| Filter::of(sel, keep, sel.test));
        let mut pass = |scratch: &mut Scratch, value: i64| -> ControlFlow<()> {
            if scratch.fuel == 0 {
                return ControlFlow::Break(());
            }
            if let Some(filter) = &mut filter {
                if !self.keeps(scratch, filter, value) {
                    return ControlFlow::Continue(());
                }
            } else {
                scratch.fuel -= 1;
            }
            f(scratch, value)
        };
        match &sel.source {
            Source::Zones(zones, who) => {
                for zone in zones {
                    let def = &self.program.zones[*zone];
                    let board = &self.state.board;
                    if def.per_player {
                        self.each_seat(scratch, *who, &mut |scratch, seat| {
                            let cards = &board.zones[def.base.of(seat)];
                            cards.iter().try_for_each(|ent| pass(scratch, ent.value()))
                        })?;
                    } else {
                        let cards = &board.zones[def.base];
                        cards.iter().try_for_each(|ent| pass(scratch, ent.value()))?;
                    }
                }
                ControlFlow::Continue(())
            }
            Source::Seats(who) => {
                self.each_seat(scratch, *who, &mut |scratch, seat| pass(scratch, seat_value(seat)))
            }
            Source::Items(who) => {
                let seats = self.seat_bits(scratch, *who);
                let theirs = |you: i64| self.seat(you).is_some_and(|n| seats & 1 << n != 0);
                let items = self.state.stack.iter().rev().filter(|item| theirs(item.you));
                items.map(|item| item_value(item.order)).try_for_each(|item| pass(scratch, item))
            }
            Source::List(n) => {
                let list = self.lists.get(usize::from(*n)).map_or(&[][..], Vec::as_slice);
                list.iter().try_for_each(|value| pass(scratch, *value))
            }
            Source::Answer(slot, seat) => {
                let seat = self.value(scratch, *seat);
                let Some(seat) = self.seat(seat) else { return ControlFlow::Continue(()) };
                let answer = &self.state.answers[slot.index() * usize::from(self.state.board.seats) + seat];
                answer.iter().filter(|value| **value != NONE).try_for_each(|value| pass(scratch, *value))
            }
            Source::Range(from, to) => {
                let (from, to) = (self.value(scratch, *from), self.value(scratch, *to));
                (from..=to).try_for_each(|value| pass(scratch, value))
            }
            Source::Single(expr) => {
                let value = self.value(scratch, *expr);
                if value == NONE { ControlFlow::Continue(()) } else { pass(scratch, value) }
            }
            Source::Cells(zone, of, free) => {
                let (columns, rows) = self.program.zones[*zone].grid.unwrap_or((0, 0));
                let cards = self.zone_cards(scratch, *zone, *of);
                let cell = |ent: &EntityId| i64::from(self.state.board.entities[*ent].cell);
                let mut cells = 0..i64::from(columns) * i64::from(rows);
                cells.try_for_each(|n| {
                    if *free && cards.iter().any(|ent| cell(ent) == n) {
                        return ControlFlow::Continue(());
                    }
                    pass(scratch, n)
                })
            }
            Source::Config(n) => self.state.config[*n].iter().try_for_each(|value| pass(scratch, *value)),
            Source::Consts(values) => values.iter().try_for_each(|value| pass(scratch, *value)),
            Source::Union(sels) => sels.iter().try_for_each(|inner| self.each(scratch, *inner, &mut pass)),
        }
    }

    /// Calls `f` with everything that is selected, in order; stops when it says so.
    pub(crate) fn each(&self, scratch: &mut Scratch, sel: SelId, f: Each<'_>) -> ControlFlow<()> {
        let id = sel;
        let sel = &self.program.sels[sel];
        if sel.is_simple() {
            return match sel.all_of() {
                Some(whole) => self.each_card(scratch, whole, f),
                None => self.walk(scratch, sel, id, f),
            };
        }
        let mut list = scratch.list();
        self.finish(scratch, sel, id, &mut list);
        let mut flow = ControlFlow::Continue(());
        for value in &list {
            flow = f(scratch, *value);
            if flow.is_break() {
                break;
            }
        }
        scratch.give(list);
        flow
    }

    /// A walk over one whole zone.
    fn each_card(&self, scratch: &mut Scratch, whole: Whole, f: Each<'_>) -> ControlFlow<()> {
        self.whole_zone(scratch, whole).iter().try_for_each(|ent| {
            if scratch.looks(1, whole.cost) == 0 {
                return ControlFlow::Break(());
            }
            f(scratch, ent.value())
        })
    }

    /// Adds everything that is selected to a list, in order.
    pub(crate) fn list(&self, scratch: &mut Scratch, sel: SelId, list: &mut Vec<i64>) {
        self.finish(scratch, &self.program.sels[sel], sel, list);
    }

    fn finish(&self, scratch: &mut Scratch, sel: &Sel, id: SelId, list: &mut Vec<i64>) {
        let start = list.len();
        let around = scratch.begin_walk(id);
        match (sel.whole, sel.keep) {
            (Some(whole), None) => {
                let cards = self.whole_zone(scratch, whole);
                let n = scratch.looks(cards.len(), whole.cost);
                list.extend(cards[..n].iter().map(|ent| ent.value()));
            }
            (Some(whole), Some(keep)) => {
                list.extend(self.whole_zone(scratch, whole).iter().map(|ent| ent.value()));
                let end = self.sift(scratch, &mut Filter::of(sel, keep, sel.test), list, start);
                list.truncate(end);
            }
            (None, _) => {
                let _ = self.walk_source(scratch, sel, &mut |_, value| {
                    list.push(value);
                    ControlFlow::Continue(())
                });
            }
        }
        if !sel.prefer.is_empty() {
            self.prefer(scratch, sel, list, start);
        }
        if let Some(key) = sel.distinct {
            self.distinct(scratch, sel, key, list, start);
        }
        if sel.sorted {
            self.by_name(&mut list[start..]);
        }
        if let Some((key, most)) = sel.order {
            let it = usize::from(sel.it);
            let before = scratch.its[it];
            let mut keyed: Vec<(i64, i64)> = list[start..]
                .iter()
                .map(|value| {
                    scratch.its[it] = *value;
                    (self.value(scratch, key), *value)
                })
                .collect();
            scratch.its[it] = before;
            // `!` turns the order of all numbers round; the least of them has no negative.
            keyed.sort_by_key(|(key, _)| if most { !*key } else { *key });
            for (place, (_, value)) in list[start..].iter_mut().zip(keyed) {
                *place = value;
            }
        }
        if sel.reversed {
            list[start..].reverse();
        }
        scratch.end_walk(around);
        if let Some(n) = sel.n {
            let n = self.value(scratch, n).max(0) as usize;
            list.truncate(start.saturating_add(n));
        }
    }

    /// Keeps of those with the same key only the first.
    fn distinct(&self, scratch: &mut Scratch, sel: &Sel, key: ExprId, list: &mut Vec<i64>, start: usize) {
        let it = usize::from(sel.it);
        let before = scratch.its[it];
        let mut seen = std::collections::BTreeSet::new();
        let mut place = start;
        for n in start..list.len() {
            scratch.its[it] = list[n];
            let key = self.value(scratch, key);
            if seen.insert(key) {
                list[place] = list[n];
                place += 1;
            }
        }
        list.truncate(place);
        scratch.its[it] = before;
    }

    /// Sorts by the names that clients know: an entity's own number is nobody's business.
    pub(crate) fn by_name(&self, list: &mut [i64]) {
        let handle =
            |value: i64| self.ent(value).map_or(value, |e| i64::from(self.state.board.entities[e].handle));
        list.sort_by_key(|value| (*value >= seat_value(0), handle(*value)));
    }

    /// Keeps what the first fallback leaves that leaves anything.
    fn prefer(&self, scratch: &mut Scratch, sel: &Sel, list: &mut Vec<i64>, start: usize) {
        for prefer in &sel.prefer {
            if prefer.when.is_some_and(|when| !self.holds(scratch, when)) {
                continue;
            }
            let end = self.sift(scratch, &mut Filter::of(sel, prefer.keep, prefer.test), list, start);
            if end > start {
                return list.truncate(end);
            }
        }
    }

    /// Everything that comes down to one value.
    pub(in crate::machine) fn fold(&self, scratch: &mut Scratch, expr: Expr) -> i64 {
        let mut result = NONE;
        match expr {
            Expr::Count(sel) => {
                let mut count = 0;
                if let Some(count) = self.count_quickly(scratch, sel) {
                    return count;
                }
                let _ = self.each(scratch, sel, &mut |_, _| {
                    count += 1;
                    ControlFlow::Continue(())
                });
                result = count;
            }
            Expr::Exists(sel) => {
                if let Some(cards) = self.plain_zone(scratch, sel) {
                    return i64::from(!cards.is_empty());
                }
                let found = self.each(scratch, sel, &mut |_, _| ControlFlow::Break(())).is_break();
                result = i64::from(found && scratch.fuel > 0);
            }
            Expr::First(sel) => {
                if let Some(cards) = self.plain_zone(scratch, sel) {
                    return cards.first().map_or(NONE, |ent| ent.value());
                }
                let _ = self.each(scratch, sel, &mut |_, value| {
                    result = value;
                    ControlFlow::Break(())
                });
            }
            Expr::Last(sel) => {
                if let Some(cards) = self.plain_zone(scratch, sel) {
                    return cards.last().map_or(NONE, |ent| ent.value());
                }
                let _ = self.each(scratch, sel, &mut |_, value| {
                    result = value;
                    ControlFlow::Continue(())
                });
            }
            Expr::At(sel, place) => {
                let mut left = self.value(scratch, place);
                let _ = self.each(scratch, sel, &mut |_, value| {
                    if left == 0 {
                        result = value;
                        return ControlFlow::Break(());
                    }
                    left = left.saturating_sub(1);
                    ControlFlow::Continue(())
                });
            }
            _ => return self.fold_keys(scratch, expr),
        }
        result
    }

    /// A key of everything comes down to one value.
    fn fold_keys(&self, scratch: &mut Scratch, expr: Expr) -> i64 {
        let mut result = NONE;
        match expr {
            Expr::Sum(sel, key) => {
                result = 0;
                self.keyed(scratch, sel, key, &mut |_, key| {
                    result = number(result.saturating_add(amount(key)))
                });
            }
            Expr::Most(sel, key) => {
                let mut best = None;
                self.keyed(scratch, sel, key, &mut |_, key| best = best.max(Some(key)));
                result = best.unwrap_or(0);
            }
            Expr::Least(sel, key) => {
                let mut best: Option<i64> = None;
                self.keyed(scratch, sel, key, &mut |_, key| best = Some(best.map_or(key, |b| b.min(key))));
                result = best.unwrap_or(0);
            }
            Expr::MaxBy(sel, key) => {
                let mut best = None;
                self.keyed(scratch, sel, key, &mut |value, key| {
                    if best.is_none_or(|b| key > b) {
                        (best, result) = (Some(key), value);
                    }
                });
            }
            Expr::MinBy(sel, key) => {
                let mut best = None;
                self.keyed(scratch, sel, key, &mut |value, key| {
                    if best.is_none_or(|b| key < b) {
                        (best, result) = (Some(key), value);
                    }
                });
            }
            _ => {}
        }
        result
    }

    /// The cards of a selection that is one whole zone: of the game, or of one seat.
    #[inline]
    fn plain_zone(&self, scratch: &mut Scratch, sel: SelId) -> Option<&[EntityId]> {
        let sel = &self.program.sels[sel];
        // What is inside of another is walked: that is what it costs.
        let whole = sel.all_of().filter(|whole| whole.cost == 1 && sel.is_simple())?;
        Some(self.whole_zone(scratch, whole))
    }

    /// The cards of one whole zone.
    #[inline]
    fn whole_zone(&self, scratch: &mut Scratch, whole: Whole) -> &[EntityId] {
        match whole.of {
            None => &self.state.board.zones[whole.base],
            Some(of) => {
                let seat = self.value(scratch, of);
                self.seat(seat).map_or(&[], |seat| &self.state.board.zones[whole.base.of(seat)])
            }
        }
    }

    /// A whole zone is counted without looking at its cards.
    fn count_quickly(&self, scratch: &mut Scratch, sel: SelId) -> Option<i64> {
        if let Some(cards) = self.plain_zone(scratch, sel) {
            return Some(cards.len() as i64);
        }
        let sel = &self.program.sels[sel];
        if sel.keep.is_some() || sel.n.is_some() || sel.distinct.is_some() || !sel.prefer.is_empty() {
            return None;
        }
        if !sel.runs.is_empty() {
            return Some(self.lie_in(&sel.runs));
        }
        let Source::Zones(zones, who) = &sel.source else { return None };
        let mut count = 0;
        for zone in zones {
            let def = &self.program.zones[*zone];
            let zones = &self.state.board.zones;
            if def.per_player {
                let _ = self.each_seat(scratch, *who, &mut |_, seat| {
                    count += zones[def.base.of(seat)].len();
                    ControlFlow::Continue(())
                });
            } else {
                count += zones[def.base].len();
            }
        }
        Some(count as i64)
    }

    /// How many cards lie in these instances of zones: those of seats that nobody has are empty.
    #[inline]
    fn lie_in(&self, runs: &[(InstanceId, u16)]) -> i64 {
        let zones = &self.state.board.zones;
        let cards = |(first, run): &(InstanceId, u16)| {
            zones.iter().skip(first.index()).take(usize::from(*run)).map(Vec::len).sum::<usize>()
        };
        runs.iter().map(cards).sum::<usize>() as i64
    }

    fn keyed(&self, scratch: &mut Scratch, sel: SelId, key: ExprId, f: &mut dyn FnMut(i64, i64)) {
        let it = usize::from(self.program.sels[sel].it);
        if let Expr::ItAttr(_, depth, attr) = self.program.exprs[key]
            && usize::from(depth) == it
            && self.keyed_by_print(scratch, sel, attr, f).is_break()
        {
            return;
        }
        let _ = self.each(scratch, sel, &mut |scratch, value| {
            let before = std::mem::replace(&mut scratch.its[it], value);
            let key = self.value(scratch, key);
            scratch.its[it] = before;
            f(value, key);
            ControlFlow::Continue(())
        });
    }

    /// The same with a key that is printed on cards, which is read off them all when they are listed. Where there is too
    /// little fuel for that, or something else than a card among them, nothing has been done.
    fn keyed_by_print(
        &self,
        scratch: &mut Scratch,
        sel: SelId,
        attr: AttrId,
        f: &mut dyn FnMut(i64, i64),
    ) -> ControlFlow<()> {
        // The expression, and `it` in it.
        const COST: u32 = 2;
        let fuel = scratch.fuel;
        let mut list = scratch.list();
        self.list(scratch, sel, &mut list);
        let (column, cards) = (self.program.column(attr), &self.state.board.entities);
        let all = COST.saturating_mul(list.len() as u32);
        let done =
            scratch.fuel > all && list.iter().all(|value| self.ent(*value).is_some()) && !column.is_empty();
        if done {
            scratch.fuel -= all;
            for value in &list {
                f(*value, column[cards[*value as usize].def]);
            }
        } else {
            scratch.fuel = fuel;
        }
        scratch.give(list);
        if done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    /// Whether an entity that changed is in a selection over zones: asked of the entity, not of its zones.
    pub(crate) fn contains_dirty(&self, scratch: &mut Scratch, sel: SelId, value: i64) -> bool {
        let sel = &self.program.sels[sel];
        let (Source::Zones(zones, _), Some(e)) = (&sel.source, self.ent(value)) else { return false };
        let zone = self.program.instances[self.state.board.entities[e].at].zone;
        if !zones.contains(&zone) {
            return false;
        }
        let Some(keep) = sel.keep else { return true };
        let before = std::mem::replace(&mut scratch.its[usize::from(sel.it)], value);
        let kept = self.holds(scratch, keep);
        scratch.its[usize::from(sel.it)] = before;
        kept
    }

    /// Whether anything can be selected. Fallbacks and order do not matter for that.
    pub(crate) fn any(&self, scratch: &mut Scratch, sel: SelId) -> bool {
        if let Some(whole) = self.program.sels[sel].all_of() {
            let cards = self.whole_zone(scratch, whole);
            return scratch.looks(cards.len().min(1), whole.cost) > 0 && scratch.fuel > 0;
        }
        self.walk(scratch, &self.program.sels[sel], sel, &mut |_, _| ControlFlow::Break(())).is_break()
            && scratch.fuel > 0
    }

    /// Whether a value is in a selection.
    pub(crate) fn contains(&self, scratch: &mut Scratch, sel: SelId, value: i64) -> bool {
        self.each(scratch, sel, &mut |_, other| {
            if other == value { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .is_break()
            && scratch.fuel > 0
    }
}
