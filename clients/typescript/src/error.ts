/** A refusal by the server's REST side, or a mistake in how this package is used. */
export class ParlorError extends Error {
  override readonly name = 'ParlorError';
  /** For programs, such as `game_full`. */
  readonly code: string;
  /** The HTTP status; 0 where there was none. */
  readonly status: number;
  /** Everything else the server said. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, status = 0, details: Record<string, unknown> = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
  }
}
