// What oxo and grid64 show and tell, as their rules write it.

export interface OxoView {
  /** Nine characters from the top left: `x`, `o` or `.`. */
  readonly board: string;
  /** Moves made so far. */
  readonly turn: number;
}

export interface Grid64View {
  /** The cells of each seat, as 16 hexadecimal digits. */
  readonly cells: [string, string];
  readonly turn: number;
}

export interface BoardEvent {
  readonly type: 'taken';
  readonly seat: number;
  /** Its name in oxo, its number in grid64. */
  readonly cell: string | number;
}
