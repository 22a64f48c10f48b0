//! Wins of real games: hand, melds, winds and indicators as recorded, flags worked out from the actions of the round.

use parlor_riichi::meld::{Meld, MeldKind};
use parlor_riichi::pay::{Parties, Price, Seat, Stakes, settle};
use parlor_riichi::rules::Rules;
use parlor_riichi::score::{Score, score};
use parlor_riichi::tile::{Tile, Wind};
use parlor_riichi::win::{Claim, Flags, Win};
use serde_json::{Value, json};

use crate::data::shared;

/// Draws of a round, kans included, before the wall is used up.
const DRAWS: usize = 70;

/// What the actions of a round say about how it could be won.
#[derive(Default)]
struct Course {
    draws: usize,
    kans: usize,
    called: bool,
    discards: [usize; 4],
    riichi: [Option<Flags>; 4],
    ippatsu: [bool; 4],
    declaring: bool,
    drew_rinshan: bool,
    robbable: bool,
}

impl Course {
    fn of(actions: &[Value]) -> Self {
        let mut course = Self::default();
        for (index, action) in actions.iter().enumerate() {
            course.take(action, index + 1 == actions.len());
        }
        course
    }

    fn take(&mut self, action: &Value, last: bool) {
        let seat = action[1].as_u64().unwrap_or(0) as usize;
        match action[0].as_str().unwrap() {
            "draw" => {
                self.drew_rinshan = action[3] == "rinshan";
                self.draws += usize::from(!self.drew_rinshan);
            }
            "riichi" => {
                let first = self.discards[seat] == 0 && !self.called;
                self.riichi[seat] = Some(if first { Flags::DOUBLE_RIICHI } else { Flags::RIICHI });
                self.declaring = true;
            }
            "discard" => {
                self.discards[seat] += 1;
                self.ippatsu[seat] = std::mem::take(&mut self.declaring);
            }
            // A robbed kan is none: it ends nobody's ippatsu.
            "kakan" if last => self.robbable = true,
            "chi" | "pon" | "daiminkan" | "ankan" | "kakan" => {
                self.called = true;
                self.ippatsu = [false; 4];
                self.kans += usize::from(action[0].as_str().unwrap().ends_with("kan"));
            }
            "riichi_accepted" | "dora" => {}
            other => panic!("unknown action {other}"),
        }
    }

    fn flags(&self, who: usize, from: usize, dealer: usize) -> Flags {
        let tsumo = who == from;
        let last = self.draws + self.kans == DRAWS;
        let untouched = !self.called && self.discards[who] == 0 && tsumo;
        let mut flags = self.riichi[who].unwrap_or(Flags::NONE);
        for (is_so, flag) in [
            (tsumo, Flags::TSUMO),
            (self.ippatsu[who], Flags::IPPATSU),
            (tsumo && self.drew_rinshan, Flags::RINSHAN),
            (self.robbable, Flags::CHANKAN),
            (tsumo && last && !self.drew_rinshan, Flags::HAITEI),
            (!tsumo && last && !self.robbable, Flags::HOUTEI),
            (untouched && who == dealer, Flags::TENHOU),
            (untouched && who != dealer, Flags::CHIIHOU),
        ] {
            flags = if is_so { flags.with(flag) } else { flags };
        }
        flags
    }
}

fn tiles(ids: &Value) -> Vec<Tile> {
    ids.as_array().unwrap().iter().map(|id| Tile::new(id.as_u64().unwrap() as u8).unwrap()).collect()
}

fn meld(recorded: &Value) -> Meld {
    let kind = MeldKind::from_name(recorded[0].as_str().unwrap()).unwrap();
    let mut tiles = tiles(&recorded[2]);
    if kind == MeldKind::Kakan {
        // Recorded as the pon and the tile added to it.
        tiles.extend(self::tiles(&json!([recorded[3]])));
    }
    Meld::new(kind, &tiles).unwrap()
}

fn seat(number: usize) -> Seat {
    Seat::new(number as u8).unwrap()
}

/// Yaku as Tenhou records them: the ordinary ones with their han, and the yakuman.
fn recorded(score: &Score, open: bool, rules: &Rules) -> (Value, Value) {
    let id = |yaku: parlor_riichi::yaku::Yaku| yaku.tenhou_id().expect("a yaku of Tenhou");
    let yakuman: Vec<u8> = score.yaku.iter().filter(|yaku| yaku.is_yakuman()).map(id).collect();
    let ordinary = score.yaku.iter().filter(|yaku| !yaku.is_yakuman());
    let mut yaku: Vec<(u8, u8)> = ordinary.map(|yaku| (id(yaku), rules.han(yaku, open))).collect();
    yaku.extend(
        [(52, score.dora), (53, score.ura), (54, score.reds)].into_iter().filter(|(_, han)| *han > 0),
    );
    yaku.sort_unstable();
    (json!(yaku), json!(yakuman))
}

fn check(round: &Value, won: &Value, course: &Course, first: bool) {
    let rules = Rules::tenhou();
    let number = |value: &Value| value.as_u64().unwrap() as usize;
    let (who, from, dealer) = (number(&won["who"]), number(&won["from"]), number(&round["dealer"]));
    let hand = tiles(&won["hand"]);
    let melds: Vec<Meld> = won["melds"].as_array().unwrap().iter().map(meld).collect();
    let (dora, ura) = (tiles(&won["dora"]), tiles(&won["ura"]));
    let claim = Claim {
        hand: &hand,
        melds: &melds,
        win: tiles(&json!([won["tile"]]))[0],
        dora: &dora,
        ura: &ura,
        seat_wind: Wind::new(((who + 4 - dealer) % 4) as u8).unwrap(),
        round_wind: Wind::new((number(&round["kyoku"]) / 4) as u8).unwrap(),
        flags: course.flags(who, from, dealer),
    };
    let win = Win::new(&claim).unwrap_or_else(|error| panic!("{error}: {won}"));
    let score = score(&win, &rules).unwrap_or_else(|error| panic!("{error}: {won}"));
    let price = Price::of(score.base, win.is_dealer(), win.is_tsumo());
    assert_eq!(u64::from(price.total()), won["points"].as_u64().unwrap(), "{won}");
    assert_eq!(u64::from(score.fu), won["fu"].as_u64().unwrap(), "{won}");
    let (yaku, yakuman) = recorded(&score, win.is_open(), &rules);
    let mut expected: Vec<(u8, u8)> = serde_json::from_value(won["yaku"].clone()).unwrap();
    expected.retain(|(_, han)| *han > 0);
    expected.sort_unstable();
    assert_eq!(yaku, json!(expected), "{won}");
    assert_eq!(yakuman, won["yakuman"], "{won}");

    let discarder = (who != from).then(|| seat(from));
    let parties = Parties { winner: seat(who), dealer: seat(dealer), discarder, liable: None };
    let [honba, sticks] = [0, 1].map(|i| number(&won["honba_sticks"][i]) as u16);
    // Of two winners the first in turn order takes honba and sticks.
    let honba = if first { honba } else { 0 };
    let settlement = settle(&score, &parties, Stakes { honba, sticks }, &rules).unwrap();
    assert_eq!(json!(settlement.deltas()), won["deltas"], "{won}");
}

#[test]
fn every_win_of_the_real_games_is_worth_what_was_recorded() {
    // cites 003-16
    let Some(text) = shared("mahjong/corpus/games.jsonl.gz") else { return };
    let mut wins = 0;
    for line in text.lines() {
        let game: Value = serde_json::from_str(line).unwrap();
        for round in game["rounds"].as_array().unwrap() {
            let course = Course::of(round["actions"].as_array().unwrap());
            for (place, won) in round["result"]["wins"].as_array().into_iter().flatten().enumerate() {
                check(round, won, &course, place == 0);
                wins += 1;
            }
        }
    }
    assert_eq!(wins, 145);
}
