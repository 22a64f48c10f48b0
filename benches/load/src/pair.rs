//! Two clients at one table, who take turns.

use std::net::SocketAddr;
use std::time::Instant;

use crate::Outcome;
use crate::player::{Player, make_table};

const CELLS: u32 = 64;

/// A running match and its two clients, whoever moves next first.
pub(crate) struct Pair {
    players: [Player; 2],
    input: u32,
    turn: u32,
    /// Microseconds from each move to the opponent's knowledge of it.
    pub(crate) latencies_us: Vec<u32>,
}

impl Pair {
    /// Makes a table and sits both down.
    pub(crate) async fn seat(addr: SocketAddr, id: &str, moves: u32) -> Outcome<Self> {
        make_table(addr, id, moves).await?;
        let mut players = [Player::connect(addr, id).await?, Player::connect(addr, id).await?];
        for (player, name) in players.iter_mut().zip(["Ada", "Bo"]) {
            player.join(name).await?;
        }
        let mut asked = 0;
        for player in &mut players {
            let snapshot = player.until(|heard| heard.kind == "snapshot").await?;
            let first =
                snapshot.requests.as_ref().and_then(|all| all.first()).map(|request| request.input_id);
            asked = asked * 2 + first.unwrap_or(0);
        }
        // The first request of a table has number 1 in its seat: 2 when the first client has it, 1 when the second has.
        if asked == 1 {
            players.swap(0, 1);
        }
        Ok(Self { players, input: 1, turn: 0, latencies_us: Vec::new() })
    }

    /// Plays so many moves, each as soon as the last one is known.
    pub(crate) async fn play(&mut self, moves: u32) -> Outcome<()> {
        for _ in 0..moves {
            self.step().await?;
        }
        Ok(())
    }

    /// One move, until the opponent knows it.
    pub(crate) async fn step(&mut self) -> Outcome<()> {
        let [mover, other] = &mut self.players;
        let cell = (self.turn % CELLS).to_string();
        let sent = Instant::now();
        mover.play(self.input, &cell).await?;
        self.turn += 1;
        self.input = other.asked().await?;
        self.latencies_us.push(sent.elapsed().as_micros().try_into().unwrap_or(u32::MAX));
        self.players.swap(0, 1);
        Ok(())
    }

    /// Plays so many moves, and says this so often with each.
    pub(crate) async fn play_and_talk(&mut self, moves: u32, text: &str, times: u32) -> Outcome<()> {
        for _ in 0..moves {
            for _ in 0..times {
                self.players[0].chat(text).await?;
            }
            self.step().await?;
        }
        Ok(())
    }

    /// Reads what the clients have not read yet; says how many messages they never got.
    pub(crate) async fn catch_up(&mut self) -> Outcome<u64> {
        let newest = self.players.iter().map(|player| player.v).max().unwrap_or(0);
        for player in &mut self.players {
            player.until_version(newest).await?;
        }
        Ok(self.players.iter().map(|player| player.missed).sum())
    }
}
