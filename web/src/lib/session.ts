// Who plays in this browser: a name, and the tables they sat down at. Tokens stay here and go nowhere but to their
// server.

const NAME = 'parlor.name';
const TABLES = 'parlor.tables';
const TABLES_MAX = 20;

/** A table this browser has a seat at, or made. */
export interface Kept {
  readonly id: string;
  readonly game: string;
  /** When it was last opened, in milliseconds of the wall clock. */
  readonly at: number;
  /** The right to start and to end it, for whoever made it. */
  readonly owner?: string;
}

function read<T>(key: string, fallback: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? 'null') as T | null) ?? fallback;
  } catch {
    return fallback;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing plays as well; it only cannot come back after a reload.
  }
}

/** The name at tables; a fresh guest gets a number. */
export function playerName(): string {
  const kept = read<string>(NAME, '');
  if (kept) return kept;
  const fresh = `Guest ${1000 + Math.floor(Math.random() * 9000)}`;
  write(NAME, fresh);
  return fresh;
}

export const rename = (name: string): void => write(NAME, name);

/**
 * The right to be the same player again, where this browser has one. The client of clients/typescript keeps it there.
 */
export function accountToken(): string | undefined {
  try {
    return localStorage.getItem('parlor.player') ?? undefined;
  } catch {
    return undefined;
  }
}

export const keptTables = (): Kept[] => read<Kept[]>(TABLES, []);

export function keepTable(table: Kept): void {
  const before = keptTables().find((kept) => kept.id === table.id);
  const rest = keptTables().filter((kept) => kept.id !== table.id);
  write(TABLES, [{ ...before, ...table }, ...rest].slice(0, TABLES_MAX));
}

export function forgetTable(id: string): void {
  write(
    TABLES,
    keptTables().filter((kept) => kept.id !== id),
  );
}

const CHOICES = 'parlor.choices';

/** What somebody chose for the tables of a game: remembered until they choose otherwise. */
export interface Choices {
  readonly seats?: number;
  readonly bot?: string;
  readonly settings?: Readonly<Record<string, string | number | boolean>>;
}

export const choicesOf = (game: string): Choices => read<Record<string, Choices>>(CHOICES, {})[game] ?? {};

export function keepChoices(game: string, choices: Choices): void {
  write(CHOICES, { ...read<Record<string, Choices>>(CHOICES, {}), [game]: choices });
}

const TREES = [
  'Alder',
  'Ash',
  'Birch',
  'Cedar',
  'Elm',
  'Fern',
  'Hazel',
  'Larch',
  'Linden',
  'Maple',
  'Moss',
  'Oak',
  'Pine',
  'Plum',
  'Rowan',
  'Willow',
];

/**
 * A table's name for people: a tree and a number, made from what programs call it. A table that was given a name of its
 * own keeps it.
 */
export function tableName(id: string): string {
  if (!/^[0-9a-f]{8,}$/i.test(id) && !/^[0-9a-f-]{20,}$/i.test(id)) return id;
  let sum = 7;
  for (const letter of id) sum = (Math.imul(sum, 31) + letter.charCodeAt(0)) >>> 0;
  return `${TREES[sum % TREES.length]} ${1 + (Math.floor(sum / TREES.length) % 99)}`;
}

const FOLLOWED = 'parlor.follow';
/** This tab follows the file of a ruleset: a saved file opens a new table. */
export const follow = (game: string): void => sessionStorage.setItem(FOLLOWED, game);
/** The ruleset whose file this tab follows. */
export const followed = (): string | undefined => sessionStorage.getItem(FOLLOWED) ?? undefined;
