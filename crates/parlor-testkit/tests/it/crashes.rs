//! The host crashes again and again over a store that loses unsafe writes. `PARLOR_SOAK_CRASHES` sets how often.

use parlor_core::Game;
use parlor_core::GameDef;
use parlor_testkit::net::crashes;
use parlor_testkit::world::Plan;

fn wanted() -> u32 {
    std::env::var("PARLOR_SOAK_CRASHES").ok().and_then(|text| text.parse().ok()).unwrap_or(1000)
}

#[test]
fn nothing_confirmed_is_lost_in_many_crashes() {
    let games: Vec<GameDef> =
        parlor_testkit::probes::all().into_iter().chain([parlor_oxo::Oxo::def()]).collect();
    let (mut died, mut tables) = (0, 0_u64);
    while died < wanted() {
        for def in &games {
            let plan = Plan::of(*def, def.seats.0, &format!("crashes {tables}"));
            died += crashes(&plan, tables).unwrap_or_else(|why| panic!("{} table {tables}: {why}", def.name));
            tables += 1;
        }
    }
    println!("{died} crashes at {tables} tables, 0 confirmed inputs lost");
}
