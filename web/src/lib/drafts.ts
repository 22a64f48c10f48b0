// Drafts on their way: one at a time. While one is on its way only the newest of the others is kept, and nothing is
// ever sent that the player did not just do.

import type { Json, Prompt } from '@parlor/client';
import type { TableModel } from './model.ts';

export class Drafts {
  readonly #model: TableModel;
  #queued: Json | undefined;

  constructor(model: TableModel) {
    this.#model = model;
  }

  get request(): Prompt | undefined {
    return this.#model.state.requests.find((request) => request.kind === 'draft');
  }

  /** Sends a draft, or keeps it until the one before is through. */
  async send(answer: Json): Promise<void> {
    const request = this.request;
    if (!request) return;
    if (this.#model.state.pending) {
      this.#queued = answer;
      return;
    }
    await this.#model.submit(request, answer);
    const next = this.#queued;
    this.#queued = undefined;
    if (next !== undefined) await this.send(next);
  }

  /** The answer itself goes now: what was not sent yet is no longer wanted. */
  async settled(): Promise<void> {
    this.#queued = undefined;
    while (this.#model.state.pending) await new Promise((done) => setTimeout(done, 30));
  }
}
