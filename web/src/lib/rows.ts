// Rows of lists of tables in words: who plays, who won, and with what.

import type { MatchRow } from '@parlor/client';
import { t, words } from './i18n/index.svelte.ts';

/** The people at a table that runs with what they have so far, and how many bots there are beside them. */
export function playersText({ players = [], scores }: Pick<MatchRow, 'players' | 'scores'>): string {
  const names = players.flatMap((name, seat) => {
    const score = scores?.[seat];
    return name === null ? [] : [typeof score === 'number' ? `${name}: ${words.number(score)}` : name];
  });
  const bots = players.length - names.length;
  return [...names, ...(bots > 0 && names.length > 0 ? [t('live.bots', { n: bots })] : [])].join(', ');
}

/** How a table ended: who won, then everybody by their place with what they had. */
export function resultText({ players = [], result }: Pick<MatchRow, 'players' | 'result'>): string {
  if (!result) return '';
  const seats = players
    .map((name, seat) => ({ name, place: result.places[seat] ?? 0, score: result.scores?.[seat] }))
    .filter((seat) => seat.name !== null)
    .sort((a, b) => a.place - b.place);
  const winners = seats.filter(({ place }) => place === 1);
  const one = winners.length > 0 && result.places.some((place) => place !== 1);
  const who = winners.map(({ name }) => name).join(t('and'));
  const rest = result.scores
    ? seats.map(({ name, score }) => `${name}: ${words.number(score ?? 0)}`)
    : one
      ? seats.filter((seat) => !winners.includes(seat)).map(({ name }) => name)
      : seats.map(({ name }) => name);
  return [one ? t('live.won', { who }) : t('over.tie'), rest.join(', ')].filter(Boolean).join(' · ');
}
