import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Prompt } from '@parlor/client';
import { describe, expect, it } from 'vitest';
import { joined } from '../../src/lib/log.ts';
import { around } from '../../src/lib/model.ts';
import { drawn, spoken } from '../../src/lib/ruleset/cards.ts';
import { movesSince } from '../../src/lib/ruleset/moves.ts';
import { isPassUntil, open, sourceOf, steps, takes, waysOf } from '../../src/lib/ruleset/offers.ts';
import { passedBy } from '../../src/lib/ruleset/passing.ts';
import { type Sheet, inLanguage, keepSheet, labelOf, say } from '../../src/lib/ruleset/sheet.ts';
import { laid, refOf } from '../../src/lib/ruleset/table.ts';
import type { View as RulesetView } from '../../src/lib/ruleset/types.ts';
import { tell } from '../../src/lib/tell.ts';

interface File {
  game: string;
  sheet: Sheet;
  state: { seat: number; view: RulesetView; requests: Prompt[] };
}
const fixture = (name: string): File =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../fixtures/${name}.json`), 'utf8')) as File;
const name = (seat: number): string => `P${seat}`;
const lay = ({ sheet, state }: File) =>
  laid(sheet, state.view, around(state.view.players.length, state.seat), undefined, name);

describe('a card of a ruleset', () => {
  const { sheet } = fixture('skirmish-respond');

  it('shows what is printed on it, and where rules have moved it', () => {
    const bear = drawn(sheet, {
      id: 'c1',
      card: 'bear',
      power: 3,
      toughness: 3,
      damage: 0,
      tapped: false,
      sick: false,
    });
    expect(bear).toMatchObject({
      ref: 'c1',
      title: 'Bear',
      cost: '2',
      type: 'Creature',
      stats: '3/3',
      moved: 'up',
      flags: [],
      turned: false,
    });
    expect(drawn(sheet, { id: 'c1', card: 'bear', power: 1, toughness: 2 })).toMatchObject({
      stats: '1/2',
      moved: 'down',
    });
    expect(drawn(sheet, { id: 'c2', card: 'bolt', power: 0, toughness: 0 })).toMatchObject({
      stats: '',
      type: 'Spell · Instant',
    });
  });

  it('says its state in words: turned, new, damaged, with counters and keywords', () => {
    const card = drawn(sheet, {
      id: 'c1',
      card: 'duelist',
      tapped: true,
      sick: true,
      damage: 2,
      counters: { shield: 2 },
      keywords: ['haste'],
    });
    expect(card.turned).toBe(true);
    expect(card.flags).toEqual(['Damage 2', 'Tapped', 'New', '2 shield', 'Haste']);
    expect(spoken(card)).toContain('Duelist, 3, Creature');
  });

  it('that is not known is a back, and nothing of it can be read', () => {
    for (const seen of [null, undefined, { id: 'c1', faceDown: true }])
      expect(drawn(sheet, seen)).toMatchObject({ hidden: true, title: '', ref: '', text: '' });
  });

  it('of a common deck is drawn as a playing card', () => {
    const hearts = fixture('hearts-rules-trick').sheet;
    expect(drawn(hearts, { id: 'c9', card: 'Q-spades' }).face).toEqual({ rank: 'Q', suit: 's' });
  });
});

describe('a table of a ruleset', () => {
  it('is laid out by the roles of its zones and by who owns them', () => {
    const table = lay(fixture('skirmish-respond'));
    expect(table.players.map((player) => player.seat)).toEqual([0, 1]);
    expect(table.players[0].rows.map((place) => place.def.id)).toEqual(['battlefield']);
    expect(table.players[1].counts.map((place) => place.def.id)).toEqual(['hand', 'deck', 'graveyard']);
    expect(table.shared, 'what waits on the stack is drawn there').toEqual([]);
    expect(table.stacks).toBe(true);
    expect(table.players[0].facts.map((fact) => `${fact.value} ${fact.label}`)).toContain('5/5 mana');
  });

  it('has hands of others face down, as many as there are', () => {
    const [, other] = lay(fixture('skirmish-respond')).players;
    expect(other.hands[0].cards.length).toBe(other.hands[0].count);
    expect(other.hands[0].cards.every((card) => card.hidden)).toBe(true);
  });

  it('shows the stack with what resolves next first, its targets and its cause', () => {
    const { stack } = lay(fixture('skirmish-stack'));
    expect(stack.map((item) => item.title)).toEqual(['Bolt', 'Attack']);
    expect(stack[0]).toMatchObject({ by: 0, cause: 'Attack' });
    expect(stack[0].targets).toHaveLength(1);
    expect(stack[0].targets[0]).not.toBe(stack[0].source);
  });

  it('says who put a card into a zone of the game', () => {
    const trick = lay(fixture('hearts-rules-trick')).shared.find((place) => place.def.id === 'trick')!;
    expect(trick.cards.map((card) => card.by)).not.toContain(undefined);
  });

  it('names things as the server does', () => {
    expect([refOf({ seat: 1 }), refOf({ id: 'c4', card: 'x' }), refOf('s3'), refOf(null)]).toEqual([
      'p1',
      'c4',
      's3',
      '',
    ]);
    expect([
      labelOf({ id: 'maxMana' }),
      labelOf({ id: 'x', label: 'Points' }),
      labelOf(undefined, 'play_creature'),
    ]).toEqual(['Max mana', 'Points', 'Play creature']);
  });
});

describe('what can be done', () => {
  const { state } = fixture('skirmish-respond');
  const request = state.requests.find((each) => each.kind === 'request')!;
  const ways = waysOf(request);

  it('starts from the things on the table; whatever cannot be had has its reason', () => {
    const hand = state.view.players[0].zones.hand.cards!;
    const of = (card: string) => ways.of.get(hand.find((each) => each!.card === card)!.id);
    expect(open(of('bolt'))).toHaveLength(1);
    expect(open(of('firestorm'))).toHaveLength(0);
    expect(of('firestorm')![0].why?.code).toBe('needs');
    expect(ways.pass?.label).toBe('Pass');
    expect(ways.loose).toEqual([]);
  });

  it('a pass says where it leads, where the rules say so', () => {
    expect(ways.pass?.leads).toBeUndefined();
    const [pass, ...rest] = request.choices!;
    const leads = { to: 'step', title: 'combat' } as const;
    expect(waysOf({ ...request, choices: [{ ...pass, meta: { leads } }, ...rest] }).pass?.leads).toEqual(leads);
  });

  it('goes on to targets, with a way back and the card it comes from', () => {
    const target = fixture('skirmish-target').state.requests.find((each) => each.kind === 'request')!;
    const next = waysOf(target);
    expect(next.cancel).toBeDefined();
    expect([...next.of.keys()]).toEqual(expect.arrayContaining(['p0', 'p1']));
    expect(sourceOf(target)).toMatch(/^c\d+$/);
  });

  it('a path picks every choice on its way', () => {
    expect(steps('2.0')).toEqual(['2', '2.0']);
  });

  it('the offer to pass by itself is no question', () => {
    expect(state.requests.filter(isPassUntil)).toHaveLength(1);
  });
});

describe('the button that answers with one card', () => {
  it('says what the question says', () => {
    expect(takes('Play a card', '5♠')).toBe('Play 5♠');
    expect(takes('Discard a card', '$& of it')).toBe('Discard $& of it');
    expect(takes('Stop which item?', 'Bolt')).toBe('Choose Bolt');
  });
});

describe('a ruleset in another language', () => {
  const words = (game: string) =>
    (JSON.parse(readFileSync(join(import.meta.dirname, `../../../rulesets/${game}.json`), 'utf8')) as Sheet).words!;
  const file = fixture('skirmish-respond');
  const sheet: Sheet = { ...file.sheet, words: words('skirmish') };
  const ja = inLanguage(sheet, 'ja');

  it('says its labels, names, titles and texts in it, and the rest as its author does', () => {
    expect(inLanguage(sheet, 'fr')).toBe(sheet);
    expect(ja).toBe(inLanguage(sheet, 'ja'));
    const table = lay({ ...file, sheet: ja });
    expect(table.players[0].rows[0].label).toBe('戦場');
    expect(table.players[0].facts.map((fact) => fact.label)).toContain('マナ');
    expect(table.stack[0]).toMatchObject({ title: '攻撃', targetNames: ['熊'] });
    expect(drawn(ja, { id: 'c2', card: 'bolt' })).toMatchObject({
      title: '稲妻',
      type: '呪文 · 即時',
      text: 'カードかプレイヤーに 3 点。',
    });
    expect(
      drawn(ja, { id: 'c1', card: 'duelist', tapped: true, counters: { shield: 2 }, keywords: ['haste'] }).flags,
    ).toEqual(['タップ', '2 シールド', '速攻']);
    expect(say(ja, '3 damage to what?')).toBe('3 点をどこに与えますか');
    expect(say(ja, 'not a word of it')).toBe('not a word of it');
    expect(labelOf(undefined, 'heal', ja)).toBe('回復');
  });

  it('leaves nothing in English that its author has words for', () => {
    for (const [game, name] of [
      ['skirmish', 'skirmish-respond'],
      ['orcain', 'orcain'],
      ['hearts', 'hearts-rules-trick'],
    ] as const) {
      for (const lang of ['ja', 'ru']) {
        const said = inLanguage({ ...fixture(name).sheet, words: words(game) }, lang);
        const shown = [
          said.name,
          ...said.zones,
          ...said.keywords,
          ...said.counters,
          ...said.actions,
          ...said.phases,
          ...Object.values(said.cards).map((card) => card.title),
        ].map((each) => (typeof each === 'string' ? each : labelOf(each)));
        const english = shown.filter((text) => /^[A-Za-z][a-z]/.test(text));
        expect(english, `${game} in ${lang}`).toEqual([]);
      }
    }
  });
});

describe('moves that were told', () => {
  const moved = (v: number, id: string | null, from: string, to: string, status = 'applied') => ({
    v,
    event: {
      type: 'ZoneMoved',
      status,
      payload: { card: id ? { id, card: 'bear' } : null, from, fromSeat: 0, to, toSeat: null },
    },
  });

  it('go from where a card was first to where it came last, and only what is new counts', () => {
    const events = [
      moved(3, 'c1', 'hand', 'casting'),
      moved(4, 'c2', 'hand', 'casting'),
      moved(4, 'c2', 'casting', 'graveyard'),
      moved(4, 'c3', 'hand', 'casting', 'pending'),
    ];
    expect(movesSince(events, 3, (card) => card.toUpperCase())).toEqual([
      { card: 'c2', title: 'BEAR', from: { zone: 'hand', seat: 0 }, to: { zone: 'graveyard', seat: undefined } },
    ]);
  });

  it('are one each for cards that nobody names', () => {
    expect(
      movesSince([moved(1, null, 'deck', 'hand'), moved(1, null, 'deck', 'hand')], 0, String).map((move) => move.card),
    ).toEqual(['', '']);
  });
});

describe('what comes to a zone and leaves it in the same moment', () => {
  type Spot = readonly [zone: string, seat: number | null];
  const moved = (v: number, id: string, [from, fromSeat]: Spot, [to, toSeat]: Spot) => ({
    v,
    event: {
      type: 'ZoneMoved',
      status: 'applied',
      payload: { card: { id, card: `card-${id}` }, from, fromSeat, to, toSeat },
    },
  });
  const [trick, pile]: [Spot, Spot] = [
    ['trick', null],
    ['taken', null],
  ];
  const played = (v: number, id: string, seat: number) => moved(v, id, ['hand', seat], trick);
  const whole = [
    played(1, 'c1', 2),
    played(2, 'c2', 0),
    played(3, 'c3', 1),
    ...['c1', 'c2', 'c3'].map((id) => moved(3, id, trick, pile)),
  ];

  it('lay there with all that left with it, and each has who laid it', () => {
    const passed = passedBy(whole, (card) => card.toUpperCase())!;
    expect(passed.v).toBe(3);
    expect(passed.zones.get('trick')).toEqual([
      { id: 'c1', card: 'card-c1', by: 2 },
      { id: 'c2', card: 'card-c2', by: 0 },
      { id: 'c3', card: 'card-c3', by: 1 },
    ]);
    expect(passed.moves).toContainEqual({
      card: 'c3',
      title: 'CARD-C3',
      from: { zone: 'trick', seat: undefined },
      to: { zone: 'taken', seat: undefined },
    });
    expect([...passed.since]).toEqual([]);
  });

  it('stays known while more is told, and what comes later is known apart', () => {
    const passed = passedBy([...whole, played(4, 'c4', 1)], String)!;
    expect(passed.v).toBe(3);
    expect([...passed.since]).toEqual(['c4']);
    expect(
      passedBy([...whole, played(4, 'c4', 1), moved(4, 'c4', trick, pile)], String)!
        .zones.get('trick')!
        .map((card) => card.id),
    ).toEqual(['c4']);
  });

  it("is nothing where what came stays, or what left had been there before, or it is a player's own zone", () => {
    expect(passedBy([played(1, 'c1', 0), moved(2, 'c1', trick, pile), played(2, 'c2', 1)], String)).toBeUndefined();
    expect(
      passedBy([moved(1, 'c1', ['hand', 0], ['field', 0]), moved(1, 'c1', ['field', 0], ['grave', 0])], String),
    ).toBeUndefined();
    expect(passedBy([], String)).toBeUndefined();
  });
});

describe('the log of a ruleset', () => {
  const { sheet } = fixture('skirmish-respond');
  keepSheet('skirmish', sheet);
  const say = (event: object) => tell('skirmish', event, name).map((line) => line.text);

  it("has the author's words, ours for what every ruleset has, and names for the rest", () => {
    expect(say({ type: 'Damaged', status: 'applied', payload: { target: { seat: 1 }, amount: 3 } })).toEqual([
      'P1 takes 3',
    ]);
    expect(say({ type: 'TurnStarted', status: 'applied', payload: { seat: 1, turn: 4 } })).toEqual(['Turn 4, P1']);
    expect(say({ type: 'EventPrevented', status: 'applied', payload: { eventType: 'Cast', title: 'Bolt' } })).toEqual([
      'Prevented: Bolt',
    ]);
    expect(
      say({
        type: 'EventPrevented',
        status: 'applied',
        title: 'Bolt',
        counteredBy: { id: 'i3', title: 'Deny', seat: 1, source: null },
        payload: { eventType: 'Cast' },
      }),
    ).toEqual(['Prevented: Bolt, by Deny (P1)']);
    expect(say({ type: 'Mystery', status: 'applied', payload: { seat: 0, n: 2 } })).toEqual(['P0: Mystery: 2']);
    expect(say({ type: 'CardDrawn', status: 'applied', payload: { seat: 0 } }), 'the author keeps it out').toEqual([]);
  });

  it('says who acts: whoever could when they did', () => {
    const memory = {};
    const cast = { type: 'Cast', status: 'pending', payload: { card: { card: 'bolt', id: 'c3' } } };
    const told = [{ type: 'priority.changed', seat: 1, stack: true }, cast].flatMap((event) =>
      tell('skirmish', event, name, undefined, memory),
    );
    expect(told.map(({ text }) => text)).toEqual(['P1: Cast a spell: Bolt']);
  });

  it('calls the subject of a sentence "You" with a verb that fits', () => {
    const own = (seat: number, itself = false) => (seat === 0 && !itself ? 'You' : `P${seat}`);
    const hit = (seat: number) => ({ type: 'Damaged', status: 'applied', payload: { target: { seat }, amount: 3 } });
    expect([0, 1].flatMap((seat) => tell('skirmish', hit(seat), own)).map(({ text }) => text)).toEqual([
      'You take 3',
      'P1 takes 3',
    ]);
  });

  it('shows cards in one line', () => {
    const shown = ['bear', 'bolt'].flatMap((card) =>
      tell('skirmish', { type: 'Revealed', status: 'applied', payload: { card: { card, id: 'c1' } } }, name),
    );
    expect(joined([], shown).map(({ text }) => text)).toEqual(['Shown: Bear, Bolt']);
  });

  it('tells an action when it is put onto the stack, and only then', () => {
    const attack = { type: 'Attack', payload: { attacker: { card: 'bear', id: 'c1' } } };
    expect(say({ ...attack, status: 'pending' })).toEqual(['Attack: Bear']);
    expect(say({ ...attack, status: 'applied' })).toEqual([]);
  });

  it('joins what was drawn card by card, and never says what the viewer does not know', () => {
    const draw = (card: object | null) =>
      tell(
        'skirmish',
        { type: 'ZoneMoved', status: 'applied', payload: { card, from: 'deck', to: 'hand', fromSeat: 1, toSeat: 1 } },
        name,
      );
    const hidden = [null, null, null].reduce<ReturnType<typeof joined>>((log, card) => joined(log, draw(card)), []);
    expect(hidden.map((line) => line.text)).toEqual(['P1: drew 3 cards']);
    const known = [{ card: 'bear' }, { card: 'bolt' }].reduce<ReturnType<typeof joined>>(
      (log, card) => joined(log, draw(card)),
      [],
    );
    expect(known.map((line) => line.text)).toEqual(['P1: drew Bear, Bolt']);
  });
});
