//! Rounds as tenhou.net/6 JSON, the form that the usual viewers and reviewers load: writing and reading.
//!
//! The form has no order of events, only each seat's draws and discards; reading works out the one order in which all of
//! them fit. Tiles have no ids there, so copies of a kind are given out as they come.

use serde_json::{Value, json};

use super::SEATS_MAX;
use super::event::Event;
use super::games::{counter, kyoku, list, number, scores};
use super::result::{DrawKind, RoundResult, WinResult};
use super::script::{Closing, RoundRun, RoundScript};
use super::settings::{GameType, Settings};
use super::state::Standing;
use super::tenhou6_order::order;
use crate::limit::Limit;
use crate::meld::MeldKind;
use crate::pay::{Price, Seat};
use crate::sets::TileSet;
use crate::tile::Tile;
use crate::yaku::Yaku;

const SEATS: u8 = SEATS_MAX as u8;

/// What stands above the rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heading {
    pub title: [String; 2],
    pub names: [String; SEATS_MAX],
    /// The rules in Tenhou's short form, such as 鳳南喰赤.
    pub disp: String,
    pub red_fives: bool,
}

impl Heading {
    /// A heading without names, for a game of Tenhou with this type number.
    #[must_use]
    pub fn of_type(go_type: u64) -> Self {
        let room = match (go_type & 0x20 != 0, go_type & 0x80 != 0) {
            (true, true) => "鳳",
            (true, false) => "特",
            (false, true) => "上",
            (false, false) => "般",
        };
        let south = go_type & 0x08 != 0;
        let (tanyao, red_fives) = (go_type & 0x04 == 0, go_type & 0x02 == 0);
        Self::new(room, south, tanyao, red_fives)
    }

    /// A heading without names, for these settings.
    #[must_use]
    pub fn of_settings(settings: &Settings) -> Self {
        Self::new("般", settings.game_type == GameType::Hanchan, settings.open_tanyao, settings.red_fives)
    }

    fn new(room: &str, south: bool, tanyao: bool, red_fives: bool) -> Self {
        let length = if south { "南" } else { "東" };
        let (tanyao, reds) = (if tanyao { "喰" } else { "" }, if red_fives { "赤" } else { "" });
        Self {
            title: [String::new(), String::new()],
            names: ["Aさん", "Bさん", "Cさん", "Dさん"].map(String::from),
            disp: format!("{room}{length}{tanyao}{reds}"),
            red_fives,
        }
    }
}

/// The number of a tile: 11 to 47, red fives 51 to 53.
#[must_use]
pub const fn code(tile: Tile) -> u8 {
    let kind = tile.kind();
    let suit = kind.number() / 9 + 1;
    if tile.is_red() { 50 + suit } else { 10 * suit + kind.rank() }
}

/// One round as a file of its own; none if it did not come to its end.
#[must_use]
pub fn export_round(round: &RoundRun, heading: &Heading) -> Option<Value> {
    let result = round.result.as_ref()?;
    let mut sheets: [Sheet; SEATS_MAX] = Default::default();
    let (mut dora, mut hands) = (Vec::new(), None);
    for event in &round.events {
        match event {
            Event::RoundStarted { hands: dealt, dora: first, .. } => {
                hands = Some(dealt.clone());
                dora.push(code(*first));
            }
            Event::Dora { tile } => dora.push(code(*tile)),
            other => write_event(&mut sheets, other),
        }
    }
    let ura = match result {
        RoundResult::Wins(wins) => wins.iter().map(|win| &win.ura_indicators).max_by_key(|ura| ura.len()),
        RoundResult::Draw { .. } => None,
    };
    let ura: Vec<u8> = ura.into_iter().flatten().map(|tile| code(*tile)).collect();
    let standing = &round.standing;
    let mut log = vec![
        json!([standing.kyoku, standing.honba, standing.sticks]),
        json!(standing.scores),
        json!(dora),
        json!(ura),
    ];
    for (sheet, hand) in sheets.into_iter().zip(hands?.iter()) {
        // A red five stands after the plain ones.
        let mut hand = hand.clone();
        hand.sort_by_key(|tile| (tile.kind(), tile.is_red(), *tile));
        let codes: Vec<u8> = hand.iter().map(|tile| code(*tile)).collect();
        log.extend([json!(codes), json!(sheet.draws), json!(sheet.discards)]);
    }
    log.push(result_json(result, standing));
    let Heading { title, names, disp, red_fives } = heading;
    Some(json!({
        "title": title, "name": names, "rule": { "disp": disp, "aka": u8::from(*red_fives) }, "log": [log],
    }))
}

/// One seat's draws and discards.
#[derive(Default)]
struct Sheet {
    draws: Vec<Value>,
    discards: Vec<Value>,
}

fn write_event(sheets: &mut [Sheet; SEATS_MAX], event: &Event) {
    match event {
        Event::Draw { seat, tile: Some(tile), .. } => sheets[seat.index()].draws.push(json!(code(*tile))),
        Event::Discard { seat, tile, tsumogiri, riichi } => {
            let number = if *tsumogiri { 60 } else { code(*tile) };
            let text = if *riichi { json!(format!("r{number}")) } else { json!(number) };
            sheets[seat.index()].discards.push(text);
        }
        Event::Meld { seat, kind, tiles, from, tile } => {
            let sheet = &mut sheets[seat.index()];
            let before = sheet.draws.iter().rev().find_map(|draw| pon_of(draw, tiles[0]));
            let text = json!(meld_text(*kind, tiles, *tile, seat.steps_to(*from, SEATS), before));
            match kind {
                MeldKind::Chi | MeldKind::Pon => sheet.draws.push(text),
                MeldKind::Daiminkan => {
                    sheet.draws.push(text);
                    sheet.discards.push(json!(0));
                }
                MeldKind::Ankan | MeldKind::Kakan => sheet.discards.push(text),
            }
        }
        _ => {}
    }
}

/// The text of the pon that an added kan extends.
fn pon_of(draw: &Value, tile: Tile) -> Option<String> {
    let text = draw.as_str().filter(|text| text.contains('p'))?;
    let digits: Vec<u8> = text.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0').collect();
    // A red five begins with 5 and has its suit second.
    let (suit, rank) = if digits[0] == 5 { (digits[1], 5) } else { (digits[0], digits[1]) };
    let is_it = suit == tile.kind().number() / 9 + 1 && rank == tile.kind().rank();
    is_it.then(|| text.to_owned())
}

/// A meld as text: the letter stands before the called tile, at a place that says who fed it.
fn meld_text(kind: MeldKind, tiles: &[Tile], named: Option<Tile>, steps: u8, pon: Option<String>) -> String {
    let named_code = named.map(code);
    let mut own: Vec<u8> =
        tiles.iter().filter(|tile| Some(**tile) != named).map(|tile| code(*tile)).collect();
    match kind {
        MeldKind::Chi => format!("c{}{}{}", named_code.unwrap_or(0), own[0], own[1]),
        MeldKind::Kakan => {
            // The text of the pon with the added tile before its called one.
            let (pon, added) = (pon.unwrap_or_default(), named_code.unwrap_or(0));
            pon.replace('p', &format!("k{added}"))
        }
        MeldKind::Ankan => {
            own.sort_unstable();
            format!("{}{}{}a{}", own[0], own[1], own[2], own[3])
        }
        MeldKind::Pon | MeldKind::Daiminkan => {
            own.sort_unstable();
            let letter = if kind == MeldKind::Pon { 'p' } else { 'm' };
            // From the left neighbour first, from the one across second, from the right neighbour last.
            let place = match steps {
                3 => 0,
                2 => 1,
                _ => own.len(),
            };
            let mut parts: Vec<String> = own.iter().map(u8::to_string).collect();
            parts.insert(place, format!("{letter}{}", named_code.unwrap_or(0)));
            parts.concat()
        }
    }
}

fn result_json(result: &RoundResult, standing: &Standing) -> Value {
    match result {
        RoundResult::Wins(wins) => {
            let mut parts = vec![json!("和了")];
            for win in wins {
                parts.push(json!(win.deltas));
                parts.push(win_json(win, standing));
            }
            Value::Array(parts)
        }
        RoundResult::Draw { kind, shown, deltas, .. } => {
            let paid = deltas.iter().any(|delta| *delta != 0);
            match kind {
                DrawKind::Exhaustive if paid => json!(["流局", deltas]),
                DrawKind::Exhaustive if shown.is_empty() => json!(["全員不聴"]),
                DrawKind::Exhaustive => json!(["全員聴牌"]),
                DrawKind::NagashiMangan => json!(["流し満貫", deltas]),
                DrawKind::NineKinds => json!(["九種九牌"]),
                DrawKind::FourWinds => json!(["四風連打"]),
                DrawKind::FourRiichi => json!(["四家立直"]),
                DrawKind::FourKans => json!(["四槓散了"]),
                DrawKind::TripleRon => json!(["三家和了"]),
            }
        }
    }
}

fn win_json(win: &WinResult, standing: &Standing) -> Value {
    let dealer = standing.dealer(SEATS) == win.who;
    let mut parts =
        vec![json!(win.who), json!(win.from.unwrap_or(win.who)), json!(win.liable.unwrap_or(win.who))];
    parts.push(json!(format!(
        "{}{}点{}",
        worth(win),
        points(win, dealer),
        if dealer && win.from.is_none() { "∀" } else { "" }
    )));
    let mut yaku = win.yaku.clone();
    yaku.sort_by_key(|(yaku, _)| ORDER.iter().position(|other| other == yaku).unwrap_or(usize::MAX));
    for (yaku, han) in yaku {
        let worth = if yaku.is_yakuman() { "役満".to_owned() } else { format!("{han}飜") };
        parts.push(json!(format!("{}({worth})", japanese(yaku))));
    }
    for (name, han) in [("ドラ", win.dora), ("赤ドラ", win.reds), ("裏ドラ", win.ura)] {
        if han > 0 {
            parts.push(json!(format!("{name}({han}飜)")));
        }
    }
    Value::Array(parts)
}

fn worth(win: &WinResult) -> String {
    match win.limit {
        Limit::None => format!("{}符{}飜", win.fu, win.han),
        Limit::Mangan => "満貫".into(),
        Limit::Haneman => "跳満".into(),
        Limit::Baiman => "倍満".into(),
        Limit::Sanbaiman => "三倍満".into(),
        Limit::Kazoe(_) | Limit::Yakuman(_) => "役満".into(),
    }
}

/// What is paid: by one, by each, or by the others and the dealer.
fn points(win: &WinResult, dealer: bool) -> String {
    if win.from.is_some() {
        return win.points.to_string();
    }
    let base = match win.limit {
        Limit::None => u32::from(win.fu) << (2 + win.han),
        limit => limit.base(),
    };
    match Price::of(base, dealer, true) {
        Price::Tsumo { dealer, others } => format!("{others}-{dealer}"),
        Price::DealerTsumo(each) | Price::Ron(each) => each.to_string(),
    }
}

/// The order in which a result lists its yaku.
const ORDER: [Yaku; 37] = [
    Yaku::DoubleRiichi,
    Yaku::Riichi,
    Yaku::Ippatsu,
    Yaku::Chankan,
    Yaku::Rinshan,
    Yaku::Haitei,
    Yaku::Houtei,
    Yaku::MenzenTsumo,
    Yaku::SevenPairs,
    Yaku::Pinfu,
    Yaku::Iipeikou,
    Yaku::Ryanpeikou,
    Yaku::SanshokuDoujun,
    Yaku::Ittsu,
    Yaku::Sanankou,
    Yaku::Sankantsu,
    Yaku::Toitoi,
    Yaku::SanshokuDoukou,
    Yaku::Shousangen,
    Yaku::RoundEast,
    Yaku::RoundSouth,
    Yaku::RoundWest,
    Yaku::RoundNorth,
    Yaku::SeatEast,
    Yaku::SeatSouth,
    Yaku::SeatWest,
    Yaku::SeatNorth,
    Yaku::Red,
    Yaku::Green,
    Yaku::White,
    Yaku::Tanyao,
    Yaku::Chanta,
    Yaku::Junchan,
    Yaku::Honroutou,
    Yaku::Honitsu,
    Yaku::Chinitsu,
    Yaku::Renhou,
];

/// The name in Tenhou's texts.
fn japanese(yaku: Yaku) -> &'static str {
    match yaku {
        Yaku::MenzenTsumo => "門前清自摸和",
        Yaku::Riichi => "立直",
        Yaku::Ippatsu => "一発",
        Yaku::Chankan => "槍槓",
        Yaku::Rinshan => "嶺上開花",
        Yaku::Haitei => "海底摸月",
        Yaku::Houtei => "河底撈魚",
        Yaku::Pinfu => "平和",
        Yaku::Tanyao => "断幺九",
        Yaku::Iipeikou => "一盃口",
        Yaku::SeatEast => "自風 東",
        Yaku::SeatSouth => "自風 南",
        Yaku::SeatWest => "自風 西",
        Yaku::SeatNorth => "自風 北",
        Yaku::RoundEast => "場風 東",
        Yaku::RoundSouth => "場風 南",
        Yaku::RoundWest => "場風 西",
        Yaku::RoundNorth => "場風 北",
        Yaku::White => "役牌 白",
        Yaku::Green => "役牌 發",
        Yaku::Red => "役牌 中",
        Yaku::DoubleRiichi => "両立直",
        Yaku::SevenPairs => "七対子",
        Yaku::Chanta => "混全帯幺九",
        Yaku::Ittsu => "一気通貫",
        Yaku::SanshokuDoujun => "三色同順",
        Yaku::SanshokuDoukou => "三色同刻",
        Yaku::Sankantsu => "三槓子",
        Yaku::Toitoi => "対々和",
        Yaku::Sanankou => "三暗刻",
        Yaku::Shousangen => "小三元",
        Yaku::Honroutou => "混老頭",
        Yaku::Ryanpeikou => "二盃口",
        Yaku::Junchan => "純全帯幺九",
        Yaku::Honitsu => "混一色",
        Yaku::Chinitsu => "清一色",
        Yaku::Renhou | Yaku::RenhouYakuman => "人和",
        Yaku::Tenhou => "天和",
        Yaku::Chiihou => "地和",
        Yaku::Daisangen => "大三元",
        Yaku::Suuankou => "四暗刻",
        Yaku::SuuankouTanki => "四暗刻単騎",
        Yaku::Tsuuiisou => "字一色",
        Yaku::Ryuuiisou => "緑一色",
        Yaku::Chinroutou => "清老頭",
        Yaku::Chuuren => "九蓮宝燈",
        Yaku::JunseiChuuren => "純正九蓮宝燈",
        Yaku::Kokushi => "国士無双",
        Yaku::KokushiThirteen => "国士無双13面",
        Yaku::Daisuushii => "大四喜",
        Yaku::Shousuushii => "小四喜",
        Yaku::Suukantsu => "四槓子",
        other => other.name(),
    }
}

/// Reads the rounds of a file.
///
/// # Errors
/// If it is no such file, or the draws and discards of a round fit in no order.
pub fn import(file: &Value) -> Result<Vec<(Standing, RoundScript)>, String> {
    let rounds = list(&file["log"], "log")?;
    rounds
        .iter()
        .enumerate()
        .map(|(index, round)| import_round(round).map_err(|fault| format!("log {index}: {fault}")))
        .collect()
}

fn import_round(round: &Value) -> Result<(Standing, RoundScript), String> {
    let entry = |index: usize, name: &str| number(&round[0][index], name);
    let standing = Standing {
        kyoku: kyoku(entry(0, "kyoku")?)?,
        honba: counter(entry(1, "honba")?, "honba")?,
        sticks: counter(entry(2, "sticks")?, "sticks")?,
        scores: scores(&round[1])?,
        first_dealer: Seat::ALL[0],
        dealer_wins: 0,
    };
    let (wall, deeds) = order(round, standing.dealer(SEATS))?;
    let closing = closing(&round[16])?;
    Ok((standing, RoundScript { wall, deeds, closing, marks: Vec::new() }))
}

fn closing(result: &Value) -> Result<Closing, String> {
    let name = result[0].as_str().ok_or("the result has no name")?;
    if name == "九種九牌" {
        return Ok(Closing::Nine);
    }
    if name == "三家和了" {
        return Ok(Closing::TripleRon);
    }
    if name != "和了" {
        return Ok(Closing::Nothing);
    }
    let wins = list(result, "result")?.iter().skip(2).step_by(2);
    let (mut by, mut from) = (Vec::new(), None);
    for win in wins {
        let who = super::games::seat(&win[0], "winner")?;
        let paid = super::games::seat(&win[1], "payer")?;
        by.push(who);
        from = (who != paid).then_some(paid);
    }
    Ok(Closing::Won { by, from })
}

/// Gives out copies of the tiles that codes name.
pub(super) struct Box136(pub(super) TileSet);

impl Box136 {
    /// A copy that was not given out yet.
    pub(super) fn take(&mut self, wanted: u8) -> Result<Tile, String> {
        let free =
            (0..136).filter_map(Tile::new).find(|tile| code(*tile) == wanted && !self.0.contains(*tile));
        let tile = free.ok_or_else(|| format!("there is no tile {wanted}, or not so many"))?;
        self.0.insert(tile);
        Ok(tile)
    }
}
