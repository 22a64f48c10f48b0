//! Rules one by one, in tiles as people write them.

use parlor_riichi::calls::{
    ankan_options, chi_options, daiminkan_option, kakan_options, pon_options, riichi_discards,
    riichi_kan_allowed,
};
use parlor_riichi::explain::{explain, fu_lines};
use parlor_riichi::hand::Hand;
use parlor_riichi::limit::Limit;
use parlor_riichi::meld::{Block, Meld, MeldKind};
use parlor_riichi::pay::{Parties, PartiesError, Seat, Stakes, nagashi, noten, settle};
use parlor_riichi::rules::{Kazoe, KuikaeForbidden, PaoHonba, Renhou, RiichiKan, Rules};
use parlor_riichi::score::{NoScore, Score, score};
use parlor_riichi::sets::{KindSet, TileSet};
use parlor_riichi::text::{read_tiles, write_tiles};
use parlor_riichi::tile::{Kind, Tile, Wind};
use parlor_riichi::ukeire::{discards, ukeire};
use parlor_riichi::waits::{Missed, discard_furiten, keishiki_tenpai, waits};
use parlor_riichi::win::{Claim, Flags, Win};
use parlor_riichi::yaku::Yaku;

/// A win under construction. Tiles after `+` are melds: `+c` chi, `+p` pon, `+k` open kan, `+a` closed kan.
struct Table {
    flags: Flags,
    seat: Wind,
    round: Wind,
    dora: &'static str,
}

const SOUTH: Table = Table { flags: Flags::NONE, seat: Wind::South, round: Wind::East, dora: "" };

impl Table {
    fn flags(self, flags: Flags) -> Self {
        Self { flags, ..self }
    }

    /// `"123m456p789s1122z 2z"`: tiles in hand, then the winning tile, then melds.
    fn win(&self, text: &str) -> Win {
        let mut taken = TileSet::EMPTY;
        let mut read = |text: &str| read_tiles(text, &mut taken, true).unwrap();
        let mut parts = text.split_whitespace();
        let mut hand = read(parts.next().unwrap());
        let win = read(parts.next().unwrap())[0];
        hand.push(win);
        let melds: Vec<Meld> = parts
            .map(|part| {
                let kind = match &part[..2] {
                    "+c" => MeldKind::Chi,
                    "+p" => MeldKind::Pon,
                    "+k" => MeldKind::Daiminkan,
                    "+a" => MeldKind::Ankan,
                    other => panic!("{other}"),
                };
                Meld::new(kind, &read(&part[2..])).unwrap()
            })
            .collect();
        let dora = read(self.dora);
        let claim = Claim {
            hand: &hand,
            melds: &melds,
            win,
            dora: &dora,
            ura: &[],
            seat_wind: self.seat,
            round_wind: self.round,
            flags: self.flags,
        };
        Win::new(&claim).unwrap()
    }

    fn score(&self, text: &str, rules: &Rules) -> Score {
        score(&self.win(text), rules).unwrap_or_else(|error| panic!("{text}: {error}"))
    }
}

fn tiles(text: &str) -> TileSet {
    read_tiles(text, &mut TileSet::default(), true).unwrap().into_iter().collect()
}

fn tile(text: &str) -> Tile {
    tiles(text).iter().next().unwrap()
}

fn kind(text: &str) -> Kind {
    tile(text).kind()
}

fn hand(text: &str) -> Hand {
    Hand::from_kinds(tiles(text).iter().map(Tile::kind)).unwrap()
}

fn kinds(set: KindSet) -> String {
    write_tiles(&set.iter().filter_map(|kind| kind.tiles().next_back()).collect::<Vec<_>>())
}

fn options<const N: usize>(options: &[[Tile; N]]) -> Vec<String> {
    options.iter().map(|option| write_tiles(option)).collect()
}

fn seat(number: u8) -> Seat {
    Seat::new(number).unwrap()
}

#[test]
fn red_and_plain_fives_are_separate_choices() {
    // cites 003-16
    let five = tile("6m");
    assert_eq!(
        options(&chi_options(tiles("4505m78m1z"), five, KuikaeForbidden::BOTH)),
        ["40m", "45m", "07m", "57m", "78m"]
    );
    assert_eq!(options(&pon_options(tiles("055p1z"), Tile::new(53 + 2).unwrap())), ["05p", "55p"]);
    assert_eq!(options(&pon_options(tiles("0p5p1z"), Tile::new(55).unwrap())), ["05p"]);
    assert!(pon_options(tiles("5p1z"), Tile::new(55).unwrap()).is_empty());
    assert_eq!(
        daiminkan_option(tiles("055p1z"), Tile::new(55).unwrap()).map(|own| write_tiles(&own)).unwrap(),
        "055p"
    );
    assert!(
        chi_options(tiles("1234567z"), tile("1z"), KuikaeForbidden::NEITHER).is_empty(),
        "honors make no run"
    );
    assert!(
        chi_options(tiles("89m1p"), Tile::new(36).unwrap(), KuikaeForbidden::NEITHER).is_empty(),
        "891 crosses suits"
    );
}

#[test]
fn kuikae_forbids_the_called_kind_and_the_other_end() {
    // cites 003/R14
    let forbidden = |called, own: [&str; 2]| kinds(KuikaeForbidden::BOTH.after(kind(called), own.map(kind)));
    assert_eq!(forbidden("3m", ["4m", "5m"]), "36m");
    assert_eq!(forbidden("5m", ["3m", "4m"]), "25m");
    assert_eq!(forbidden("4m", ["2m", "3m"]), "14m");
    assert_eq!(forbidden("6m", ["7m", "8m"]), "69m");
    assert_eq!(forbidden("4m", ["3m", "5m"]), "4m", "called in the middle");
    assert_eq!(forbidden("7m", ["8m", "9m"]), "7m", "there is no 10");
    assert_eq!(forbidden("3m", ["1m", "2m"]), "3m", "there is no 0");
    assert_eq!(forbidden("5p", ["5p", "0p"]), "5p", "pon");
    assert_eq!(kinds(KuikaeForbidden::NEITHER.after(kind("3m"), ["4m", "5m"].map(kind))), "");
}

#[test]
fn a_chi_that_leaves_only_forbidden_discards_is_not_offered() {
    let (held, called) = (tiles("4566m"), Tile::new(8).unwrap());
    assert!(chi_options(held, called, KuikaeForbidden::BOTH).is_empty(), "34-5 would leave 66");
    assert_eq!(options(&chi_options(held, called, KuikaeForbidden::NEITHER)), ["45m"]);
}

#[test]
fn kans_are_offered_from_four_in_hand_and_on_a_pon() {
    assert_eq!(kinds(ankan_options(tiles("1111m0555p77z"))), "1m5p");
    let pon = Meld::new(MeldKind::Pon, &[17, 18, 19].map(|id| Tile::new(id).unwrap())).unwrap();
    let chi = Meld::new(MeldKind::Chi, &[36, 40, 44].map(|id| Tile::new(id).unwrap())).unwrap();
    assert_eq!(write_tiles(&kakan_options(tiles("0m1p1z"), &[pon, chi])), "0m");
}

#[test]
fn riichi_needs_a_closed_hand_and_a_discard_that_leaves_it_tenpai() {
    // cites 003-16
    assert_eq!(kinds(riichi_discards(&hand("123m456p789s11224z"), &[])), "4z");
    assert_eq!(kinds(riichi_discards(&hand("123456m456p78s112z"), &[])), "2z");
    let open = Meld::new(MeldKind::Pon, &[132, 133, 134].map(|id| Tile::new(id).unwrap())).unwrap().block();
    assert_eq!(kinds(riichi_discards(&hand("123m456p11224z"), &[open])), "");
    let closed = Block { open: false, ..open };
    assert_eq!(
        kinds(riichi_discards(&hand("123m456p11224z"), &[closed])),
        "4z",
        "a closed kan leaves the hand closed"
    );
}

#[test]
fn riichi_allows_a_kan_that_changes_nothing() {
    // cites 003-16
    let allowed =
        |before: &str, drawn: &str, rule| riichi_kan_allowed(&hand(before), tile(drawn).kind(), rule);
    assert!(allowed("123m456p78s11222z", "2z", RiichiKan::SameReadings));
    assert!(!allowed("123m456p78s11222z", "2z", RiichiKan::Never));
    assert!(!allowed("123m456p78s11222z", "1z", RiichiKan::SameWaits), "not four of them");
    assert!(!allowed("123m456p78s11222z", "9p", RiichiKan::SameWaits), "none of them");
    assert!(!allowed("3334m456p789s111z", "3m", RiichiKan::SameWaits), "3334 waits for 2, 4 and 5");
    assert!(
        allowed("3334m456p789s111z", "1z", RiichiKan::SameReadings),
        "the winds beside it wait for nothing"
    );
    // 222333444m reads as triplets or as runs: the waits stay, the reading does not.
    assert!(allowed("222333444m12p11z", "3m", RiichiKan::SameWaits));
    assert!(!allowed("222333444m12p11z", "3m", RiichiKan::SameReadings));
}

#[test]
fn furiten_blocks_all_waits_and_ends_with_the_own_discard_unless_in_riichi() {
    // cites 003-16
    let waited = waits(&hand("123m456p789s11z45s"));
    assert_eq!(kinds(waited), "36s");
    let threw = |text| discard_furiten(waited, tiles(text).iter().map(Tile::kind).collect());
    assert!(threw("6s9m"), "6s is a wait, so 3s is blocked too");
    assert!(!threw("9m1z"));
    let mut missed = Missed::default();
    missed.pass(false);
    assert!(missed.is_furiten());
    missed.discard();
    assert!(!missed.is_furiten(), "temporary");
    missed.pass(true);
    missed.discard();
    assert!(missed.is_furiten(), "after riichi for good");
}

#[test]
fn tenpai_at_the_draw_asks_for_no_yaku_but_for_a_tile_that_exists() {
    // cites 003-12
    let kan =
        |ids: [u8; 4]| Meld::new(MeldKind::Ankan, &ids.map(|id| Tile::new(id).unwrap())).unwrap().block();
    assert!(keishiki_tenpai(&hand("123m456p789s1122z"), &[]));
    assert!(!keishiki_tenpai(&hand("123m456p789s1124z"), &[]));
    assert!(
        !keishiki_tenpai(&hand("12m456p789s11z"), &[kan([8, 9, 10, 11])]),
        "all four 3m are in the own kan"
    );
    assert!(keishiki_tenpai(&hand("12m456p789s11z"), &[kan([12, 13, 14, 15])]));
    assert_eq!(kinds(waits(&hand("1111m"))), "", "the fifth 1m does not exist");
}

#[test]
fn the_best_discard_accepts_the_most_tiles_in_sight_of_the_table() {
    let seen = [0; 34];
    let best = discards(&hand("123m456p789s11224z"), &seen)[0];
    assert_eq!((best.kind.to_string(), best.accepts.shanten, best.accepts.tiles), ("4z".into(), 0, 4));
    let orphans = discards(&hand("19m19p19s12345677z"), &seen)[0];
    assert_eq!(
        (orphans.kind.to_string(), orphans.accepts.tiles),
        ("7z".into(), 12 * 3 + 2),
        "two 7z are gone"
    );
    let mut two_gone = seen;
    two_gone[27] = 2;
    assert_eq!(ukeire(&hand("123m456p789s1122z"), &two_gone).tiles, 2);
    assert_eq!(ukeire(&hand("1111z"), &seen).kinds.len(), 33, "any tile but the fifth is one to wait with");
}

#[test]
fn fu_are_counted_line_by_line() {
    // cites 003-16
    let fu = |table: Table, text: &str| table.score(text, &Rules::ronin()).fu;
    let riichi = || SOUTH.flags(Flags::RIICHI);
    assert_eq!(
        fu(riichi().flags(Flags::RIICHI.with(Flags::TSUMO)), "234m456p678s22p45s 6s"),
        20,
        "pinfu tsumo"
    );
    assert_eq!(fu(riichi(), "234m456p678s22p45s 6s"), 30, "pinfu ron");
    assert_eq!(fu(SOUTH, "456p22p45s 6s +c234m +c678s"), 30, "open pinfu shape");
    assert_eq!(fu(riichi(), "1122m3344p5566s7z 7z"), 25, "seven pairs");
    let dealer = Table { seat: Wind::East, ..riichi() };
    let win = dealer.win("123m456p789s11z45s 6s");
    let scored = score(&win, &Rules::ronin()).unwrap();
    let sum: u8 = fu_lines(&win, &Rules::ronin(), &scored.reading).iter().map(|line| line.fu).sum();
    assert_eq!((sum, scored.fu), (34, 40), "20, 10 for closed ron, 4 for the double wind pair");
    let mut two = Rules::ronin();
    two.double_wind_pair_fu = 2;
    assert_eq!(fu_lines(&win, &two, &scored.reading).iter().map(|line| line.fu).sum::<u8>(), 32);
    // 20, and 10 for a closed ron, and what is named.
    for (text, sum, what) in [
        ("234m456p678s22p45s 6s", 30, "both ends of a run"),
        ("234m456p678s22p46s 5s", 32, "the middle of a run"),
        ("234m456p678s22p12s 3s", 32, "the edge of a run"),
        ("234m456p678s123s2p 2p", 32, "the pair"),
        ("234m456p222s55p45s 6s", 34, "a concealed triplet"),
        ("234m456p22s55p456s 2s", 32, "a triplet that a ron completed"),
        ("111m456p234s55p45s 6s", 38, "a concealed triplet of terminals"),
        ("234m456p22p45s 6s +a5555z", 62, "a closed kan of honors"),
    ] {
        let win = riichi().win(text);
        let score = score(&win, &Rules::ronin()).unwrap();
        let lines = fu_lines(&win, &Rules::ronin(), &score.reading);
        assert_eq!(lines.iter().map(|line| line.fu).sum::<u8>(), sum, "{what}");
    }
}

#[test]
fn an_explanation_adds_up() {
    let win = SOUTH.flags(Flags::RIICHI.with(Flags::TSUMO)).win("123m456p789s1122z 2z");
    let rules = Rules::ronin();
    let score = score(&win, &rules).unwrap();
    let explanation = explain(&win, &rules, &score, Stakes { honba: 1, sticks: 2 });
    assert_eq!(explanation.yaku.iter().map(|line| line.han).sum::<u8>(), explanation.han);
    assert_eq!(explanation.fu_lines.iter().map(|line| line.fu).sum::<u8>(), 32);
    assert_eq!(explanation.fu_lines[0].what, "for winning", "what every hand has comes first");
    assert_eq!(explanation.total, 2600 + 2 * 1300 + 300 + 2000);
    let text = explanation.to_string();
    for line in [
        "123m 456p 789s 222z 11z",
        "32 rounded up to 40",
        "40 fu × 2^(2 + 3 han) = 1280 base points",
        "the dealer pays 2600 + 100 (1 honba) = 2700",
        "the table gives 2000 (2 riichi sticks)",
        "the winner gets 7500",
    ] {
        assert!(text.contains(line), "{line} is not in:\n{text}");
    }
}

#[test]
fn renhou_is_worth_what_the_preset_says() {
    // cites 003/R12
    let renhou = || SOUTH.flags(Flags::RENHOU);
    let hand = "234m456p678s22p45s 6s";
    let worth = |rules: &Rules| renhou().score(hand, rules);
    assert_eq!(worth(&Rules::ronin()).han, 7, "five, pinfu and tanyao: it adds up");
    assert_eq!(worth(&Rules::tenhou()).han, 2, "no such yaku");
    assert_eq!(worth(&Rules::soul()).han, 2);
    let flat = worth(&Rules::ema());
    assert_eq!((flat.limit, flat.han), (Limit::Mangan, 5), "a flat mangan takes nothing from the hand");
    for name in Rules::PROFILES {
        let score = worth(&Rules::profile(name).unwrap());
        let expected = if name == "renhou_yakuman" { Limit::Yakuman(1) } else { Limit::Haneman };
        assert_eq!(score.limit, expected, "{name}: the vectors count five han and add them up");
    }
    let no_yaku = "123m456p789s11z13s 2s";
    assert_eq!(renhou().score(no_yaku, &Rules::ema()).limit, Limit::Mangan, "it is the yaku");
    assert_eq!(score(&renhou().win(no_yaku), &Rules::tenhou()), Err(NoScore::NoYaku));
    let chinitsu = "1112345678999m 5m";
    assert_eq!(
        renhou().score(chinitsu, &Rules::ema()).limit,
        Limit::Yakuman(1),
        "the hand is worth more without it"
    );
    let mut rules = Rules::ronin();
    rules.renhou = Renhou::FlatBaiman;
    assert_eq!(renhou().score(hand, &rules).limit, Limit::Baiman);
    rules.renhou = Renhou::Han(8);
    assert_eq!(renhou().score(hand, &rules).han, 10);
}

#[test]
fn the_four_double_yakuman_are_four_flags_and_six_is_the_most() {
    // cites 003-16
    let times = |text: &str, rules: &Rules| SOUTH.score(text, rules).limit;
    let hands = ["19m19p19s1234567z 7z", "222m333p444s555p6s 6s", "1112345678999m 5m", "111222333444z6s 6s"];
    let tsumo = |text: &str, rules: &Rules| SOUTH.flags(Flags::TSUMO).score(text, rules).limit;
    assert_eq!(
        hands.map(|text| times(text, &Rules::tenhou())),
        [Limit::Yakuman(1), Limit::Yakuman(1), Limit::Yakuman(1), Limit::Yakuman(2)]
    );
    assert_eq!(
        hands.map(|text| times(text, &Rules::ronin())),
        [Limit::Yakuman(2), Limit::Yakuman(2), Limit::Yakuman(2), Limit::Yakuman(4)]
    );
    let flag = |set: fn(&mut Rules)| {
        let mut rules = Rules::tenhou();
        set(&mut rules);
        hands.map(|text| match times(text, &rules) {
            Limit::Yakuman(times) => times,
            _ => 0,
        })
    };
    assert_eq!(flag(|rules| rules.double_yakuman.kokushi_thirteen = true), [2, 1, 1, 2]);
    assert_eq!(flag(|rules| rules.double_yakuman.suuankou_tanki = true), [1, 2, 1, 3]);
    assert_eq!(flag(|rules| rules.double_yakuman.junsei_chuuren = true), [1, 1, 2, 2]);
    assert_eq!(flag(|rules| rules.double_yakuman.daisuushii = true), [1, 1, 1, 3]);
    let honors = "5z 5z +a1111z +a2222z +a3333z +a4444z";
    assert_eq!(
        tsumo(honors, &Rules::ronin()),
        Limit::Yakuman(6),
        "daisuushii, tanki, honors and four kans: 2 + 2 + 1 + 1"
    );
    let mut rules = Rules::ronin();
    rules.yakuman_max = 2;
    assert_eq!(tsumo(honors, &rules), Limit::Yakuman(2));
}

#[test]
fn thirteen_han_are_a_yakuman_or_sanbaiman() {
    // cites 003/R12
    let table = Table { dora: "1m", ..SOUTH.flags(Flags::RIICHI.with(Flags::TSUMO)) };
    let score = |rules: &Rules| table.score("222333444m5678m 0m", rules);
    assert_eq!((score(&Rules::tenhou()).han, score(&Rules::tenhou()).limit), (15, Limit::Kazoe(1)));
    assert_eq!(
        (score(&Rules::ema()).han, score(&Rules::ema()).limit),
        (14, Limit::Sanbaiman),
        "and no red five"
    );
    let mut more = Rules::tenhou();
    more.kazoe = Kazoe::Unlimited;
    assert_eq!(score(&more).limit, Limit::Kazoe(1));
}

#[test]
fn a_real_yakuman_comes_before_a_counted_one() {
    let table = Table { dora: "1m2m", ..SOUTH.flags(Flags::RIICHI.with(Flags::TSUMO)) };
    let score = table.score("2233344466688m 2m", &Rules::tenhou());
    assert_eq!(score.limit, Limit::Yakuman(1), "as runs it would have 16 han");
    assert_eq!(score.yaku.iter().collect::<Vec<_>>(), [Yaku::Suuankou]);
}

/// Daisangen by a south seat, three dragon sets open.
fn daisangen(rules: &Rules, tsumo: bool) -> Score {
    let flags = if tsumo { Flags::TSUMO } else { Flags::NONE };
    SOUTH.flags(flags).score("123m4p 4p +p555z +p666z +p777z", rules)
}

/// Daisangen and tsuuiisou.
fn two_yakuman(rules: &Rules, tsumo: bool) -> Score {
    let flags = if tsumo { Flags::TSUMO } else { Flags::NONE };
    SOUTH.flags(flags).score("111z2z 2z +p555z +p666z +p777z", rules)
}

fn paid(score: &Score, rules: &Rules, discarder: Option<u8>, honba: u16) -> [i32; 4] {
    let parties = Parties {
        winner: seat(1),
        dealer: seat(0),
        discarder: discarder.map(seat),
        liable: Some((seat(3), Yaku::Daisangen)),
    };
    settle(score, &parties, Stakes { honba, sticks: 0 }, rules).unwrap().deltas()
}

#[test]
fn the_liable_seat_pays_a_self_draw_alone_and_half_of_a_ron() {
    // cites 003-16
    let rules = Rules::ronin();
    assert_eq!(paid(&daisangen(&rules, true), &rules, None, 0), [0, 32000, 0, -32000]);
    assert_eq!(paid(&daisangen(&rules, true), &rules, None, 2), [0, 32600, 0, -32600]);
    assert_eq!(paid(&daisangen(&rules, false), &rules, Some(2), 0), [0, 32000, -16000, -16000]);
    assert_eq!(paid(&daisangen(&rules, false), &rules, Some(3), 1), [0, 32300, 0, -32300], "its own discard");
}

#[test]
fn the_honba_of_a_shared_ron_goes_by_the_preset() {
    let pay = |rules: Rules| paid(&daisangen(&rules, false), &rules, Some(2), 1);
    assert_eq!(pay(Rules::ronin()), [0, 32300, -16100, -16200], "shared, the odd hundred on the liable seat");
    assert_eq!(pay(Rules::tenhou()), [0, 32300, -16000, -16300]);
    let mut discarder = Rules::tenhou();
    discarder.pao.honba = PaoHonba::Discarder;
    assert_eq!(pay(discarder), [0, 32300, -16300, -16000]);
}

#[test]
fn of_two_yakuman_the_liable_seat_answers_for_both_or_for_its_own() {
    let (whole, part) = (Rules::tenhou(), Rules::soul());
    assert_eq!(paid(&two_yakuman(&whole, true), &whole, None, 1), [0, 64300, 0, -64300]);
    assert_eq!(paid(&two_yakuman(&whole, false), &whole, Some(2), 0), [0, 64000, -32000, -32000]);
    assert_eq!(paid(&two_yakuman(&part, true), &part, None, 1), [-16000, 64300, -8000, -40300]);
    assert_eq!(paid(&two_yakuman(&part, false), &part, Some(2), 1), [0, 64300, -48000, -16300]);
}

#[test]
fn liability_is_for_the_last_set_that_was_called() {
    // cites 003-16
    let block = |text: &str, kind| Meld::new(kind, &tiles(text).iter().collect::<Vec<_>>()).unwrap().block();
    let pon = |text| block(text, MeldKind::Pon);
    let pao = Rules::ronin().pao;
    assert_eq!(pao.fed(&[pon("555z"), pon("666z"), pon("777z")]), Some(Yaku::Daisangen));
    assert_eq!(pao.fed(&[pon("555z"), pon("666z")]), None);
    assert_eq!(
        pao.fed(&[pon("555z"), pon("666z"), pon("777z"), pon("111m")]),
        None,
        "the last was no dragon"
    );
    assert_eq!(pao.fed(&[pon("555z"), pon("666z"), block("7777z", MeldKind::Ankan)]), None, "nobody fed it");
    assert_eq!(pao.fed(&[pon("111z"), pon("222z"), pon("333z"), pon("444z")]), Some(Yaku::Daisuushii));
    let kans = ["1111m", "2222m", "3333m", "4444m"].map(|text| block(text, MeldKind::Daiminkan));
    assert_eq!(pao.fed(&kans), None);
    let mut with_kans = pao;
    with_kans.suukantsu = true;
    assert_eq!(with_kans.fed(&kans), Some(Yaku::Suukantsu));
}

#[test]
fn liability_needs_the_yakuman_that_was_fed() {
    let rules = Rules::ronin();
    let plain = SOUTH.score("123m4p 4p +p555z +p666z +c789s", &rules);
    assert_eq!(paid(&plain, &rules, Some(2), 0), [0, 2000, -2000, 0], "two dragon sets are no daisangen");
    let mut none = Rules::ronin();
    none.pao.daisangen = false;
    assert_eq!(paid(&daisangen(&none, false), &none, Some(2), 0), [0, 32000, -32000, 0]);
}

#[test]
fn nobody_pays_himself() {
    let rules = Rules::ronin();
    let score = daisangen(&rules, false);
    let parties = Parties { winner: seat(1), dealer: seat(0), discarder: Some(seat(1)), liable: None };
    assert_eq!(settle(&score, &parties, Stakes::default(), &rules), Err(PartiesError::WinnerDiscarded));
    let parties = Parties { discarder: None, liable: Some((seat(1), Yaku::Daisangen)), ..parties };
    assert_eq!(settle(&score, &parties, Stakes::default(), &rules), Err(PartiesError::WinnerLiable));
}

#[test]
fn nagashi_is_paid_like_a_drawn_mangan_and_noten_shares_three_thousand() {
    // cites 003-12
    assert_eq!(nagashi(&[seat(2)], seat(3)), [-2000, -2000, 8000, -4000]);
    assert_eq!(nagashi(&[seat(0)], seat(0)), [12000, -4000, -4000, -4000]);
    assert_eq!(nagashi(&[seat(0), seat(1)], seat(0)), [12000 - 4000, 8000 - 4000, -6000, -6000]);
    assert_eq!(noten([true, false, false, false], 3000), [3000, -1000, -1000, -1000]);
    assert_eq!(noten([true, true, false, false], 3000), [1500, 1500, -1500, -1500]);
    assert_eq!(noten([true, true, true, false], 3000), [1000, 1000, 1000, -3000]);
    assert_eq!(noten([true; 4], 3000), [0; 4]);
    assert_eq!(noten([false; 4], 3000), [0; 4]);
}

#[test]
fn the_presets_differ_where_the_rule_books_do() {
    // cites 003/R12, 003/R14
    let presets = Rules::PRESETS.map(|name| Rules::preset(name).unwrap());
    assert_eq!(presets[0], Rules::default(), "ronin is what a table plays by default");
    assert_eq!(presets.map(|rules| rules.kiriage_mangan), [true, false, false, false]);
    assert_eq!(presets.map(|rules| rules.red_fives), [true, true, true, false]);
    assert_eq!(presets.map(|rules| rules.pao.only_own_yakuman), [false, false, true, false]);
    assert_eq!(presets.map(|rules| rules.yakuman_max), [6, 6, 6, 1]);
    assert_eq!(
        presets.map(|rules| rules.renhou),
        [Renhou::Han(5), Renhou::Off, Renhou::Off, Renhou::FlatMangan]
    );
    assert_eq!(Rules::preset("nokuitan"), None, "a scoring profile is no preset");
    assert_eq!(Rules::profile("house"), None);
    let vectors = Rules::profile("ema").unwrap();
    assert!(
        vectors.kiriage_mangan && vectors.yakuman_max == 6,
        "the vectors were not made by the edition of 2016"
    );
}

#[test]
fn every_kind_of_the_box_can_be_named() {
    for kind in Kind::all() {
        assert_eq!(tile(&kind.to_string()).kind(), kind);
    }
}
