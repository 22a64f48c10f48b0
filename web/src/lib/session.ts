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
