/**
 * One submission at a time, sent again until its result is known (000-15, 000/R3).
 *
 * It goes out once per connection: were it said twice on one, the first could be refused and the second taken, and the
 * refusal would be heard first. A connection that keeps its result back is given up, and what comes behind it there is
 * not heard.
 */

import type { Link, Sent } from './link.ts';
import type { Result, Submission } from './types.ts';

/** A submission on its way, and where the table stood when it was made. */
export interface Flight {
  readonly submission: Submission;
  readonly since: { readonly v: number; readonly branchId: number; readonly view: unknown };
}

type End = Result extends infer R ? (R extends Result ? Omit<R, 'requestKey'> : never) : never;

/** A slow server is waited for longer each time, up to so many times as long. */
const PATIENCE_MAX = 8;
/** How long to wait after the server said that it is busy, in milliseconds. */
const LATER_MS = 250;

export class Submissions {
  readonly #link: Link;
  readonly #show: (pending: Submission | undefined) => void;
  #flight: (Flight & { done: (result: Result) => void }) | undefined;
  #patience = 1;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(link: Link, show: (pending: Submission | undefined) => void) {
    this.#link = link;
    this.#show = show;
  }

  get pending(): Submission | undefined {
    return this.#flight?.submission;
  }

  /** Sends a submission, at once where the server has welcomed us; a second one while there is one is refused. */
  launch(flight: Flight, welcomed: boolean): Promise<Result> {
    const { submission } = flight;
    if (this.#flight) {
      return Promise.resolve(ended(submission, no('pending', 'an answer is on its way already')));
    }
    if (submission.kind === 'undo' && !welcomed) {
      return Promise.resolve(ended(submission, no('not_connected', 'there is no connection')));
    }
    return new Promise((done) => {
      this.#flight = { ...flight, done };
      this.#patience = 1;
      this.#show(submission);
      if (welcomed) this.#send();
    });
  }

  /** The connection is gone: nothing is said before the next one has welcomed us. */
  hold(): void {
    clearTimeout(this.#timer);
  }

  /** A new connection: what is on its way is said again, under the same key. */
  resume(): void {
    if (this.#flight) this.#send();
  }

  /** The server has too much to do, and has not taken it. */
  later(): void {
    this.#arm(LATER_MS, () => this.resume());
  }

  /** The server's word on the submission with this key. */
  settle(requestKey: string | undefined, end: End): Flight | undefined {
    return this.#flight && this.#flight.submission.requestKey === requestKey ? this.#finish(end) : undefined;
  }

  /** Ends whatever is on its way, without the server's word on it. */
  fail(code: string, message: string): void {
    if (this.#flight) this.#finish(no(code, message));
  }

  #finish(end: End): Flight {
    const flight = this.#flight!;
    clearTimeout(this.#timer);
    this.#flight = undefined;
    this.#show(undefined);
    flight.done(ended(flight.submission, end));
    return flight;
  }

  #send(): void {
    const { kind, answer, requestKey, inputId, branchId } = this.#flight!.submission;
    const message: Sent =
      kind === 'undo'
        ? { type: 'game_action', action: 'undo', data: (answer ?? {}) as { to?: number }, requestKey }
        : {
            type: 'game_action',
            action: 'answer',
            data: answer,
            requestKey,
            ...(inputId !== undefined ? { inputId } : { branchId }),
          };
    try {
      this.#link.send(message);
    } catch (error) {
      this.fail('too_long', String((error as Error).message));
      return;
    }
    this.#arm(this.#link.timing.resultMs * this.#patience, () => this.#link.again('no result'));
    this.#patience = Math.min(2 * this.#patience, PATIENCE_MAX);
  }

  #arm(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(then, ms);
  }
}

const no = (code: string, message: string): End => ({ accepted: false, code, message, faults: [], conflict: false });

function ended(submission: Submission, end: End): Result {
  return { ...end, requestKey: submission.requestKey };
}
