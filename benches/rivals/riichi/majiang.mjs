// Plays random rounds of ours again with @kobalab/majiang-core and compares winners and scores.
//
//   node majiang.mjs ROUNDS.jsonl      prints each difference and a summary; exit code 1 if a difference is not known
//
// Only what the engine says to its players and what they reply is used; each player replies with what the line says was
// done, and passes otherwise. README.md lists the known differences.
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

import Majiang from '@kobalab/majiang-core';

const RED = new Set([16, 52, 88]);

/** The engine's switches for settings of ours. */
function ruleOf(settings) {
  const s = settings;
  return Majiang.rule({
    赤牌: s.red_fives ? { m: 1, p: 1, s: 1 } : { m: 0, p: 0, s: 0 },
    クイタンあり: s.open_tanyao,
    喰い替え許可レベル: s.suji_kuikae_forbidden ? 0 : s.kuikae_forbidden ? 1 : 2,
    途中流局あり: s.abort_nine_kinds,
    流し満貫あり: s.nagashi !== 'off',
    ノーテン宣言あり: false,
    ノーテン罰あり: s.noten_pool > 0,
    最大同時和了数: { head_bump: 1, double: 2, triple: 3 }[s.multi_ron],
    一発あり: s.ippatsu,
    裏ドラあり: s.ura_dora,
    カンドラあり: s.kan_dora,
    カン裏あり: s.kan_ura_dora,
    カンドラ後乗せ: s.open_kan_dora !== 'immediate',
    ツモ番なしリーチあり: s.min_wall_for_riichi === 0,
    リーチ後暗槓許可レベル: { never: 0, same_readings: 1, same_waits: 2 }[s.riichi_kan],
    ダブル役満あり: s.double_daisuushii,
    役満の複合あり: s.yakuman_max > 1,
    数え役満あり: s.kazoe === 'yakuman',
    役満パオあり: s.pao_daisangen,
    切り上げ満貫あり: s.kiriage_mangan,
  });
}

function nameOf(tile, reds) {
  const kind = Math.floor(tile / 4);
  const suit = 'mpsz'[Math.floor(kind / 9)];
  return suit + (reds && RED.has(tile) ? 0 : (kind % 9) + 1);
}

/** A wall that is drawn in our order: thirteen tiles for each seat from the dealer on, then the draws. */
function shanOf(round, rule, name) {
  const live = round.wall.live;
  const dealt = [0, 1, 2, 3].flatMap((steps) =>
    [...Array(13).keys()].map((n) => live[n < 12 ? Math.floor(n / 4) * 16 + steps * 4 + (n % 4) : 48 + steps]),
  );
  const draws = [...dealt, ...live.slice(52)].map(name);
  const shan = new Majiang.Shan(rule);
  shan._pai = [...[...round.wall.rinshan, ...round.wall.dora, ...round.wall.ura].map(name), ...draws.reverse()];
  shan._baopai = [shan._pai[4]];
  shan._fubaopai = rule['裏ドラあり'] ? [shan._pai[9]] : null;
  return shan;
}

const plain = (text) => text.replace(/0/g, '5');
const sorted = (text) => [...text.replace(/[^\d]/g, '')].sort().join('');

/** One round with four players who do what the line says. */
class Replay {
  constructor(round) {
    this.round = round;
    this.reds = round.all_settings.red_fives;
    this.name = (tile) => nameOf(tile, this.reds);
    this.at = 0;
    this.disagrees = [];
    this.wins = [];
    this.draw = null;
    const rule = ruleOf(round.all_settings);
    const players = [0, 1, 2, 3].map((id) => ({ action: (message, reply) => this.hear(id, message, reply) }));
    this.game = new Majiang.Game(players, null, rule);
    this.game._sync = true;
    this.game.last = () => {
      this.game._status = 'over';
    };
    this.game.kaiju(0);
    Object.assign(this.game.model, {
      zhuangfeng: Math.floor(round.kyoku / 4),
      jushu: round.kyoku % 4,
      changbang: round.honba,
      lizhibang: round.sticks,
      defen: [...round.scores],
    });
    this.game.qipai(shanOf(round, rule, this.name));
    const next = { gangzimo: 'zimo' };
    for (let steps = 0; this.game._status !== 'over' && !this.disagrees.length; steps++) {
      if (steps > 500) throw new Error('it does not end');
      this.game[`reply_${next[this.game._status] ?? this.game._status}`]();
    }
  }

  get deed() {
    return this.round.deeds[this.at] ?? { do: 'nothing', seat: null };
  }

  /** What a player replies; the one who is told first, the dealer, also notes what happened. */
  hear(id, message, reply) {
    if (id === this.game?.model.player_id[0]) this.note(message);
    reply?.(this.reply(id, message));
  }

  note(message) {
    const seat = (l) => this.game.model.player_id[l];
    const expect = (right, what) => {
      if (!right) this.disagrees.push(`${what} where ours is ${JSON.stringify(this.deed)}`);
      this.at++;
    };
    if (message.dapai) {
      const { l, p } = message.dapai;
      const own = ['discard', 'riichi'].includes(this.deed.do) && this.deed.seat === seat(l);
      const same =
        own && p.slice(0, 2) === this.name(this.deed.tile) && p.endsWith('*') === (this.deed.do === 'riichi');
      expect(same, `seat ${seat(l)} discards ${p}`);
    } else if (message.fulou) {
      const { l, m } = message.fulou;
      expect(
        ['chi', 'pon', 'daiminkan'].includes(this.deed.do) && this.deed.seat === seat(l),
        `seat ${seat(l)} calls ${m}`,
      );
    } else if (message.gang) {
      const { l, m } = message.gang;
      expect(['ankan', 'kakan'].includes(this.deed.do) && this.deed.seat === seat(l), `seat ${seat(l)} makes ${m}`);
    } else if (message.hule) {
      const { l, fu, fanshu, damanguan, defen, hupai, fenpei } = message.hule;
      this.wins.push({
        who: seat(l),
        fu,
        han: fanshu,
        yakuman: damanguan,
        points: defen,
        yaku: hupai.map((y) => `${y.name} ${y.fanshu}`),
        fenpei,
      });
    } else if (message.pingju) {
      this.draw = message.pingju.name;
    }
  }

  reply(id, message) {
    const { deed, game } = this;
    const rons = this.round.deeds.slice(this.at).filter((each) => each.do === 'ron');
    if (message.dapai || message.gang) {
      // The note above has gone past the discard: what comes next is the answer to it.
      if (deed.do === 'ron' && rons.some((each) => each.seat === id)) return { hule: '-' };
      if (message.dapai && deed.seat === id && ['chi', 'pon', 'daiminkan'].includes(deed.do))
        return { fulou: this.call(id, deed) };
      return {};
    }
    // After an open kan a tile is drawn first.
    if (message.fulou && /^[mpsz]\d{4}/.test(message.fulou.m)) return {};
    const own = message.zimo ?? message.gangzimo ?? message.fulou;
    if (!own || game.model.player_id[own.l] !== id || deed.seat !== id) return {};
    switch (deed.do) {
      case 'tsumo':
        return { hule: '-' };
      case 'nine':
        return { daopai: '-' };
      case 'ankan':
      case 'kakan':
        return { gang: this.kan(deed) };
      case 'discard':
      case 'riichi':
        return { dapai: this.name(deed.tile) + (deed.tsumogiri ? '_' : '') + (deed.do === 'riichi' ? '*' : '') };
      default:
        return {};
    }
  }

  /** The engine's own way to write a call that uses these tiles. */
  call(id, deed) {
    const l = this.game.model.player_id.indexOf(id);
    const ways = { chi: 'get_chi_mianzi', pon: 'get_peng_mianzi', daiminkan: 'get_gang_mianzi' };
    const tiles = sorted(deed.tiles.map(this.name).join(''));
    const found = (this.game[ways[deed.do]](l) ?? []).find((way) => sorted(way) === tiles);
    if (!found) this.disagrees.push(`no ${deed.do} is offered for ${JSON.stringify(deed)}`);
    return found ?? '-';
  }

  kan(deed) {
    const kind = plain(this.name(deed.tiles[0]));
    const closed = deed.do === 'ankan';
    const ways = this.game.get_gang_mianzi() ?? [];
    const found = ways.find((way) => plain(way).startsWith(kind) && /^[mpsz]\d{4}$/.test(way) === closed);
    if (!found) this.disagrees.push(`no ${deed.do} is offered for ${JSON.stringify(deed)}`);
    return found ?? '-';
  }
}

/** Whether a hand and its melds hold all four of every tile that would complete it. */
function allOwn(hand) {
  const held = (tile) => {
    let [count, suit] = [0, ''];
    for (const mark of plain(hand.toString())) {
      if (/[mpsz]/.test(mark)) suit = mark;
      else if (/\d/.test(mark) && suit + mark === tile) count++;
    }
    return count;
  };
  const waits = Majiang.Util.tingpai(hand) ?? [];
  return waits.length > 0 && waits.every((tile) => held(tile) === 4);
}

/** Differences that are judged: README.md says by what. */
const KNOWN = [
  {
    name: 'tenpai on tiles that are all in the own melds',
    is: ({ round, replay }) => {
      if (round.result.draw !== 'exhaustive' || replay.wins.length || replay.disagrees?.length) return false;
      const { shoupai, player_id } = replay.game.model;
      const theirs = shoupai
        .map((hand, l) => [player_id[l], hand])
        .filter(([, hand]) => Majiang.Util.xiangting(hand) === 0);
      const more = theirs.filter(([id]) => !round.result.shown.includes(id));
      return more.length > 0 && more.every(([, hand]) => allOwn(hand));
    },
  },
  {
    name: 'honba of a self-drawn hand of which one yakuman was fed',
    is: ({ round, replay }) => {
      const [win] = round.result.wins ?? [];
      if (!win || win.from !== null || win.liable === null || replay.disagrees?.length) return false;
      const more = replay.game.model.defen.map((score, seat) => score - round.end_scores[seat]);
      const due = (seat) => (seat === win.who ? 0 : seat === win.liable ? 200 : -100) * round.honba;
      return more.every((points, seat) => points === due(seat));
    },
  },
  {
    name: 'three rons on a robbed kan',
    is: ({ round }) => round.result.draw === 'triple_ron' && ['kakan', 'ankan'].includes(round.deeds.at(-4)?.do),
  },
];

function compare(round) {
  const replay = new Replay(round);
  if (replay.disagrees.length) return { round, replay, what: replay.disagrees[0] };
  const ours = (round.result.wins ?? []).map((win) => win.who);
  const theirs = replay.wins.map((win) => win.who);
  const scores = replay.game.model.defen;
  if (String(ours) !== String(theirs)) return { round, replay, what: `winners ${theirs}, ours ${ours}` };
  if (String(scores) !== String(round.end_scores))
    return { round, replay, what: `scores ${scores}, ours ${round.end_scores}` };
  return null;
}

const counts = { rounds: 0, same: 0, wins: 0, draws: {}, known: {}, unknown: 0 };
for await (const line of createInterface({ input: createReadStream(process.argv[2]) })) {
  const round = JSON.parse(line);
  counts.rounds++;
  counts.wins += round.result.wins?.length ?? 0;
  if (round.result.draw) counts.draws[round.result.draw] = (counts.draws[round.result.draw] ?? 0) + 1;
  let difference;
  try {
    difference = compare(round);
  } catch (error) {
    difference = { round, replay: { wins: [] }, what: String(error.stack) };
  }
  if (!difference) {
    counts.same++;
    continue;
  }
  const known = KNOWN.find((each) => each.is(difference));
  if (known) {
    counts.known[known.name] = (counts.known[known.name] ?? 0) + 1;
    continue;
  }
  counts.unknown++;
  const { settings, result } = round;
  console.log(
    JSON.stringify({
      id: round.id,
      what: difference.what,
      settings,
      ours: result,
      theirs: difference.replay.wins,
      draw: difference.replay.draw,
    }),
  );
}
console.log(JSON.stringify(counts));
process.exitCode = counts.unknown ? 1 : 0;
