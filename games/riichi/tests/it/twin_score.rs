//! A slow twin of scoring, written from the rules: every split of the hand, every place for the winning tile, every yaku
//! asked of the sets as lists of tiles.

use parlor_riichi::meld::MeldKind;
use parlor_riichi::rules::{Kazoe, Renhou, Rules};
use parlor_riichi::tile::Tile;
use parlor_riichi::win::Flags;

use crate::random::Case;

/// What a reading of a win is worth.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Worth {
    pub(crate) base: u32,
    pub(crate) real_yakuman: bool,
    pub(crate) han: u32,
    pub(crate) fu: u32,
    pub(crate) yaku: Vec<(String, u32)>,
}

/// A set or the pair, as kinds.
#[derive(Clone, Debug, PartialEq)]
struct Group {
    kinds: Vec<usize>,
    called: bool,
    /// Laid out, so the winning tile is not in it.
    melded: bool,
}

impl Group {
    fn is_run(&self) -> bool {
        self.kinds[0] != self.kinds[1]
    }
    fn is_pair(&self) -> bool {
        self.kinds.len() == 2
    }
    /// A triplet or quad.
    fn is_same(&self) -> bool {
        self.kinds.len() > 2 && !self.is_run()
    }
    fn is_quad(&self) -> bool {
        self.kinds.len() == 4
    }
}

fn honor(kind: usize) -> bool {
    kind >= 27
}
fn terminal(kind: usize) -> bool {
    kind < 27 && [0, 8].contains(&(kind % 9))
}
fn orphan(kind: usize) -> bool {
    honor(kind) || terminal(kind)
}

/// All the readings of a win that have a yaku; none if it is complete without; nothing if it is not complete.
pub(crate) fn readings(case: &Case, rules: &Rules) -> Option<Vec<Worth>> {
    let twin = Twin::new(case, rules);
    let mut worths = Vec::new();
    let mut complete = false;
    let mut counts = [0_u8; 34];
    case.hand.iter().for_each(|tile| counts[tile.kind().index()] += 1);
    if twin.melds.is_empty() && counts.iter().all(|&count| count == 0 || count == 2) {
        complete = true;
        worths.extend(twin.seven_pairs());
    }
    if twin.melds.is_empty() && (0..34).all(|kind| orphan(kind) == (counts[kind] > 0)) {
        complete = true;
        worths.extend(twin.orphans(counts[twin.win] == 2));
    }
    let mut splits = Vec::new();
    split(&mut counts, &mut Vec::new(), &mut splits);
    for mut groups in splits {
        groups.extend(twin.melds.iter().cloned());
        if groups.len() != 5 || groups.iter().filter(|group| group.is_pair()).count() != 1 {
            continue;
        }
        complete = true;
        for (index, group) in groups.iter().enumerate() {
            if !group.melded && group.kinds.contains(&twin.win) {
                worths.extend(twin.regular(&groups, index));
            }
        }
    }
    complete.then_some(worths)
}

/// Every way to take pairs and sets away until nothing is left.
fn split(counts: &mut [u8; 34], groups: &mut Vec<Group>, splits: &mut Vec<Vec<Group>>) {
    let Some(first) = counts.iter().position(|&count| count > 0) else {
        splits.push(groups.clone());
        return;
    };
    let mut ways = vec![vec![first; 2], vec![first; 3]];
    if first < 27 && first % 9 < 7 {
        ways.push(vec![first, first + 1, first + 2]);
    }
    for kinds in ways {
        let pair_taken = groups.iter().any(Group::is_pair);
        let mut left = *counts;
        let fits = kinds.iter().all(|&kind| {
            let held = left[kind] > 0;
            left[kind] = left[kind].saturating_sub(1);
            held
        });
        if fits && !(pair_taken && kinds.len() == 2) {
            groups.push(Group { kinds, called: false, melded: false });
            split(&mut left, groups, splits);
            groups.pop();
        }
    }
}

struct Twin<'a> {
    case: &'a Case,
    rules: &'a Rules,
    melds: Vec<Group>,
    all: Vec<Tile>,
    kinds: Vec<usize>,
    win: usize,
    open: bool,
    tsumo: bool,
}

impl<'a> Twin<'a> {
    fn new(case: &'a Case, rules: &'a Rules) -> Self {
        let melds: Vec<Group> = case
            .melds
            .iter()
            .map(|meld| Group {
                kinds: meld.tiles().iter().map(|tile| tile.kind().index()).collect(),
                called: meld.kind() != MeldKind::Ankan,
                melded: true,
            })
            .collect();
        let all: Vec<Tile> =
            case.hand.iter().chain(case.melds.iter().flat_map(|meld| meld.tiles())).copied().collect();
        Self {
            case,
            rules,
            kinds: all.iter().map(|tile| tile.kind().index()).collect(),
            all,
            win: case.win.kind().index(),
            open: melds.iter().any(|meld| meld.called),
            tsumo: case.flags.has(Flags::TSUMO),
            melds,
        }
    }

    fn flag(&self, flag: Flags) -> bool {
        self.case.flags.has(flag)
    }

    /// Yaku by circumstance and by the kinds in the hand.
    fn common(&self) -> Vec<(String, u32)> {
        let rules = self.rules;
        let mut yaku: Vec<(String, u32)> = Vec::new();
        let mut add = |so: bool, name: &str, han: u32| {
            if so {
                yaku.push((name.to_owned(), han));
            }
        };
        let (single, double) = (self.flag(Flags::RIICHI), self.flag(Flags::DOUBLE_RIICHI));
        let shown = self.flag(Flags::OPEN_RIICHI);
        add(single && !double && !shown, "Riichi", 1);
        add(double && !shown, "Double Riichi", 2);
        add(single && !double && shown, "Open Riichi", 2);
        add(double && shown, "Double Open Riichi", 3);
        add(shown && !self.tsumo && rules.sashikomi, "Sashikomi", 13);
        add(self.flag(Flags::IPPATSU) && rules.ippatsu, "Ippatsu", 1);
        add(self.tsumo && !self.open, "Menzen Tsumo", 1);
        add(self.flag(Flags::RINSHAN), "Rinshan Kaihou", 1);
        add(self.flag(Flags::CHANKAN), "Chankan", 1);
        add(self.flag(Flags::HAITEI), "Haitei Raoyue", 1);
        add(self.flag(Flags::HOUTEI), "Houtei Raoyui", 1);
        add(self.flag(Flags::TENHOU), "Tenhou", 13);
        add(self.flag(Flags::CHIIHOU), "Chiihou", 13);
        if let Renhou::Han(han) = rules.renhou {
            add(self.flag(Flags::RENHOU), "Renhou", u32::from(han));
        }
        add(self.flag(Flags::RENHOU) && rules.renhou == Renhou::Yakuman, "Renhou (yakuman)", 13);
        let kinds = &self.kinds;
        let every = |test: fn(usize) -> bool| kinds.iter().all(|&kind| test(kind));
        let suits = (0..3).filter(|suit| kinds.iter().any(|kind| kind / 9 == *suit)).count();
        let honors = kinds.iter().any(|&kind| honor(kind));
        add(every(|kind| !orphan(kind)) && (!self.open || rules.open_tanyao), "Tanyao", 1);
        add(suits == 1 && honors, "Honitsu", if self.open { 2 } else { 3 });
        add(suits == 1 && !honors, "Chinitsu", if self.open { 5 } else { 6 });
        add(every(orphan), "Honroutou", 2);
        add(every(honor), "Tsuu Iisou", 13);
        add(every(terminal), "Chinroutou", 13);
        add(every(|kind| [19, 20, 21, 23, 25, 32].contains(&kind)), "Ryuuiisou", 13);
        let wheel = |suit: usize| {
            let mut sorted = kinds.clone();
            sorted.sort_unstable();
            self.melds.is_empty()
                && sorted == (1..8).flat_map(|rank| [suit * 9 + rank; 2]).collect::<Vec<_>>()
        };
        add(wheel(1) && (rules.daisharin || rules.daisharin_other_suits), "Daisharin", 13);
        add(wheel(2) && rules.daisharin_other_suits, "Daichikurin", 13);
        add(wheel(0) && rules.daisharin_other_suits, "Daisuurin", 13);
        if let Some(pure) = self.nine_gates() {
            let double = if rules.double_yakuman.junsei_chuuren { 26 } else { 13 };
            add(pure, "Daburu Chuuren Poutou", double);
            add(!pure, "Chuuren Poutou", 13);
        }
        yaku
    }

    /// Nine gates: 1112345678999 and one more; pure if it was that before the winning tile came.
    fn nine_gates(&self) -> Option<bool> {
        let suit = self.kinds[0] / 9;
        if !self.melds.is_empty() || suit == 3 {
            return None;
        }
        let without = |kind: usize| {
            let mut rest = self.kinds.clone();
            rest.remove(rest.iter().position(|&other| other == kind)?);
            rest.sort_unstable();
            Some(rest)
        };
        let gates: Vec<usize> = [0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 8, 8].map(|rank| suit * 9 + rank).to_vec();
        let found = (suit * 9..suit * 9 + 9).any(|kind| without(kind).as_ref() == Some(&gates));
        found.then(|| without(self.win) == Some(gates))
    }

    fn orphans(&self, any_of_thirteen: bool) -> Option<Worth> {
        let mut yaku = self.common();
        let double = if self.rules.double_yakuman.kokushi_thirteen { 26 } else { 13 };
        yaku.push(if any_of_thirteen {
            ("Kokushi Musou Juusanmen Matchi".into(), double)
        } else {
            ("Kokushi Musou".into(), 13)
        });
        self.worth(yaku, 0)
    }

    fn seven_pairs(&self) -> Option<Worth> {
        let mut yaku = self.common();
        yaku.push(("Chiitoitsu".into(), 2));
        if self.rules.daichisei && self.kinds.iter().all(|&kind| honor(kind)) {
            yaku.push(("Daichisei".into(), 13));
        }
        self.worth(yaku, 25)
    }

    fn regular(&self, groups: &[Group], completed: usize) -> Option<Worth> {
        let mut yaku = self.common();
        let mut add = |so: bool, name: &str, han: u32| {
            if so {
                yaku.push((name.to_owned(), han));
            }
        };
        let (seat, round) = (27 + self.case.seat_wind as usize, 27 + self.case.round_wind as usize);
        let pair = groups.iter().find(|group| group.is_pair()).expect("a pair").kinds[0];
        let runs: Vec<usize> = groups.iter().filter(|g| g.is_run()).map(|g| g.kinds[0]).collect();
        let sames: Vec<usize> = groups.iter().filter(|g| g.is_same()).map(|g| g.kinds[0]).collect();
        let less = u32::from(self.open);

        let worthless_pair = pair < 31 && pair != seat && pair != round;
        let done = &groups[completed];
        let rank = done.kinds[0] % 9;
        let two_sided = done.is_run()
            && ((self.win == done.kinds[0] && rank != 6) || (self.win == done.kinds[2] && rank != 0));
        let pinfu_shape = !self.open && runs.len() == 4 && worthless_pair && two_sided;
        let pinfu = pinfu_shape && !(self.tsumo && self.rules.pinfu_tsumo_fu);
        add(pinfu, "Pinfu", 1);

        let mut twins = 0;
        let mut single = runs.clone();
        while let Some(run) = single.pop() {
            if let Some(twin) = single.iter().position(|&other| other == run) {
                single.remove(twin);
                twins += 1;
            }
        }
        add(!self.open && twins == 1, "Iipeiko", 1);
        add(!self.open && twins == 2, "Ryanpeikou", 3);
        add((0..3).any(|suit| [0, 3, 6].iter().all(|r| runs.contains(&(suit * 9 + r)))), "Ittsu", 2 - less);
        let thrice =
            |list: &[usize]| (0..9).any(|r| [r, 9 + r, 18 + r].iter().all(|kind| list.contains(kind)));
        add(thrice(&runs), "Sanshoku Doujun", 2 - less);
        add(thrice(&sames), "Sanshoku Doukou", 2);
        let outside = groups.iter().all(|group| group.kinds.iter().any(|&kind| orphan(kind)));
        let honors = self.kinds.iter().any(|&kind| honor(kind));
        add(outside && !runs.is_empty() && honors, "Chantai", 2 - less);
        add(outside && !runs.is_empty() && !honors, "Junchan", 3 - less);
        add(runs.is_empty(), "Toitoi", 2);

        for (kind, name) in [(31, "haku"), (32, "hatsu"), (33, "chun")] {
            add(sames.contains(&kind), &format!("Yakuhai ({name})"), 1);
        }
        add(sames.contains(&seat), &format!("Yakuhai (seat wind {})", self.case.seat_wind.name()), 1);
        add(sames.contains(&round), &format!("Yakuhai (round wind {})", self.case.round_wind.name()), 1);
        let dragons = sames.iter().filter(|&&kind| kind >= 31).count();
        add(dragons == 2 && pair >= 31, "Shou Sangen", 2);
        add(dragons == 3, "Daisangen", 13);
        let winds = sames.iter().filter(|kind| (27..31).contains(*kind)).count();
        add(winds == 3 && (27..31).contains(&pair), "Shousuushii", 13);
        add(winds == 4, "Dai Suushii", if self.rules.double_yakuman.daisuushii { 26 } else { 13 });
        let quads = groups.iter().filter(|group| group.is_quad()).count();
        add(quads == 3, "San Kantsu", 2);
        add(quads == 4, "Suu Kantsu", 13);
        let given = |index: usize| !self.tsumo && index == completed;
        let concealed = |(index, group): (usize, &Group)| group.is_same() && !group.called && !given(index);
        let concealed_sames = groups.iter().enumerate().filter(|&item| concealed(item)).count();
        add(concealed_sames == 3, "San Ankou", 2);
        let double = if self.rules.double_yakuman.suuankou_tanki { 26 } else { 13 };
        add(concealed_sames == 4 && done.is_pair(), "Suu Ankou Tanki", double);
        add(concealed_sames == 4 && !done.is_pair(), "Suu Ankou", 13);

        let fu = self.fu(groups, completed, pair, two_sided);
        self.worth(yaku, fu)
    }

    fn fu(&self, groups: &[Group], completed: usize, pair: usize, two_sided: bool) -> u32 {
        let (seat, round) = (27 + self.case.seat_wind as usize, 27 + self.case.round_wind as usize);
        let mut fu = 0;
        for (index, group) in groups.iter().enumerate().filter(|(_, group)| group.is_same()) {
            let open = group.called || (!self.tsumo && index == completed);
            fu += match (group.is_quad(), orphan(group.kinds[0]), open) {
                (false, false, true) => 2,
                (false, false, false) | (false, true, true) => 4,
                (false, true, false) | (true, false, true) => 8,
                (true, false, false) | (true, true, true) => 16,
                (true, true, false) => 32,
            };
        }
        fu += match pair {
            31.. => 2,
            _ if pair == seat && pair == round => u32::from(self.rules.double_wind_pair_fu),
            _ if pair == seat || pair == round => 2,
            _ => 0,
        };
        let done = &groups[completed];
        let one_kind_wait = done.is_pair() || (done.is_run() && !two_sided);
        fu += if one_kind_wait { 2 } else { 0 };
        let nothing = fu == 0;
        let by_kan = self.flag(Flags::RINSHAN) && !self.rules.rinshan_fu;
        if self.tsumo && !by_kan && (!nothing || self.rules.pinfu_tsumo_fu) {
            fu += 2;
        }
        if self.open && fu == 0 && self.rules.open_pinfu_fu {
            fu += 2;
        }
        fu += if self.tsumo || self.open { 20 } else { 30 };
        fu.div_ceil(10) * 10
    }

    /// From yaku and fu to points.
    fn worth(&self, mut yaku: Vec<(String, u32)>, fu: u32) -> Option<Worth> {
        let rules = self.rules;
        if self.flag(Flags::PAARENCHAN) && (!yaku.is_empty() || !rules.paarenchan_needs_yaku) {
            yaku.push(("Paarenchan".into(), 13));
        }
        let real_yakuman = yaku.iter().any(|(_, han)| *han >= 13);
        if real_yakuman {
            yaku.retain(|(_, han)| *han >= 13);
        } else if !yaku.is_empty() {
            let pointed = |indicators: &[Tile]| {
                let pairs = indicators.iter().flat_map(|i| self.kinds.iter().map(move |kind| (i, *kind)));
                pairs.filter(|(indicator, kind)| next(indicator.kind().index()) == *kind).count() as u32
            };
            let reds = self.all.iter().filter(|tile| [16, 52, 88].contains(&tile.id())).count() as u32;
            let bonus = [
                ("Dora", pointed(&self.case.dora)),
                ("Aka Dora", if rules.red_fives { reds } else { 0 }),
                ("Ura Dora", if rules.ura_dora { pointed(&self.case.ura) } else { 0 }),
            ];
            yaku.extend(
                bonus.into_iter().filter(|(_, han)| *han > 0).map(|(name, han)| (name.to_owned(), han)),
            );
        }
        let mut han: u32 = yaku.iter().map(|(_, han)| han).sum();
        if han == 0 {
            return None;
        }
        let most = u32::from(rules.yakuman_max);
        if real_yakuman {
            han = han.min(13 * most);
        }
        let base = match han {
            _ if real_yakuman => 8000 * (han / 13),
            13.. => match rules.kazoe {
                Kazoe::Yakuman => 8000,
                Kazoe::Sanbaiman => 6000,
                Kazoe::Unlimited => 8000 * (han / 13).min(most),
            },
            11..=12 => 6000,
            8..=10 => 4000,
            6..=7 => 3000,
            5 => 2000,
            4 if fu == 30 && rules.kiriage_mangan => 2000,
            3 if fu == 60 && rules.kiriage_mangan => 2000,
            _ => (fu * (1 << (2 + han))).min(2000),
        };
        yaku.sort();
        Some(Worth { base, real_yakuman, han, fu, yaku })
    }
}

/// The kind after an indicator.
fn next(kind: usize) -> usize {
    match kind {
        8 | 17 | 26 => kind - 8,
        30 => 27,
        33 => 31,
        _ => kind + 1,
    }
}
