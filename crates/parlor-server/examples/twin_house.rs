//! Runs two real servers with one table each, in two worlds that one viewer cannot tell apart. The browser tests open
//! a page on each. Commands are JSON lines, with one reply each:
//!
//! `{"pair": {"game": "hearts", "settings"?, "viewer": 0 or "gallery", "seed": 1, "steps": 12}}` creates a pair of
//! worlds and returns their addresses; `{"step": 1}` plays that step in both. The clocks move only with a step.

use parlor_core::Game;
use std::io::{BufRead, Write};
use std::path::PathBuf;
use std::sync::Arc;

use parlor_battle::Battle;
use parlor_core::{GameDef, Json, Seat, Viewer};
use parlor_draft::Draft;
use parlor_hearts::Hearts;
use parlor_host::Command;
use parlor_oxo::Oxo;
use parlor_poker::Poker;
use parlor_riichi::game::Riichi;
use parlor_script::Script as _;
use parlor_server::test_tables::Staged;
use parlor_server::{Clock, Config, Server};
use parlor_sharing::Sharing;
use parlor_store_sqlite::{Options, SqliteStore};
use parlor_testkit::world::{Plan, World};
use parlor_testkit::{probes, twins};
use serde_json::json;

/// The name of both tables: the servers differ only in their addresses.
const TABLE: &str = "twin";

fn games() -> Vec<GameDef> {
    let mut games = vec![
        Oxo::def(),
        Hearts::def(),
        Draft::def(),
        Sharing::def(),
        Battle::def(),
        Riichi::def(),
        Poker::def(),
    ];
    games.extend(parlor_ruleset::shipped::game_defs());
    games.extend(probes::all());
    games
}

/// A request for a pair.
struct Wish {
    def: GameDef,
    settings: Json,
    viewer: Viewer,
    seed: u64,
    steps: usize,
}

impl Wish {
    fn of(asked: &Json) -> Result<Self, String> {
        let name = asked["game"].as_str().ok_or("which game?")?;
        let def = games().into_iter().find(|def| def.name == name);
        let viewer = match &asked["viewer"] {
            Json::String(_) => Viewer::Gallery,
            seat => Viewer::Seat(Seat::new(seat.as_u64().unwrap_or(0) as u8)),
        };
        Ok(Self {
            def: def.ok_or_else(|| format!("there is no game {name}"))?,
            settings: asked["settings"].clone(),
            viewer,
            seed: asked["seed"].as_u64().unwrap_or(1),
            steps: asked["steps"].as_u64().unwrap_or(10) as usize,
        })
    }

    fn worlds(&self) -> Result<(World, twins::Staged), String> {
        let mut plan = Plan::of(self.def, self.def.seats.0, "");
        plan.settings = self.settings.clone();
        twins::find(&plan, self.viewer, self.seed, self.steps)
    }
}

/// A server with a store of its own.
struct House {
    server: Server,
    file: PathBuf,
}

impl House {
    async fn open(now: u64, which: &str) -> Result<Self, String> {
        let file = std::env::temp_dir().join(format!("parlor-twin-{}-{which}.sqlite", std::process::id()));
        forget(&file);
        let store = SqliteStore::open(&file, Options::default()).map_err(|error| error.to_string())?;
        let config = Config {
            listen: "127.0.0.1:0".to_owned(),
            admin_listen: String::new(),
            idle_ms: 600_000,
            ..Config::default()
        };
        let clock = Clock::held(now);
        let server = Server::builder(config, games(), Arc::new(store)).clock(clock).start().await?;
        Ok(Self { server, file })
    }

    async fn close(self) {
        self.server.stop().await;
        forget(&self.file);
    }
}

/// Removes the store's files, if they exist.
fn forget(file: &std::path::Path) {
    for end in ["", "-wal", "-shm"] {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        let _ = std::fs::remove_file(name);
    }
}

/// The current pair.
struct Show {
    houses: [House; 2],
    /// The time at which both clocks start.
    now: u64,
    steps: Vec<[twins::TimedCommands; 2]>,
    viewer: Viewer,
}

impl Show {
    async fn open(asked: &Json) -> Result<(Self, Json), String> {
        let wish = Wish::of(asked)?;
        let (world, twins::Staged { tables, now, steps, parted }) = wish.worlds()?;
        let houses = [House::open(now, "a").await?, House::open(now, "b").await?];
        let tokens: Vec<String> =
            (0..world.plan.seats).map(|n| format!("token-of-seat-{n}-0123456789")).collect();
        let log: Vec<_> =
            world.log.iter().map(|logged| (logged.header.clone(), logged.records.clone())).collect();
        let token = wish.viewer.seat().map(|seat| tokens[seat.index()].clone());
        for (house, table) in houses.iter().zip(tables) {
            let (root, log, tokens) = (world.plan.root(), log.clone(), tokens.clone());
            house.server.put(TABLE, Staged { table, root, log, tokens }).await?;
        }
        let show = Self { houses, now, steps, viewer: wish.viewer };
        let reply = json!({
            "urls": show.houses.each_ref().map(|house| format!("http://{}", house.server.addr)),
            "id": TABLE,
            "token": token,
            "now": now,
            // A page that shows a clock must know the time before the step is sent.
            "times": (0..show.steps.len()).map(|n| show.at(n)).collect::<Vec<_>>(),
            "parted": parted,
        });
        Ok((show, reply))
    }

    /// The time of both clocks after a step, whatever happened in it.
    fn at(&self, n: usize) -> u64 {
        let before = self.steps[..=n].iter().flatten().flatten().map(|(now, _)| *now);
        before.max().unwrap_or(self.now)
    }

    async fn step(&self, n: u64) -> Result<Json, String> {
        let told = self.steps.get(n as usize).ok_or("there is no such step")?;
        let at = self.at(n as usize);
        let mut versions = Vec::new();
        for (house, told) in self.houses.iter().zip(told) {
            for (now, command) in told {
                house.server.tell(TABLE, *now, command.clone(), self.viewer).await;
            }
            let version = house.server.tell(TABLE, at, Command::Tick, self.viewer).await;
            versions.push(version.ok_or("the table is gone")?);
        }
        Ok(json!({"versions": versions}))
    }
}

fn main() -> Result<(), String> {
    let runtime = tokio::runtime::Runtime::new().map_err(|error| error.to_string())?;
    let mut show: Option<Show> = None;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let asked: Json = serde_json::from_str(&line).map_err(|error| error.to_string())?;
        let reply = runtime.block_on(async {
            if let Some(n) = asked["step"].as_u64() {
                return show.as_ref().ok_or("there is no pair yet")?.step(n).await;
            }
            if let Some(Show { houses: [a, b], .. }) = show.take() {
                a.close().await;
                b.close().await;
            }
            if asked["pair"].is_null() {
                return Ok(json!({"bye": true}));
            }
            let (opened, reply) = Show::open(&asked["pair"]).await?;
            show = Some(opened);
            Ok::<Json, String>(reply)
        });
        let reply = reply.unwrap_or_else(|why| json!({"error": why}));
        println!("{reply}");
        std::io::stdout().flush().map_err(|error| error.to_string())?;
    }
    Ok(())
}
