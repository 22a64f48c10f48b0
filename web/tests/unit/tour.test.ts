import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Rect, shared, spotFor } from '../../src/lib/spot.ts';
import { screens } from '../../src/lib/screens.ts';
import { rulesTour } from '../../src/lib/ruleset/tour.ts';
import type { Sheet } from '../../src/lib/ruleset/sheet.ts';
import { type Tour, type Written, isNew, keepShown, spoken } from '../../src/lib/tour.ts';

const rect = (left: number, top: number, width: number, height: number): Rect => ({ left, top, width, height });

describe('the place of a hint', () => {
  const within = rect(0, 0, 400, 600);
  const hand = rect(0, 500, 400, 100);

  it('is near what it is about, and not over it', () => {
    const spot = spotFor({ width: 300, height: 100 }, { within, kept: [hand], pieces: [], about: hand })!;
    expect(shared(spot, hand)).toBe(0);
    expect(hand.top - (spot.top + spot.height)).toBeLessThan(20);
  });

  it('avoids pieces where it can', () => {
    const board = rect(0, 300, 400, 190);
    const spot = spotFor({ width: 300, height: 100 }, { within, kept: [hand], pieces: [board], about: hand })!;
    expect(shared(spot, board)).toBe(0);
  });

  it('lies over pieces rather than over what is kept free', () => {
    const spot = spotFor({ width: 300, height: 100 }, { within, kept: [rect(0, 110, 400, 490)], pieces: [within] })!;
    expect(spot.top + spot.height).toBeLessThanOrEqual(110);
  });

  it('is nowhere where there is no room', () => {
    expect(spotFor({ width: 300, height: 100 }, { within, kept: [rect(0, 50, 400, 500)], pieces: [] })).toBeUndefined();
    expect(spotFor({ width: 500, height: 100 }, { within, kept: [], pieces: [] })).toBeUndefined();
  });
});

describe('the hints of games', () => {
  const tours = import.meta.glob<Tour<Written>>('../../../games/*/web/tour.ts', { eager: true, import: 'default' });

  it('are three to six with the one about help, in every language', () => {
    expect(Object.keys(tours).length).toBeGreaterThanOrEqual(7);
    for (const [path, tour] of Object.entries(tours)) {
      expect(screens.has(path.split('/').at(-3)!), path).toBe(true);
      expect(tour.hints.length + 1, path).toBeGreaterThanOrEqual(3);
      expect(tour.hints.length + 1, path).toBeLessThanOrEqual(6);
      const texts = (['en', 'ja', 'ru'] as const).map((lang) => spoken(tour, lang).hints.map(({ text }) => text));
      expect(new Set(texts.flat()).size, path).toBe(3 * tour.hints.length);
      for (const text of texts.flat()) expect(text.length, text).toBeLessThanOrEqual(150);
    }
  });
});

describe('the hints of a ruleset', () => {
  const bare: Sheet = {
    ruleset: 'fog',
    name: 'Fog',
    version: '1',
    text: null,
    zones: [],
    attributes: [],
    vars: [],
    counters: [],
    keywords: [],
    enums: {},
    phases: [],
    cards: {},
    actions: [],
    events: [],
  };
  const hand = { id: 'hand', owner: 'player', ordered: false, see: 'owner', role: 'hand' } as const;
  const step = { id: 'main', label: 'Main', window: true };

  it('are made of what its author says', () => {
    const { hints } = rulesTour(
      {
        ...bare,
        text: 'Find the way out',
        zones: [hand],
        vars: [
          { id: 'lamps', label: 'Lamps', owner: 'player', type: 'int' },
          { id: 'luck', owner: 'player', type: 'int', ui: { hidden: true } },
          // Nobody is shown it, so it is in no view.
          { id: 'absences', owner: 'player', type: 'int' },
        ],
        actions: [{ id: 'light', label: 'Light', text: 'Light a lamp' }, { id: 'wait' }],
        phases: [
          { id: 'dusk', label: 'Dusk', steps: [{ ...step, window: false }] },
          { id: 'night', label: 'Night', steps: [step] },
        ],
      },
      { lamps: 1, luck: 2 },
    );
    const said = hints.map(({ text }) => text);
    expect(said[0]).toMatch(/^Find the way out\. .*: Lamps\.$/);
    expect(said.join(' ')).not.toMatch(/uck|bsences/);
    expect(said[2]).toContain('Light a lamp. Wait.');
    expect(said[3]).toMatch(/Dusk → Night.*Night\.$/);
    expect(hints.map(({ at }) => at)).toEqual(['.pbar.mep', '.rhand', '.prompt', '.ribbon', '.stk']);
  });

  it('are about what it has', () => {
    expect(rulesTour(bare, {}).hints.map(({ at }) => at)).toEqual(['.prompt']);
    expect(rulesTour({ ...bare, zones: [hand] }, {}).hints).toHaveLength(2);
  });
});

describe('hints are shown once', () => {
  afterEach(() => vi.unstubAllGlobals());
  const storage = (kept: Record<string, string>) =>
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept[key] ?? null,
      setItem: (key: string, value: string) => (kept[key] = value),
    });

  it('for each game by itself', () => {
    storage({});
    expect([isNew('fog'), isNew('mist')]).toEqual([true, true]);
    keepShown('fog');
    expect([isNew('fog'), isNew('mist')]).toEqual([false, true]);
  });

  it('and never in a browser that keeps nothing', () => {
    vi.stubGlobal('localStorage', undefined);
    expect(isNew('fog')).toBe(false);
    expect(() => keepShown('fog')).not.toThrow();
  });
});
