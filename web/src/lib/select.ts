// What a player has picked so far in a request, before it is sent. Pure: the screen keeps a set of paths and asks here
// what a press does, what is missing, and what the answer is. The server checks everything again.

import { boundsOf, type Choice, type Prompt } from '@parlor/client';

/** Indexes from the top: `2` is the third choice, `2.0` the first choice inside it. */
export type Path = string;
export type Picks = readonly Path[];

/** A request or a choice: both have choices and bounds. */
type Level = Pick<Choice, 'choices' | 'min' | 'max' | 'count'>;

/** Why an answer cannot be sent yet, for the dictionary. */
export interface Missing {
  readonly key: 'select.exactly' | 'select.atLeast' | 'select.atMost' | 'select.inside';
  readonly n: number;
  readonly of: string;
}

export const choicesOf = (level: Level): readonly Choice[] => level.choices ?? [];

/** How many may be picked among the choices that count (000/R1). */
export function bounds(level: Level): { min: number; max: number } {
  const [min, max] = boundsOf(level);
  return { min, max };
}

export function levelAt(request: Level, path: Path): Level {
  return path === '' ? request : path.split('.').reduce<Level>((at, n) => choicesOf(at)[Number(n)], request);
}

export const parentOf = (path: Path): Path => path.split('.').slice(0, -1).join('.');
const child = (parent: Path, n: number): Path => (parent === '' ? String(n) : `${parent}.${n}`);
const within = (path: Path, parent: Path): boolean => path === parent || path.startsWith(parent + '.');

/** The picks directly inside a level. */
export function pickedAt(request: Level, picks: Picks, parent: Path): number[] {
  return choicesOf(levelAt(request, parent)).flatMap((_, n) => (picks.includes(child(parent, n)) ? [n] : []));
}

/** What a press on a choice does. A pick inside a choice also picks that choice. */
export function press(request: Level, picks: Picks, path: Path): Picks {
  const choice = levelAt(request, path) as Choice;
  if (choice.whyNot) return picks;
  if (picks.includes(path)) return picks.filter((pick) => !within(pick, path));
  const parent = parentOf(path);
  const outer = parent === '' || picks.includes(parent) ? picks : press(request, picks, parent);
  if (parent !== '' && !outer.includes(parent)) return picks;
  const level = levelAt(request, parent);
  const siblings = pickedAt(request, outer, parent);
  const drop = siblings.filter((n) => {
    const other = choicesOf(level)[n];
    return choice.exclusive || other.exclusive;
  });
  let kept = outer.filter((pick) => !drop.some((n) => within(pick, child(parent, n))));
  if (!choice.extra) {
    const counted = pickedAt(request, kept, parent).filter((n) => !choicesOf(level)[n].extra);
    const { max } = bounds(level);
    // With room for one, another takes its place; with room for more, the press does nothing until one is taken back.
    if (counted.length >= max && max === 1) kept = kept.filter((pick) => !within(pick, child(parent, counted[0])));
    else if (counted.length >= max) return picks;
  }
  return [...kept, path];
}

/** The first thing that keeps the picks from being an answer. */
export function missing(request: Level, picks: Picks, parent: Path = ''): Missing | null {
  const level = levelAt(request, parent);
  if (choicesOf(level).length === 0) return null;
  const picked = pickedAt(request, picks, parent);
  const counted = picked.filter((n) => !choicesOf(level)[n].extra).length;
  const alone = picked.some((n) => choicesOf(level)[n].exclusive);
  const { min, max } = bounds(level);
  const of = parent === '' ? '' : (level as Choice).title;
  if (counted > max) return { key: 'select.atMost', n: max, of };
  if (counted < min && !alone) return { key: min === max ? 'select.exactly' : 'select.atLeast', n: min, of };
  for (const n of picked) {
    const inner = missing(request, picks, child(parent, n));
    if (inner) return inner;
  }
  return null;
}

type Said = string | { title: string; id?: string; selection?: Said[] };

/** The answer to a select request, as docs/wire.md writes it. */
export function answerOf(request: Prompt, picks: Picks): { title: string; selection: Said[] } {
  const say = (parent: Path): Said[] => {
    const level = levelAt(request, parent);
    // In the order of the presses: some games care which came first.
    return picks
      .filter((pick) => pick !== '' && parentOf(pick) === parent)
      .map((pick) => {
        const choice = levelAt(request, pick) as Choice;
        const repeated = choicesOf(level).filter((other) => other.title === choice.title).length > 1;
        const nested = choicesOf(choice).length > 0;
        if (!nested && !choice.id && !repeated) return choice.title;
        return {
          title: choice.title,
          ...(choice.id ? { id: choice.id } : {}),
          ...(nested ? { selection: say(pick) } : {}),
        };
      });
  };
  return { title: request.title, selection: say('') };
}

/** Whether one press says everything: exactly one of plain choices. */
export function isSingle(request: Level): boolean {
  const { min, max } = bounds(request);
  return min === 1 && max === 1 && choicesOf(request).every((choice) => !choice.choices?.length && !choice.extra);
}
