//! Priority, and actions that are put together target by target.
//!
//! An action is legal when its conditions hold, a legal target can be found for each of its targets, and its costs can
//! be paid. Targets are bound from left to right; a condition is looked at as soon as the targets it speaks of are
//! bound. Completions are looked for one by one, never listed as a product.

use crate::machine::eval::{Eval, Scratch};
use crate::machine::exec::board_ops::Done;
use crate::machine::ids::{ActionId, AttrId, EntityId, SlotId, StepId};
use crate::machine::program::{ActionDef, Cost, NONE, Program, Spread, TargetDef, Timing};
use crate::machine::state::{Announce, EventData, Open, Question, State, Verdict, Vm, Window};
use crate::machine::value::seat_value;

/// The next thing that an action needs.
#[derive(Clone, Debug)]
pub(crate) enum Spec<'t> {
    /// A target, and how many targets before it belong to the action itself and not to its card or ability.
    From(&'t TargetDef, usize),
    /// One of these numbers, with their names: a mode or an ability.
    Named(Vec<(i64, String)>, String),
    /// Nothing more.
    Done,
}

impl Spec<'_> {
    /// What it is called in the rules.
    #[must_use]
    pub(crate) fn name(&self) -> &str {
        match self {
            Self::From(target, _) => &target.name,
            Self::Named(_, what) => what,
            Self::Done => "",
        }
    }
}

/// A look at what a seat may do.
#[derive(Clone, Copy)]
pub(crate) struct Acting<'a> {
    /// The rules.
    pub program: &'a Program,
    /// The state.
    pub state: &'a State,
    /// Who acts.
    pub seat: u8,
}

impl<'a> Acting<'a> {
    fn eval(&self, targets: &'a [i64]) -> Eval<'a> {
        let this = targets.first().copied().unwrap_or(NONE);
        Eval {
            locals: targets,
            ..Eval::outside(self.program, self.state, this, seat_value(usize::from(self.seat)))
        }
    }

    /// What an action with these targets needs next.
    #[must_use]
    pub(crate) fn spec<'t>(&self, action: &'t ActionDef, targets: &[i64]) -> Spec<'t>
    where
        'a: 't,
    {
        let own = action.targets.len();
        if let Some(target) = action.targets.get(targets.len()) {
            return Spec::From(target, 0);
        }
        let Some(e) = targets.first().and_then(|target| self.state.board.entity(*target)) else {
            return Spec::Done;
        };
        let card = &self.program.cards[self.state.board.entities[e].def];
        let rest = &targets[own..];
        match action.spread {
            Spread::None => Spec::Done,
            Spread::Card => {
                let (specs, bound, skip) = if card.modes.is_empty() {
                    (&card.targets, rest.len(), own)
                } else {
                    let Some(mode) = rest.first() else {
                        let modes =
                            card.modes.iter().enumerate().map(|(n, mode)| (n as i64, mode.name.clone()));
                        return Spec::Named(modes.collect(), "mode".to_owned());
                    };
                    let Some(mode) = card.modes.get(*mode as usize) else { return Spec::Done };
                    (&mode.targets, rest.len() - 1, own + 1)
                };
                specs.get(bound).map_or(Spec::Done, |target| Spec::From(target, skip))
            }
            Spread::Ability => {
                let Some(ability) = rest.first() else {
                    let at = self.state.board.entities[e].at;
                    let zone = self.program.bit_of(at);
                    let abilities = self.state.board.abilities(self.program, e);
                    let abilities = abilities
                        .flat_map(|part| &part.activated)
                        .filter(|a| self.program.abilities[**a].zones & zone != 0);
                    let named = abilities.map(|a| (a.value(), self.program.abilities[*a].id.clone()));
                    return Spec::Named(named.collect(), "ability".to_owned());
                };
                let Some(ability) = self.program.abilities.get(*ability as usize) else { return Spec::Done };
                let target = ability.targets.get(rest.len() - 1);
                target.map_or(Spec::Done, |target| Spec::From(target, own + 1))
            }
        }
    }

    /// Whether the target at a place is a number, and no thing.
    pub(crate) fn is_number(&self, action: &ActionDef, targets: &[i64], n: usize) -> bool {
        let bound = targets.get(..n).unwrap_or(&[]);
        matches!(self.spec(action, bound), Spec::From(TargetDef { number: true, .. }, _))
    }

    /// The ability that was chosen.
    pub(crate) fn ability(&self, action: &ActionDef, targets: &[i64]) -> Option<&'a ActionDef> {
        chosen_ability(self.program, action, targets)
    }

    /// Everything that may be chosen next, legal or not.
    fn candidates(&self, scratch: &mut Scratch, action: &ActionDef, targets: &'a [i64]) -> Option<Vec<i64>> {
        match self.spec(action, targets) {
            Spec::Done => None,
            Spec::Named(names, _) => Some(names.into_iter().map(|(n, _)| n).collect()),
            Spec::From(target, skip) => {
                let mut list = Vec::new();
                let eval = self.eval(targets);
                let eval = Eval { locals: &targets[skip.min(targets.len())..], ..eval };
                eval.list(scratch, target.from, &mut list);
                if target.optional {
                    list.push(NONE);
                }
                Some(list)
            }
        }
    }

    /// Whether the conditions hold that speak of no more than these targets.
    fn holds(&self, scratch: &mut Scratch, action: &ActionDef, targets: &[i64]) -> bool {
        let eval = Acting { ..*self }.eval_short(targets);
        let own = action.when.iter().filter(|(need, _)| usize::from(*need) <= targets.len());
        for (_, when) in own {
            if !eval.holds(scratch, *when) {
                return false;
            }
        }
        let Some(ability) = self.ability(action, targets) else { return true };
        let rest = &targets[(action.targets.len() + 1).min(targets.len())..];
        let eval = Eval { locals: rest, ..eval };
        ability.when.iter().all(|(need, when)| usize::from(*need) > rest.len() || eval.holds(scratch, *when))
    }

    pub(crate) fn eval_short<'t>(&self, targets: &'t [i64]) -> Eval<'t>
    where
        'a: 't,
    {
        let this = targets.first().copied().unwrap_or(NONE);
        Eval {
            locals: targets,
            ..Eval::outside(self.program, self.state, this, seat_value(usize::from(self.seat)))
        }
    }

    /// Whether all costs can be paid together.
    #[must_use]
    pub(crate) fn payable(&self, scratch: &mut Scratch, action: &ActionDef, targets: &[i64]) -> bool {
        let mut due: Vec<(SlotId, i64)> = Vec::new();
        self.add_costs(scratch, action, targets, 0, &mut due)
            && due.iter().all(|(slot, amount)| self.state.board.vars[*slot] >= *amount)
    }

    pub(crate) fn add_costs(
        &self,
        scratch: &mut Scratch,
        action: &ActionDef,
        targets: &[i64],
        skip: usize,
        due: &mut Vec<(SlotId, i64)>,
    ) -> bool {
        let eval = self.eval_short(targets);
        let eval = Eval { locals: &targets[skip.min(targets.len())..], ..eval };
        for cost in &action.costs {
            match cost {
                Cost::Do(_) => {}
                Cost::Ability => {
                    let Some(ability) = self.ability(action, targets) else { continue };
                    if !self.add_costs(scratch, ability, targets, action.targets.len() + 1, due) {
                        return false;
                    }
                }
                Cost::Pay { var, of, amount } => {
                    let base = self.program.vars[*var].base;
                    let seat = eval.place_of(scratch, *var, *of);
                    let amount = eval.value(scratch, *amount);
                    let Some(seat) = seat else { return false };
                    if amount < 0 {
                        return false;
                    }
                    let slot = base.of(seat);
                    match due.iter_mut().find(|(other, _)| *other == slot) {
                        Some((_, sum)) => *sum = sum.saturating_add(amount),
                        None => due.push((slot, amount)),
                    }
                }
            }
        }
        true
    }

    /// Whether these targets can be completed to a legal action.
    #[must_use]
    pub(crate) fn completable(&self, scratch: &mut Scratch, action: &ActionDef, targets: &[i64]) -> bool {
        if scratch.fuel == 0
            || targets.len() > crate::limits::TARGETS_MAX
            || !self.holds(scratch, action, targets)
        {
            return false;
        }
        let short = Acting { program: self.program, state: self.state, seat: self.seat };
        match short.candidates_of(scratch, action, targets) {
            None => self.payable(scratch, action, targets) && !self.forbidden(scratch, action, targets),
            Some(list) => {
                let mut longer = targets.to_vec();
                list.into_iter().any(|candidate| {
                    longer.truncate(targets.len());
                    longer.push(candidate);
                    self.completable(scratch, action, &longer)
                })
            }
        }
    }

    /// Whether a rule forbids what this action would be.
    fn forbidden(&self, scratch: &mut Scratch, action: &ActionDef, targets: &[i64]) -> bool {
        let ev = EventData { ty: action.event, args: Vm::args(targets), ..EventData::NONE };
        super::react::forbidden(self.program, self.state, scratch, &ev)
    }

    pub(crate) fn candidates_of(
        &self,
        scratch: &mut Scratch,
        action: &ActionDef,
        targets: &[i64],
    ) -> Option<Vec<i64>> {
        Acting { program: self.program, state: self.state, seat: self.seat }
            .candidates(scratch, action, targets)
    }

    /// Everything that may be chosen next so that a legal action can come of it.
    #[must_use]
    pub(crate) fn options(&self, scratch: &mut Scratch, action: &ActionDef, targets: &[i64]) -> Vec<i64> {
        let Some(list) = self.candidates_of(scratch, action, targets) else { return Vec::new() };
        let mut longer = targets.to_vec();
        list.into_iter()
            .filter(|candidate| {
                longer.truncate(targets.len());
                longer.push(*candidate);
                self.completable(scratch, action, &longer)
            })
            .collect()
    }

    /// Actions that can be begun, by number.
    #[must_use]
    pub(crate) fn actions(&self, scratch: &mut Scratch) -> Vec<ActionId> {
        let all = (0..self.program.actions.len()).map(ActionId::at);
        all.filter(|n| self.completable(scratch, &self.program.actions[*n], &[])).collect()
    }
}

fn chosen_ability<'p>(program: &'p Program, action: &ActionDef, targets: &[i64]) -> Option<&'p ActionDef> {
    let chosen = *targets.get(action.targets.len())?;
    if action.spread != Spread::Ability {
        return None;
    }
    usize::try_from(chosen).ok().and_then(|n| program.abilities.get(n))
}

impl Vm<'_, '_> {
    /// Players may act, where the step lets them.
    pub fn priority(&mut self, step: StepId, pc: u32) -> Done {
        let def = &self.program.steps[step];
        if self.beat()? {
            self.again(pc);
            return Ok(());
        }
        if self.state.over.is_some() {
            return Ok(());
        }
        if !def.empty || self.state.passed {
            self.state.passed = false;
            return Ok(());
        }
        if self.repeated() {
            return Err(Verdict::Repetition);
        }
        self.open_window();
        self.again(pc);
        Ok(())
    }

    /// The flow comes back to this operation when what it began is done.
    pub(in crate::machine) fn again(&mut self, pc: u32) {
        let inner = usize::from(std::mem::take(&mut self.aiming));
        let flow = self.state.frames.len().checked_sub(1 + inner);
        if let Some(frame) = flow.and_then(|flow| self.state.frames.get_mut(flow))
            && self.state.current.is_none()
        {
            frame.pc = pc;
        } else if let Some(current) = &self.state.current {
            // The item's own frame is on top: the flow waits below it.
            let flow = (current.frames as usize).saturating_sub(1);
            if let Some(frame) = self.state.frames.get_mut(flow) {
                frame.pc = pc;
            }
        }
    }

    /// Opens a window for everybody, from the seat whose turn it is.
    pub fn open_window(&mut self) {
        let active = self.state.board.active;
        let top = self.state.stack.last().map_or(0, |item| item.order);
        let resumed = self.state.more.resumes.take().filter(|(_, was)| *was == top).map(|(window, _)| window);
        self.state.window = Some(resumed.unwrap_or(Window { holder: active, passes: 0 }));
        let active = self.state.window.as_ref().map_or(active, |window| window.holder);
        // Whoever has lost is passed over, which is no pass: everybody else is asked.
        if self.state.lost.has(parlor_core::Seat::new(active)) {
            self.next_holder();
        }
        self.ask_holder();
    }

    /// The next seat that has not lost may act.
    fn next_holder(&mut self) {
        let (seats, lost) = (self.state.board.seats, self.state.lost);
        let Some(window) = &mut self.state.window else { return };
        for _ in 0..seats {
            window.holder = (window.holder + 1) % seats;
            if !lost.has(parlor_core::Seat::new(window.holder)) {
                break;
            }
        }
    }

    fn ask_holder(&mut self) {
        let Some(window) = &self.state.window else { return };
        let holder = window.holder;
        if self.has_nothing_to_say(holder) || self.passes_by_itself(holder) {
            // Others hear what they hear of every pass.
            self.tell_holder(holder);
            return self.pass_on();
        }
        let ms = self.action_ms();
        let id = self.next_ask();
        let seats = parlor_core::Seats::only(parlor_core::Seat::new(holder));
        self.state.open = Some(Open { id, what: Question::Priority, seats, ms });
        self.tell_holder(holder);
    }

    fn tell_holder(&mut self, holder: u8) {
        if self.out.output.is_some() {
            let on_stack = !self.state.stack.is_empty();
            let event = serde_json::json!({"type": "priority.changed", "seat": holder, "stack": on_stack});
            self.tell(parlor_core::Seats::ALL, event);
        }
    }

    fn alive(&self) -> u8 {
        (0..self.state.board.seats).filter(|n| !self.state.lost.has(parlor_core::Seat::new(*n))).count() as u8
    }

    /// The holder passes: the next one may act, or everybody has passed.
    pub fn pass_on(&mut self) {
        if let Some(window) = &mut self.state.window {
            window.passes += 1;
        }
        self.go_round();
    }

    /// Whoever left no longer counts among those who passed; where he might have acted, the next one may.
    pub(in crate::machine) fn pass_over(&mut self, lost_before: parlor_core::Seats) {
        let (seats, lost) = (self.state.board.seats, self.state.lost);
        let Some(window) = &mut self.state.window else { return };
        // Those who passed sit before the holder, one after another, without those who had lost before.
        let there = (1..seats).map(|back| parlor_core::Seat::new((window.holder + seats - back) % seats));
        let passed = there.filter(|seat| !lost_before.has(*seat)).take(window.passes.into());
        window.passes = passed.filter(|seat| !lost.has(*seat)).count() as u8;
        if lost.has(parlor_core::Seat::new(window.holder)) {
            self.state.open = None;
            self.go_round();
        }
    }

    /// The next one may act, or everybody has passed.
    fn go_round(&mut self) {
        let alive = self.alive();
        let Some(window) = &mut self.state.window else { return };
        if window.passes >= alive {
            self.state.window = None;
            self.state.passed = true;
            self.changed = parlor_core::Seats::ALL;
            return;
        }
        self.next_holder();
        self.ask_holder();
    }

    /// A seat begins or goes on with an action: asks for the next target, or does it.
    pub fn announce(&mut self, announce: Announce) {
        let program = self.program;
        let def = &program.actions[announce.action];
        let acting = Acting { program, state: self.state, seat: announce.seat };
        if matches!(acting.spec(def, &announce.targets), Spec::Done) {
            self.state.announce = None;
            self.commit(&announce);
            return;
        }
        let seats = parlor_core::Seats::only(parlor_core::Seat::new(announce.seat));
        let id = self.next_ask();
        let ms = self.action_ms();
        self.state.open = Some(Open { id, what: Question::Target, seats, ms });
        self.state.announce = Some(announce);
        self.changed = self.changed.and(seats);
    }

    /// Pays the costs and pushes the action.
    fn commit(&mut self, announce: &Announce) {
        let window = self.state.window.take();
        let program = self.program;
        let def = &program.actions[announce.action];
        // What resolves at once opens no window for others (001/R1): when it is done, this one goes on.
        let top = self.state.stack.last().map_or(0, |item| item.order);
        let goes_on = def.timing == Timing::AtOnce && !program.is_first_edition();
        self.state.more.resumes = window.filter(|_| goes_on).map(|window| (window, top));
        // Costs are paid together or not at all: they have a journal of their own.
        self.state.current = Some(Box::new(crate::machine::state::Current::apart(self.state)));
        let happened = self.state.happened.len();
        let paid = self.pay(def, announce, 0).and_then(|()| match (def.hold, self.entity_of(announce)) {
            (Some(zone), Some(ent)) => {
                let def = &program.zones[zone];
                let to = if def.per_player { def.base.of(announce.seat.into()) } else { def.base };
                self.put(ent, to, crate::machine::program::ZonePosition::Top, announce.seat)
            }
            _ => Ok(()),
        });
        // What finds no room on the stack has cost nothing: the journal is kept until it is there.
        let pushed =
            paid.and_then(|()| self.push_action(announce.action, announce.seat, announce.targets.clone()));
        if pushed.is_ok() {
            self.state.current = None;
        }
        if let Err(verdict) = pushed {
            self.roll_back(0);
            if let Some(current) = self.state.current.take() {
                current.before.again(self.state);
            }
            self.state.happened.truncate(happened);
            self.verdict(verdict, 0);
        }
    }

    fn entity_of(&self, announce: &Announce) -> Option<EntityId> {
        self.entity(announce.targets.first().copied().unwrap_or(NONE))
    }

    fn pay(&mut self, def: &ActionDef, announce: &Announce, skip: usize) -> Done {
        let this = announce.targets.first().copied().unwrap_or(NONE);
        let you = seat_value(usize::from(announce.seat));
        let locals = announce.targets[skip.min(announce.targets.len())..].to_vec();
        for cost in &def.costs {
            match cost {
                Cost::Do(block) => self.block(*block, this, you, EventData::NONE, &locals)?,
                Cost::Pay { var, of, amount } => {
                    let block_locals = locals.clone();
                    self.enter(
                        crate::machine::program::Block::default(),
                        this,
                        you,
                        EventData::NONE,
                        &block_locals,
                    );
                    let amount = self.eval(*amount);
                    let now = self.var(*var, *of);
                    let enough = amount >= 0 && now >= amount;
                    let paid =
                        if enough { self.set_var(*var, *of, now - amount) } else { Err(Verdict::Rules) };
                    self.leave();
                    paid?;
                }
                Cost::Ability => {
                    let chosen = chosen_ability(self.program, def, &announce.targets);
                    if let Some(ability) = chosen {
                        self.pay(ability, announce, def.targets.len() + 1)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Whether this position came too often. Names, numbers and turns do not count.
    fn repeated(&mut self) -> bool {
        let most = self.program.limits().same;
        if most == 0 {
            return false;
        }
        let board = &self.state.board;
        let mut hash = 0xcbf2_9ce4_8422_2325u64;
        let mut mix =
            |value: i64| hash = (hash ^ value as u64).wrapping_mul(0x0100_0000_01b3).rotate_left(29);
        board.vars.iter().chain(&board.attrs).chain(&board.counters).for_each(|value| mix(*value));
        for zone in &board.zones {
            mix(-7);
            for ent in zone {
                let card = &board.entities[*ent];
                mix(card.def.value() << 32 | i64::from(card.ctrl) << 24 | i64::from(card.down) << 16);
                mix(card.cell.into());
            }
        }
        mix(board.step.value());
        mix(i64::from(board.active));
        for m in &board.mods {
            let (attr, set, value) = m.change.unwrap_or((AttrId(u16::MAX), m.mute, 0));
            mix(m.ent.value() << 32 | attr.value() << 1 | i64::from(set));
            [value, m.keywords as i64, m.without as i64].into_iter().for_each(&mut mix);
        }
        match self.state.positions.binary_search_by_key(&hash, |(hash, _)| *hash) {
            Ok(n) => {
                self.state.positions[n].1 += 1;
                u32::from(self.state.positions[n].1) >= most
            }
            Err(n) => {
                if self.state.positions.len() >= 4096 {
                    self.state.positions.clear();
                    self.state.positions.push((hash, 1));
                } else {
                    self.state.positions.insert(n, (hash, 1));
                }
                false
            }
        }
    }
}
