//! Scoring a win: ours from tile ids to the score, every check included; theirs from an evaluator that is already built,
//! and with building it.

use std::hint::black_box;

use parlor_riichi::meld::{Meld as OurMeld, MeldKind};
use parlor_riichi::rules::Rules;
use parlor_riichi::score::score;
use parlor_riichi::tile::{Tile, Wind as OurWind};
use parlor_riichi::win::{Claim, Flags, Win};
use riichienv_core::hand_evaluator::HandEvaluator;
use riichienv_core::types::{Conditions, Meld, MeldType, Wind};
use serde_json::Value;

use crate::{Contestant, hands, race};

/// A win as ours takes it.
struct Ours {
    hand: Vec<Tile>,
    melds: Vec<(MeldKind, Vec<Tile>)>,
    win: Tile,
    dora: Vec<Tile>,
    ura: Vec<Tile>,
    seat_wind: OurWind,
    round_wind: OurWind,
    flags: Flags,
}

/// A win as theirs takes it.
struct Theirs {
    tiles: Vec<u8>,
    melds: Vec<Meld>,
    win: u8,
    dora: Vec<u8>,
    ura: Vec<u8>,
    conditions: Conditions,
}

fn tiles(field: &Value) -> Vec<Tile> {
    hands::ids(field).into_iter().map(|id| Tile::new(id).expect("a tile")).collect()
}

fn has(vector: &Value, flag: &str) -> bool {
    vector["flags"].as_array().expect("flags").iter().any(|name| name == flag)
}

fn number(field: &Value) -> u8 {
    field.as_u64().expect("a number") as u8
}

fn melds(vector: &Value) -> impl Iterator<Item = (MeldKind, &Value)> {
    let melds = vector["melds"].as_array().expect("melds").iter();
    melds.map(|meld| (MeldKind::from_name(meld[0].as_str().expect("a kind")).expect("a kind"), &meld[1]))
}

fn ours(vector: &Value) -> Ours {
    let flags = vector["flags"].as_array().expect("flags").iter().filter_map(Value::as_str);
    Ours {
        hand: tiles(&vector["hand"]),
        melds: melds(vector).map(|(kind, ids)| (kind, tiles(ids))).collect(),
        win: Tile::new(number(&vector["win"])).expect("a tile"),
        dora: tiles(&vector["dora"]),
        ura: tiles(&vector["ura"]),
        seat_wind: OurWind::new(number(&vector["seat_wind"])).expect("a wind"),
        round_wind: OurWind::new(number(&vector["round_wind"])).expect("a wind"),
        flags: flags.filter_map(Flags::from_name).fold(Flags::NONE, Flags::with),
    }
}

fn theirs(vector: &Value) -> Theirs {
    let meld_type = |kind| match kind {
        MeldKind::Chi => MeldType::Chi,
        MeldKind::Pon => MeldType::Pon,
        MeldKind::Daiminkan => MeldType::Daiminkan,
        MeldKind::Ankan => MeldType::Ankan,
        MeldKind::Kakan => MeldType::Kakan,
    };
    Theirs {
        tiles: hands::ids(&vector["hand"]),
        melds: melds(vector)
            .map(|(kind, ids)| Meld::new(meld_type(kind), hands::ids(ids), kind.is_open(), -1, None))
            .collect(),
        win: number(&vector["win"]),
        dora: hands::ids(&vector["dora"]),
        ura: hands::ids(&vector["ura"]),
        conditions: Conditions {
            tsumo: has(vector, "tsumo"),
            riichi: has(vector, "riichi"),
            double_riichi: has(vector, "double_riichi"),
            ippatsu: has(vector, "ippatsu"),
            haitei: has(vector, "haitei"),
            houtei: has(vector, "houtei"),
            rinshan: has(vector, "rinshan"),
            chankan: has(vector, "chankan"),
            tsumo_first_turn: has(vector, "tenhou") || has(vector, "chiihou"),
            player_wind: Wind::from(number(&vector["seat_wind"])),
            round_wind: Wind::from(number(&vector["round_wind"])),
            honba: u32::from(number(&vector["honba"])),
            ..Conditions::default()
        },
    }
}

impl Ours {
    fn han(&self, rules: &Rules) -> u64 {
        let mut melds = [None; 4];
        for (slot, (kind, tiles)) in melds.iter_mut().zip(&self.melds) {
            *slot = OurMeld::new(*kind, tiles).ok();
        }
        // At most four, all there: a plain slice without a list on the heap.
        let filler = OurMeld::new(MeldKind::Ankan, &FILLER).expect("a meld");
        let melds = melds.map(|meld| meld.unwrap_or(filler));
        let claim = Claim {
            hand: &self.hand,
            melds: &melds[..self.melds.len()],
            win: self.win,
            dora: &self.dora,
            ura: &self.ura,
            seat_wind: self.seat_wind,
            round_wind: self.round_wind,
            flags: self.flags,
        };
        let Ok(win) = Win::new(&claim) else { return 0 };
        score(&win, rules).map_or(0, |score| u64::from(score.han) + u64::from(score.base))
    }
}

const FILLER: [Tile; 4] = {
    let [Some(a), Some(b), Some(c), Some(d)] = [Tile::new(0), Tile::new(1), Tile::new(2), Tile::new(3)]
    else {
        panic!("four tiles")
    };
    [a, b, c, d]
};

pub(crate) fn run(vectors: &[Value]) {
    let rules = Rules::profile("tenhou").expect("a profile");
    let our_wins: Vec<Ours> = vectors.iter().map(ours).collect();
    let their_wins: Vec<Theirs> = vectors.iter().map(theirs).collect();
    let built: Vec<HandEvaluator> =
        their_wins.iter().map(|win| HandEvaluator::new(win.tiles.clone(), win.melds.clone())).collect();
    let calc = |evaluator: &HandEvaluator, win: &Theirs| {
        let result = evaluator.calc(win.win, win.dora.clone(), win.ura.clone(), Some(win.conditions.clone()));
        u64::from(result.han)
    };
    println!("scoring of {} wins", vectors.len());
    let rates = race(
        vectors.len(),
        &mut [
            Contestant {
                name: "riichienv-core, evaluator built before",
                pass: Box::new(|| {
                    built
                        .iter()
                        .zip(&their_wins)
                        .map(|(built, win)| calc(black_box(built), black_box(win)))
                        .sum()
                }),
            },
            Contestant {
                name: "riichienv-core, from tile ids",
                pass: Box::new(|| {
                    let evaluator = |win: &Theirs| HandEvaluator::new(win.tiles.clone(), win.melds.clone());
                    their_wins.iter().map(|win| calc(&evaluator(black_box(win)), win)).sum()
                }),
            },
            Contestant {
                name: "parlor-riichi, from tile ids (checked)",
                pass: Box::new(|| our_wins.iter().map(|win| black_box(win).han(black_box(&rules))).sum()),
            },
        ],
    );
    println!("ratio to the faster of theirs: {:.2}", rates[2] / rates[0].max(rates[1]));
}
