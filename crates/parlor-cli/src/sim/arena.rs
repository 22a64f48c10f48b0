//! `parlor sim --bots a,b,…`: bots by name against each other; what each of them came to.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Instant;

use parlor_core::sim::{ArenaJob, ArenaTally, Contestant, ContestantTally, SeatCounts};
use parlor_core::{BotChoice, GameDef, Json};
use parlor_ruleset::suggest;
use serde_json::json;

use super::{Args, Run, play_all, rounded, seed_number};
use crate::registry;
use crate::shell::{Done, Failure};

/// Plays the matches and prints how each bot did.
pub(super) fn run(def: &GameDef, args: &Args) -> Done {
    let names = names(def, args)?;
    let contestants = names.iter().map(|name| contestant(def, name)).collect::<Result<Vec<_>, _>>()?;
    let seats = contestants.len() as u8;
    let seatings = args.seatings.unwrap_or(1);
    if !(1..=seats).contains(&seatings) {
        return Err(Failure::usage(format!("--seatings must be 1 to {seats}, the number of seats")));
    }
    let matches = match args.walls {
        Some(walls) => walls.saturating_mul(seatings.into()),
        None => args.matches,
    };
    let job =
        ArenaJob { settings: args.settings.clone(), contestants, seatings, seed: seed_number(&args.seed) };
    let play = |from: u64, to: u64| {
        let start = Instant::now();
        def.arena(&job, from, to, &mut || start.elapsed().as_nanos() as u64)
    };
    let mut run = play_all(def.name, matches, args.threads, play)?;
    let busy = run.busy();
    for contestant in &mut run.tally.contestants {
        contestant.nanoseconds = (contestant.nanoseconds as f64 * busy) as u64;
    }
    report(args, def.name, &names, seatings, &run)?;
    super::stuck(&args.seed, run.tally.stuck.as_ref())
}

/// The bot of each seat: one name is all seats' bot.
fn names(def: &GameDef, args: &Args) -> Result<Vec<String>, Failure> {
    let names: Vec<String> = args.bots.split(',').map(|name| name.trim().to_owned()).collect();
    let asked = if names.len() > 1 { args.seats.or(u8::try_from(names.len()).ok()) } else { args.seats };
    let seats = usize::from(registry::seats(def, asked)?);
    match names.as_slice() {
        [one] => Ok(vec![one.clone(); seats]),
        _ if names.len() == seats => Ok(names),
        _ => Err(Failure::usage(format!("--bots names {} bots for {seats} seats", names.len()))),
    }
}

/// `own` is the game's first bot; `random` are random legal moves, unless the game has a bot of that name.
fn contestant(def: &GameDef, name: &str) -> Result<Contestant, Failure> {
    let choice = if name == "own" { BotChoice::default() } else { BotChoice::named(name) };
    match def.bot(&choice) {
        Some(_) if !name.is_empty() => Ok(Contestant::Bot(choice)),
        _ if name == "random" => Ok(Contestant::Random),
        _ => {
            let mut all: Vec<&str> = def.bots.iter().map(|bot| bot.name).chain(["own"]).collect();
            if !all.contains(&"random") {
                all.push("random");
            }
            let unknown =
                Failure::usage(format!("{} has no bot '{name}'; bots: {}", def.name, all.join(", ")));
            Err(match suggest(name, all) {
                Some(near) => unknown.hint(format!("did you mean '{near}'?")),
                None => unknown,
            })
        }
    }
}

/// What one bot came to, all its seats together.
struct Standing<'a> {
    bot: &'a str,
    tally: ContestantTally,
}

impl Standing<'_> {
    fn games(&self) -> u64 {
        self.tally.places.iter().sum()
    }

    /// The average place, and the standard error of it.
    fn rank(&self) -> (f64, f64) {
        let games = self.games().max(1) as f64;
        let places = || self.tally.places.iter().zip(1_u32..).map(|(n, place)| (*n as f64, f64::from(place)));
        let mean = places().map(|(n, place)| n * place).sum::<f64>() / games;
        let variance = places().map(|(n, place)| n * (place - mean).powi(2)).sum::<f64>() / games;
        (mean, (variance / games).sqrt())
    }

    /// The counts of the game, for each round or, where it counts none, each match.
    fn rates(&self) -> BTreeMap<&'static str, f64> {
        let counts = &self.tally.counts;
        let of = counts.get(SeatCounts::ROUNDS).copied().unwrap_or_else(|| self.games()).max(1) as f64;
        let others = counts.iter().filter(|(what, _)| **what != SeatCounts::ROUNDS);
        others.map(|(what, count)| (*what, rounded(*count as f64 / of))).collect()
    }

    /// Microseconds of processor time.
    fn us_per_decision(&self) -> f64 {
        self.tally.nanoseconds as f64 / 1e3 / self.tally.decisions.max(1) as f64
    }

    fn json(&self, seats: usize) -> Json {
        let (rank, error) = self.rank();
        json!({
            "bot": self.bot,
            "games": self.games(),
            "average_rank": rounded(rank),
            "rank_error": rounded(error),
            "places": &self.tally.places[..seats],
            "counts": &self.tally.counts,
            "rates": self.rates(),
            "decisions": self.tally.decisions,
            "us_per_decision": rounded(self.us_per_decision()),
        })
    }
}

fn standings<'a>(names: &'a [String], tally: &ArenaTally) -> Vec<Standing<'a>> {
    let mut standings: Vec<Standing<'a>> = Vec::new();
    for (name, one) in names.iter().zip(&tally.contestants) {
        match standings.iter_mut().find(|standing| standing.bot == name) {
            Some(standing) => standing.tally.add(one),
            None => standings.push(Standing { bot: name, tally: one.clone() }),
        }
    }
    standings
}

fn report(args: &Args, game: &str, names: &[String], seatings: u8, run: &Run<ArenaTally>) -> Done {
    let ArenaTally { matches, inputs, endless, .. } = &run.tally;
    let standings = standings(names, &run.tally);
    let mut out = io::stdout().lock();
    if args.json {
        let bots: Vec<Json> = standings.iter().map(|standing| standing.json(names.len())).collect();
        let result = json!({
            "game": game,
            "bots": names,
            "matches": matches,
            "seatings": seatings,
            "inputs": inputs,
            "endless": endless,
            "seconds": rounded(run.seconds),
            "cpu_seconds": rounded(run.cpu_seconds),
            "by_bot": bots,
        });
        writeln!(out, "{result}")?;
        return Ok(());
    }
    writeln!(out, "{game}: {matches} matches in {seatings} seatings, {inputs} inputs, {endless} endless")?;
    for standing in standings {
        let (rank, error) = standing.rank();
        let places = &standing.tally.places[..names.len()];
        writeln!(
            out,
            "{:<11} average rank {rank:.3} ± {error:.3}, places {places:?}, {:.1} µs per decision",
            standing.bot,
            standing.us_per_decision()
        )?;
        let rates = standing.rates();
        if !rates.is_empty() {
            let texts: Vec<String> =
                rates.iter().map(|(what, rate)| format!("{what} {:.1} %", rate * 100.0)).collect();
            writeln!(out, "{:<11} {}", "", texts.join(", "))?;
        }
    }
    writeln!(out, "seconds     {:.3} wall clock, {:.3} CPU", run.seconds, run.cpu_seconds)?;
    Ok(())
}
