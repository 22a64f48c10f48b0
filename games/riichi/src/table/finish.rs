//! The end of a round, what it costs, which round follows, and the end of the game.

use arrayvec::ArrayVec;

use super::SEATS_MAX;
use super::event::Event;
use super::result::{DrawKind, GameEnd, RoundResult, WinResult};
use super::settings::{Enchousen, HonbaMulti, LeftoverRiichiBets, Nagashi, TieBreak};
use super::state::{Phase, SeatSet, Standing, Surroundings, Table, TurnAfter};
use super::window::Window;
use crate::pay::{Parties, Price, Seat, Stakes, noten, settle};
use crate::score::Score;
use crate::tile::Tile;
use crate::win::Win;

/// What lets a dealer stay, or does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stay {
    renchan: bool,
    /// A draw, which adds a honba in any case.
    draw: bool,
    /// By a win or by tenpai: what may end the game in its last hand.
    by_win: bool,
    by_tenpai: bool,
}

impl Table {
    pub(super) fn end_by_tsumo(&mut self, seat: Seat, after: TurnAfter, out: &mut Surroundings<'_>) {
        let Some(tile) = self.player(seat).drawn else { return };
        let ura = self.ura_for(seat);
        let Some((win, score)) = self.tsumo_score_with(seat, tile, after, &ura) else { return };
        let win = self.win_result(seat, None, tile, (&win, &score), &ura, true);
        self.end_by_wins(vec![win], out);
    }

    pub(super) fn end_by_ron(&mut self, winners: &[Seat], window: &Window, out: &mut Surroundings<'_>) {
        let mut wins = Vec::new();
        for (place, &seat) in winners.iter().enumerate() {
            let ura = self.ura_for(seat);
            let Some((win, score)) = self.ron_score(seat, window.tile, window.kind, &ura) else { continue };
            let first = place == 0;
            wins.push(self.win_result(seat, Some(window.from), window.tile, (&win, &score), &ura, first));
        }
        self.end_by_wins(wins, out);
    }

    /// The ura indicators that a winner turns.
    fn ura_for(&self, seat: Seat) -> ArrayVec<Tile, 5> {
        let settings = &self.settings;
        if !settings.ura_dora || !self.player(seat).in_riichi() {
            return ArrayVec::new();
        }
        let count = if settings.kan_ura_dora { self.round.dora } else { 1 };
        self.round.wall.ura(count).iter().copied().collect()
    }

    fn win_result(
        &self,
        who: Seat,
        from: Option<Seat>,
        tile: Tile,
        (win, score): (&Win, &Score),
        ura: &[Tile],
        first: bool,
    ) -> WinResult {
        let rules = self.settings.rules();
        let player = self.player(who);
        let sticks = if first { self.standing.sticks } else { 0 };
        let all = self.settings.honba_multi == HonbaMulti::All;
        let honba = if first || all { self.standing.honba } else { 0 };
        let liable = player.liable.filter(|(_, yaku)| score.yaku.contains(*yaku));
        let parties = Parties { winner: who, dealer: self.dealer(), discarder: from, liable };
        let settlement = settle(score, &parties, Stakes { honba, sticks }, &rules);
        let deltas = settlement.map_or([0; SEATS_MAX], |settlement| settlement.deltas());
        let price = Price::of(score.base, win.is_dealer(), win.is_tsumo());
        let mut hand = player.tiles();
        hand.insert(tile);
        WinResult {
            who,
            from,
            tile,
            hand: hand.iter().collect(),
            melds: player.melds.to_vec(),
            yaku: score.yaku.iter().map(|yaku| (yaku, rules.han(yaku, win.is_open()))).collect(),
            dora: score.dora,
            reds: score.reds,
            ura: score.ura,
            han: score.han,
            fu: score.fu,
            limit: score.limit,
            points: price.total(),
            cost: price.parts(),
            dora_indicators: self.counted_dora().to_vec(),
            ura_indicators: ura.to_vec(),
            honba,
            sticks,
            liable: liable.map(|(seat, _)| seat),
            deltas,
        }
    }

    fn end_by_wins(&mut self, wins: Vec<WinResult>, out: &mut Surroundings<'_>) {
        let dealer = self.dealer();
        let dealer_won = wins.iter().any(|win| win.who == dealer);
        self.standing.sticks = 0;
        let renchan = dealer_won && self.settings.renchan_on_win;
        let stay = Stay { renchan, draw: false, by_win: dealer_won, by_tenpai: false };
        self.standing.dealer_wins = if dealer_won { self.standing.dealer_wins.saturating_add(1) } else { 0 };
        self.end_round(RoundResult::Wins(wins), stay, out);
    }

    /// A round that is broken off; nothing is paid.
    pub(super) fn end_by_draw(
        &mut self,
        kind: DrawKind,
        by: Option<Seat>,
        shown: &[Seat],
        out: &mut Surroundings<'_>,
    ) {
        let show = |&seat: &Seat| (seat, self.player(seat).tiles().iter().collect());
        let shown = shown.iter().map(show).collect();
        let stay =
            Stay { renchan: self.settings.renchan_on_abort, draw: true, by_win: false, by_tenpai: false };
        self.standing.dealer_wins = 0;
        let result = RoundResult::Draw { kind, by, shown, nagashi: Vec::new(), deltas: [0; SEATS_MAX] };
        self.end_round(result, stay, out);
    }

    /// The wall is used up.
    pub(super) fn end_exhausted(&mut self, out: &mut Surroundings<'_>) {
        let mut tenpai = [false; SEATS_MAX];
        for seat in self.all_seats() {
            tenpai[seat.index()] = self.player(seat).is_tenpai();
        }
        let nagashi: Vec<Seat> = match self.settings.nagashi {
            Nagashi::Off => Vec::new(),
            Nagashi::Draw | Nagashi::Win => {
                self.all_seats().filter(|&seat| self.player(seat).nagashi).collect()
            }
        };
        let as_win = self.settings.nagashi == Nagashi::Win && !nagashi.is_empty();
        let dealer = self.dealer();
        let dealer_tenpai = tenpai[dealer.index()];
        let (kind, deltas) = if nagashi.is_empty() {
            (DrawKind::Exhaustive, noten(tenpai, self.settings.noten_pool))
        } else {
            (DrawKind::NagashiMangan, self.nagashi_deltas(&nagashi, as_win))
        };
        let stay = if as_win {
            self.standing.sticks = 0;
            let dealer_won = nagashi.contains(&dealer);
            let renchan = dealer_won && self.settings.renchan_on_win;
            Stay { renchan, draw: false, by_win: dealer_won, by_tenpai: false }
        } else {
            let renchan = dealer_tenpai && self.settings.renchan_on_tenpai;
            Stay { renchan, draw: true, by_win: false, by_tenpai: dealer_tenpai }
        };
        self.standing.dealer_wins = 0;
        let show = |seat: Seat| (seat, self.player(seat).tiles().iter().collect());
        let shown = self.all_seats().filter(|seat| tenpai[seat.index()]).map(show).collect();
        self.end_round(RoundResult::Draw { kind, by: None, shown, nagashi, deltas }, stay, out);
    }

    /// Each river is paid like a self-drawn mangan; as a win also honba, and the first in turn order takes the sticks.
    fn nagashi_deltas(&self, winners: &[Seat], as_win: bool) -> [i32; SEATS_MAX] {
        let dealer = self.dealer();
        let [by_dealer, by_others] = self.settings.nagashi_points;
        let honba =
            if as_win { i32::from(self.standing.honba) * i32::from(self.settings.honba_points) } else { 0 };
        let mut deltas = [0; SEATS_MAX];
        for &winner in winners {
            for payer in self.others(winner) {
                let points = if winner == dealer || payer == dealer { by_dealer } else { by_others };
                deltas[payer.index()] -= points + honba;
                deltas[winner.index()] += points + honba;
            }
        }
        let first = winners.iter().min_by_key(|seat| dealer.steps_to(**seat, self.seats));
        if let (true, Some(first)) = (as_win, first) {
            deltas[first.index()] += i32::from(self.standing.sticks) * i32::from(self.settings.riichi_cost);
        }
        deltas
    }

    fn end_round(&mut self, result: RoundResult, stay: Stay, out: &mut Surroundings<'_>) {
        // What a nagashi that counts as a win takes from the table is in its deltas already.
        let deltas = result.deltas();
        self.standing.scores.iter_mut().zip(deltas).for_each(|(score, delta)| *score += delta);
        let result = Box::new(result);
        out.tell(Event::RoundEnd { result: result.clone(), scores: self.standing.scores });
        if self.game_is_over(stay) {
            let end = self.final_standing();
            self.standing.scores = end.scores;
            self.standing.sticks = 0;
            out.tell(Event::GameEnd { end });
            self.phase = Phase::Over { result, end };
            return;
        }
        let next = Standing {
            kyoku: self.standing.kyoku + u8::from(!stay.renchan),
            honba: if stay.renchan || stay.draw { self.standing.honba + 1 } else { 0 },
            dealer_wins: if stay.renchan { self.standing.dealer_wins } else { 0 },
            ..self.standing
        };
        self.phase = Phase::RoundEnd { result, next, waiting: SeatSet::all(self.seats) };
    }

    fn game_is_over(&self, stay: Stay) -> bool {
        let Standing { scores, kyoku, .. } = self.standing;
        let scores = &scores[..usize::from(self.seats)];
        let settings = &self.settings;
        if settings.tobi && scores.iter().any(|&score| score < settings.tobi_threshold) {
            return true;
        }
        let last = settings.last_kyoku(self.seats);
        if kyoku < last {
            return false;
        }
        let reached = scores.iter().any(|&score| score >= settings.winning_threshold);
        if !stay.renchan {
            let overtime_is_over = kyoku >= last + self.seats;
            return settings.enchousen == Enchousen::None || reached || overtime_is_over;
        }
        let dealer = self.dealer();
        let ends_it = (stay.by_win && settings.agari_yame) || (stay.by_tenpai && settings.tenpai_yame);
        let dealer_leads = scores[dealer.index()] >= settings.winning_threshold && self.order()[0] == dealer;
        (ends_it && dealer_leads) || (kyoku > last && settings.sudden_death_over_renchan && reached)
    }

    /// The seats from first to last place; of equals the one nearer to the first dealer is ahead.
    fn order(&self) -> ArrayVec<Seat, SEATS_MAX> {
        let mut order: ArrayVec<Seat, SEATS_MAX> = self.all_seats().collect();
        let Standing { scores, first_dealer, .. } = self.standing;
        order.sort_by_key(|seat| (-scores[seat.index()], first_dealer.steps_to(*seat, self.seats)));
        order
    }

    fn final_standing(&self) -> GameEnd {
        let settings = &self.settings;
        let order = self.order();
        let mut scores = self.standing.scores;
        if settings.leftover_riichi_bets == LeftoverRiichiBets::Winner {
            let sticks = i32::from(self.standing.sticks) * i32::from(settings.riichi_cost);
            scores[order[0].index()] += sticks;
        }
        let mut end = GameEnd { scores, places: [0; SEATS_MAX], points: [0; SEATS_MAX] };
        for (place, seat) in order.iter().enumerate() {
            let score = self.standing.scores[seat.index()];
            let tied = |other: &&Seat| self.standing.scores[other.index()] == score;
            let (first, count) = match settings.tie_break {
                TieBreak::Seat => (place, 1),
                TieBreak::Share => {
                    let first = order.iter().position(|other| tied(&other)).unwrap_or(place);
                    (first, order.iter().filter(tied).count())
                }
            };
            let uma: i32 = settings.uma[first..first + count].iter().sum();
            end.places[seat.index()] = first as u8 + 1;
            end.points[seat.index()] = self.counted(scores[seat.index()]) + uma * 10 / count as i32;
        }
        // Rounding and oka fall to the first place.
        let others: i32 = order[1..].iter().map(|seat| end.points[seat.index()]).sum();
        if settings.round_points || settings.target_points != settings.start_points {
            end.points[order[0].index()] = -others;
        }
        end
    }

    /// The points above or below the target, in tenths of a thousand.
    fn counted(&self, score: i32) -> i32 {
        let over = score - self.settings.target_points;
        if !self.settings.round_points {
            return over / 100;
        }
        // What is rounded is the distance from the target, on either side of it.
        let distance = over.abs();
        let thousands = distance / 1000 + i32::from(distance % 1000 > self.settings.goshashonyu);
        thousands * 10 * over.signum()
    }

    pub(super) fn confirm(&mut self, seat: Seat, out: &mut Surroundings<'_>) {
        let Phase::RoundEnd { waiting, next, .. } = &mut self.phase else { return };
        waiting.remove(seat);
        if waiting.is_empty() {
            self.standing = *next;
            self.start_round(out);
        }
    }
}
