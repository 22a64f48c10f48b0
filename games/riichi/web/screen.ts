// Riichi, as the shell finds it.

import { t } from '$shell/lib/i18n/index.svelte.ts';
import { inlinePiece } from '$shell/lib/inline.ts';
import { type Name, section, scoresLine } from '$shell/lib/log.ts';
import { shortName } from '$shell/lib/model.ts';
import { defineScreen } from '$shell/lib/screen.ts';
import Art from './Art.svelte';
import Inline from './Inline.svelte';
import { codeOf, inText } from './model.ts';
import type { Event, View } from './types.ts';
import { roundName, tileName } from './names.ts';
import en, { w } from './words.en.ts';

inlinePiece({ mark: /⟦(\d[mpsz])⟧/, piece: Inline, say: tileName });

/** A tile of the log. Its text is read where it stands, so a red five is one wherever red fives are played. */
const tile = (id: number) => inText(codeOf(id, true));
/** A line with its tiles has no room for a long name. */
const short =
  (name: Name): Name =>
  (seat) =>
    shortName(name(seat));

export default defineScreen<View, Event>({
  words: en,
  options: () => [
    {
      key: 'game_type',
      label: w('opt.length'),
      values: [
        ['east', w('opt.east')],
        ['hanchan', w('opt.hanchan')],
      ],
    },
  ],
  art: Art,
  table: () => import('./Table.svelte'),
  side: () => import('./Side.svelte'),
  endsItself: true,
  at: (view) =>
    [roundName(view.standing.kyoku), view.standing.honba ? w('honba', { n: view.standing.honba }) : '']
      .filter(Boolean)
      .join(', '),
  keys: () => [
    ['← →', t('keys.walk')],
    ['Enter', w('keys.discard')],
    ['Space', w('keys.drawn')],
    ['C P K R', w('keys.calls')],
    ['R T K N', w('keys.own')],
    ['1 – 6', w('keys.ways')],
    ['Esc', w('keys.back')],
  ],
  marks: () => [
    ['small', w('mark.call')],
    ['middle', w('mark.riichi')],
    ['big', w('mark.win')],
  ],
  log: {
    round_started: (e) =>
      section(
        [roundName(e.standing.kyoku), e.standing.honba ? w('honba', { n: e.standing.honba }) : '']
          .filter(Boolean)
          .join(', '),
      ),
    draw: () => null,
    discard: (e, name) => ({
      ...(e.riichi ? { mark: 'middle' as const } : {}),
      text: w(e.riichi ? 'log.riichi' : e.tsumogiri ? 'log.drawn' : 'log.discard', {
        who: short(name)(e.seat),
        tile: tile(e.tile),
      }),
    }),
    meld: (e, name) => ({
      mark: 'small',
      text: w(e.kind === 'chi' ? 'log.chi' : e.kind === 'pon' ? 'log.pon' : 'log.kan', {
        who: short(name)(e.seat),
        tiles: e.tiles.map(tile).join(''),
      }),
    }),
    dora: (e) => ({ text: w('log.dora', { tile: tile(e.tile) }) }),
    riichi_accepted: (e, name) => ({ text: w('log.stick', { who: short(name)(e.seat) }) }),
    furiten: (e) => ({ text: w(e.is_furiten ? 'log.furiten' : 'log.furitenOver') }),
    round_end: (e, name) => {
      const { result } = e;
      if ('draw' in result) return [{ text: w(`draw.${result.draw.kind}`) }, scoresLine(e.scores, short(name))];
      return [
        ...result.wins.map((win) => ({
          mark: 'big' as const,
          text: w(win.from === null ? 'log.tsumo' : 'log.ron', {
            who: short(name)(win.who),
            from: win.from === null ? '' : short(name)(win.from),
            tile: tile(win.tile),
            n: win.points,
          }),
        })),
        scoresLine(e.scores, short(name)),
      ];
    },
    game_end: (e, name) => ({
      text: w('log.end', { who: name(e.end.places.indexOf(1)) }),
    }),
    answered: () => null,
    automatic: () => null,
  },
});
