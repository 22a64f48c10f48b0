import { describe, expect, it } from 'vitest';
import { RANK_PATHS, cutCards, face } from '../../src/art/cards.ts';
import { around, shortName } from '../../src/lib/model.ts';
import { clamp, momentsOf, sectionFrom } from '../../src/lib/replay.ts';
import { parse } from '../../src/lib/router.ts';
import { lastingOf, tell } from '../../src/lib/tell.ts';
import { zonesOf } from '../../src/lib/zones.ts';

describe('cards', () => {
  it('all fifty-two are read in both spellings, and nothing else is', () => {
    const ranks = Object.keys(RANK_PATHS);
    expect(ranks).toHaveLength(13);
    for (const rank of ranks)
      for (const [sign, suit] of ['♣c', '♦d', '♠s', '♥h']) expect(face(rank + sign)).toEqual({ rank, suit });
    expect(face('Ts')).toEqual({ rank: '10', suit: 's' });
    for (const text of ['', '1♣', 'Q', '♣', 'Rope', 'attack']) expect(face(text)).toBeNull();
  });

  it('are found in text', () => {
    expect(cutCards('Noor: 10♥ or 7♦.')).toEqual([
      'Noor: ',
      { rank: '10', suit: 'h' },
      ' or ',
      { rank: '7', suit: 'd' },
      '.',
    ]);
  });
});

describe('addresses', () => {
  it('lead to screens, and whatever else there is leads nowhere', () => {
    expect(parse('/', '').screen).toBe('lobby');
    expect(parse('/t/plum%2014', '?watch')).toMatchObject({ screen: 'table', id: 'plum 14' });
    expect(parse('/r/plum', '?at=12&seat=1').query.get('at')).toBe('12');
    expect(parse('/dev/fixtures/oxo', '')).toMatchObject({ screen: 'fixture', id: 'oxo' });
    expect(parse('/me/statement', '').screen).toBe('statement');
    for (const path of ['/t', '/me/x', '/me/statement/x', '/nowhere', '/t/%E0%A4%A'])
      expect(parse(path, '').screen).toBe('lost');
  });
});

describe('replays', () => {
  const steps = [
    { seq: 0, view: {} },
    { seq: 1, at: 100, events: [{ type: 'dealt', deal: 0 }], view: {} },
    { seq: 2, at: 9000, events: [{ type: 'played', seat: 1, card: 'Q♠' }], view: {} },
    { seq: 3, at: 9100, events: [{ type: 'dealt', deal: 1 }], view: {} },
  ];
  const moments = momentsOf('hearts', steps, (seat) => `P${seat}`);

  it('have headings, and marks where somebody thought for long', () => {
    expect(moments.map((moment) => moment.section)).toEqual(['', 'Deal 1', '', 'Deal 2']);
    expect(moments.map((moment) => moment.thought > 0)).toEqual([false, false, true, false]);
    expect(moments[2].lines[0].text).toBe('P1: Q♠');
  });

  it('are stepped through by part, and never left', () => {
    expect(sectionFrom(moments, 1, 1)).toBe(3);
    expect(sectionFrom(moments, 1, -1)).toBe(0);
    expect([clamp(-5, 4), clamp(99, 4), clamp(Number.NaN, 4)]).toEqual([0, 3, 0]);
  });
});

describe('any game', () => {
  it('is shown by the shapes of its view', () => {
    const shown = zonesOf(
      {
        round: 2,
        turn: 1,
        scores: [3, 4],
        hand: ['7♣', 'Q♠'],
        market: ['Rope'],
        seats: [
          { table: ['Wasp'], points: 1 },
          { table: [], points: 2 },
        ],
        log: [],
      },
      2,
    );
    expect(shown.active).toBe(1);
    expect(shown.facts).toEqual([['round', 2]]);
    expect(shown.perSeat).toEqual([
      ['scores', [3, 4]],
      ['points', [1, 2]],
    ]);
    expect(shown.zones.map((zone) => [zone.name, zone.cards])).toEqual([
      ['hand', true],
      ['market', false],
    ]);
    expect(shown.seatZones[0][0].items).toEqual(['Wasp']);
  });

  it('tells an event that nobody has words for by its own', () => {
    expect(tell('harbour', { type: 'sold', seat: 1, what: 'salt', for: 5 }, (seat) => `P${seat}`)).toEqual([
      { text: 'P1: sold salt 5' },
    ]);
  });

  it('is kept in mind as far as its screen wants it, and otherwise not at all', () => {
    const told = [{ type: 'took', seat: 1 }, { type: 'scored', seat: 1 }, null, { type: 'scored', seat: 2 }];
    expect(lastingOf('hearts', told)).toEqual([told[1], told[3]]);
    expect(lastingOf('harbour', [{}, ...told])).toEqual([]);
  });

  it('seats people from their own place, and shortens their names', () => {
    expect(around(4, 2)).toEqual([2, 3, 0, 1]);
    expect(shortName('Rook_of_Ravenscourt_77')).toBe('Rook');
    expect(shortName('Wolkenkratzermeister')).toBe('Wolkenkra…');
    expect(shortName('Ada')).toBe('Ada');
  });
});
