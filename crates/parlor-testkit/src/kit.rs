//! One call per game: everything that a game on this contract must pass.

use std::fmt::Write as _;
use std::path::PathBuf;

use parlor_core::{GameDef, Json, Match, Rng, Viewer};

use crate::world::{Plan, World, test_luck};
use crate::{bad, net, playthrough, random, restart, twins, undo};

/// What to test, and how much of it.
#[derive(Clone, Debug)]
pub struct Kit {
    def: GameDef,
    settings: Json,
    seats: u8,
    matches: u64,
    deep: u64,
    seed: u64,
    playthrough: Option<PathBuf>,
}

/// What was tested. The test prints it, so that a kit that compared nothing is noticed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Report {
    /// Matches played at a table.
    pub matches: u64,
    /// Steps in them.
    pub steps: u64,
    /// Tables loaded from a log.
    pub restarts: u64,
    /// Undos that succeeded, and undos that were refused.
    pub undos: (u64, u64),
    /// Bad answers that were refused, as they should be.
    pub bad: u64,
    /// The result of the twins for each viewer.
    pub twins: Vec<(String, twins::Compared)>,
}

impl Report {
    /// The report: one line per viewer and one for the rest.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = format!(
            "{} matches, {} steps, {} restarts, {} undos ({} refused), {} bad answers",
            self.matches, self.steps, self.restarts, self.undos.0, self.undos.1, self.bad
        );
        for (viewer, c) in &self.twins {
            let _ = write!(
                text,
                "\n  twins of {viewer}: {} pairs, {} of them different, {} steps compared, {} answers varied",
                c.pairs, c.different, c.steps, c.varied
            );
        }
        text
    }
}

impl Kit {
    /// The kit for a game with its fewest seats and its default settings.
    #[must_use]
    pub fn of(def: GameDef) -> Self {
        Self {
            def,
            settings: Json::Null,
            seats: def.seats.0,
            matches: 40,
            deep: 12,
            seed: 1,
            playthrough: None,
        }
    }

    /// With these settings.
    #[must_use]
    pub fn settings(mut self, settings: Json) -> Self {
        self.settings = settings;
        self
    }

    /// With this many seats.
    #[must_use]
    pub fn seats(mut self, seats: u8) -> Self {
        self.seats = seats;
        self
    }

    /// With this many matches, of which `deep` are also restarted, undone, twinned and given bad answers throughout.
    #[must_use]
    pub fn matches(mut self, matches: u64, deep: u64) -> Self {
        (self.matches, self.deep) = (matches, deep);
        self
    }

    /// With a playthrough that is compared with this file. `PARLOR_BLESS=1` writes it.
    #[must_use]
    pub fn playthrough(mut self, path: impl Into<PathBuf>) -> Self {
        self.playthrough = Some(path.into());
        self
    }

    fn plan(&self, n: u64) -> Plan {
        let mut plan = Plan::of(self.def, self.seats, &format!("kit {} {n}", self.seed));
        plan.settings.clone_from(&self.settings);
        plan
    }

    /// Runs everything.
    ///
    /// # Errors
    /// The first failure, and in which match.
    pub fn run(&self) -> Result<Report, String> {
        let viewers = Viewer::all(self.seats).map(|v| (v.to_string(), twins::Compared::default()));
        let mut report = Report { twins: viewers.collect(), ..Report::default() };
        let mut reshuffled = undo::Reshuffled::default();
        for n in 0..self.matches {
            let found = self.one(n, n < self.deep, &mut report, &mut reshuffled);
            found.map_err(|why| format!("{}, match {n}: {why}", self.def.name))?;
        }
        reshuffled.verdict().map_err(|why| format!("{}: {why}", self.def.name))?;
        self.enough_twins(&report)?;
        if let Some(path) = &self.playthrough {
            playthrough::compare(&playthrough::write(&self.plan(0)), path)?;
        }
        Ok(report)
    }

    fn one(
        &self,
        n: u64,
        deep: bool,
        report: &mut Report,
        reshuffled: &mut undo::Reshuffled,
    ) -> Result<(), String> {
        let mut rng = test_luck(self.seed.wrapping_add(n * 7919));
        let mut world = World::open(self.plan(n));
        loop {
            sound(world.view().current_match())?;
            if deep {
                self.look_closely(&mut world, &mut rng, report)?;
            }
            let more = random::step(&mut world, &mut rng);
            world.check();
            report.steps += 1;
            if let Some(violation) = world.violations.first() {
                return Err(violation.clone());
            }
            if world.script.len() > random::STEPS_MAX {
                return Err("the match does not end".to_owned());
            }
            if !more {
                break;
            }
        }
        if !world.view().finished() {
            return Err(
                "the match stands still: nothing is asked, nothing is waited for, and nothing is over"
                    .to_owned(),
            );
        }
        report.matches += 1;
        restart::replays(&world)?;
        restart::same_bytes(&world)?;
        if deep {
            report.restarts += restart::after_every_record(&world, &mut rng)?;
            let (done, refused) = undo::to_every_record(&world, &mut rng, reshuffled)?;
            report.undos.0 += done;
            report.undos.1 += refused;
            net::faulty_network(&self.plan(n), n)?;
            net::crashes(&self.plan(n), n)?;
        }
        Ok(())
    }

    fn look_closely(&self, world: &mut World, rng: &mut Rng, report: &mut Report) -> Result<(), String> {
        report.bad += bad::answers(world, rng)?;
        for (n, viewer) in Viewer::all(self.seats).enumerate() {
            // An empty seat has no client.
            if !world.clients.contains_key(&world.plan.conn(viewer)) {
                continue;
            }
            let compared = twins::compare(world, viewer, rng, 6)?;
            report.twins[n].1.add(compared);
        }
        Ok(())
    }

    /// Fails if twins never differed or were never followed: then they prove nothing.
    fn enough_twins(&self, report: &Report) -> Result<(), String> {
        for (viewer, compared) in report.twins.iter().filter(|_| self.deep > 0) {
            if compared.pairs == 0 {
                continue;
            }
            if compared.steps < 10 * self.deep || (viewer == "gallery" && compared.different == 0) {
                return Err(format!(
                    "{}: the twins of {viewer} prove too little: {compared:?}",
                    self.def.name
                ));
            }
        }
        let hidden = report.twins.iter().any(|(_, compared)| compared.pairs > 0);
        if !hidden && self.deep > 0 {
            return open_game(&self.plan(0));
        }
        Ok(())
    }
}

/// Without declared secrets every viewer must have the same view.
fn open_game(plan: &Plan) -> Result<(), String> {
    let mut rng = test_luck(3);
    let mut world = World::open(plan.clone());
    while random::step(&mut world, &mut rng) {
        let views: Vec<Json> =
            Viewer::all(plan.seats).map(|viewer| world.view().current_match().view(viewer)).collect();
        if views.windows(2).any(|pair| pair[0] != pair[1]) {
            return Err(format!(
                "{}: viewers see different things, but nothing can be resampled",
                plan.def.name
            ));
        }
    }
    Ok(())
}

/// Checks what must hold in every position.
fn sound(play: &Match) -> Result<(), String> {
    let asks = play.open_asks();
    for (n, ask) in asks.iter().enumerate() {
        if asks[..n].iter().any(|other| other.id == ask.id) {
            return Err(format!("two asks have the id {:?}", ask.id));
        }
        if ask.seats.iter().any(|seat| seat.index() >= play.header().seats as usize) {
            return Err(format!("{:?} asks a seat that does not exist", ask.id));
        }
        for seat in ask.seats.iter().filter(|_| ask.id != parlor_core::AskId::UNDO) {
            let legal = play.game().round_trip(seat, ask.id)?;
            if legal == 0 {
                return Err(format!("{seat:?} is asked {:?} and has no legal move", ask.id));
            }
            play.request(seat, ask.id).well_formed().map_err(|refusal| refusal.to_string())?;
        }
    }
    if play.outcome().is_none() && !asks.iter().any(parlor_core::Ask::blocks) {
        return Err("nothing blocking stands, and there is no outcome".to_owned());
    }
    let fork = play.as_twin(play.game().fork());
    if fork.digest() != play.digest() {
        return Err("a copy has another digest".to_owned());
    }
    let reloaded = play.reloaded().ok_or("a state that was saved cannot be read")?;
    if play.as_twin(reloaded).digest() != play.digest() {
        return Err("a state that was saved comes back as another".to_owned());
    }
    Ok(())
}
