// Answers in free form: cards laid into places, and a number shared out. Kept for one request; a new one starts anew.

import type { Prompt } from '@parlor/client';
import type { AnyThing } from './read.ts';
import type { AskOption, View as RulesetView } from './types.ts';
import { Drafts } from '../drafts.ts';
import type { TableModel } from '../model.ts';
import { metaOf } from './offers.ts';
import { refOf } from './table.ts';

export class Free {
  readonly #model: TableModel;
  readonly #drafts: Drafts;
  #laid: { of: number; slots: (string | null)[] } = $state.raw({ of: -2, slots: [] });
  #shared: { id: number; parts: number[] } = $state.raw({ id: -1, parts: [] });

  constructor(model: TableModel) {
    this.#model = model;
    this.#drafts = new Drafts(model);
  }

  get request(): Prompt | undefined {
    const free = (request: Prompt) =>
      request.type === 'action' && ['slots', 'distribute'].includes(metaOf(request).kind ?? '');
    return (
      this.#model.state.requests.find((request) => request.kind === 'request' && free(request)) ??
      this.#model.state.requests.find((request) => request.kind === 'draft' && free(request))
    );
  }

  /** What is asked in free form, or was answered so and is not open to the others yet. */
  get kind(): string {
    const said = (this.#model.state.view as RulesetView | undefined)?.answer;
    const laid = !!said?.sealed && said.said.length > 0 && said.said.every((thing) => typeof thing === 'object');
    return metaOf(this.request).kind ?? (laid ? 'slots' : '');
  }

  get options(): readonly AskOption[] {
    return (metaOf(this.request).options ?? []).filter((option) => 'title' in option);
  }

  get #said(): RulesetView['answer'] {
    const said = (this.#model.state.view as RulesetView | undefined)?.answer;
    return !this.request || said?.ask === metaOf(this.request).ask ? said : undefined;
  }

  get sealed(): boolean {
    return !!this.#said?.sealed;
  }

  // ---- places ----

  /** The question that the places belong to: its request stands until it is answered, whatever is drafted meanwhile. */
  get #question(): number {
    return this.#model.state.requests.find((request) => request.kind === 'request')?.inputId ?? -1;
  }

  get slots(): readonly (string | null)[] {
    const n = metaOf(this.request).slots ?? (this.kind === 'slots' ? (this.#said?.said.length ?? 0) : 0);
    if (this.#laid.of === this.#question && !this.sealed) return this.#laid.slots;
    const said = (this.#said?.said ?? []).map((thing) => refOf(thing as AnyThing | null) || null);
    return Array.from({ length: n }, (_, k) => said[k] ?? null);
  }

  get next(): number {
    return this.slots.indexOf(null);
  }

  put(id: string, slot = this.next): void {
    if (slot < 0 || this.slots.includes(id)) return;
    this.#lay(this.slots.map((old, n) => (n === slot ? id : old)));
  }

  take(slot: number): void {
    this.#lay(this.slots.map((old, n) => (n === slot ? null : old)));
  }

  clear(): void {
    if (this.slots.some(Boolean)) this.#lay(this.slots.map(() => null));
    this.#shared = { id: -1, parts: [] };
  }

  #lay(slots: (string | null)[]): void {
    this.#laid = { of: this.#question, slots };
    const title = this.#drafts.request?.title;
    if (title !== undefined) void this.#drafts.send({ title, selection: slots });
  }

  // ---- shares ----

  get sum(): number {
    return metaOf(this.request).sum ?? 0;
  }

  get parts(): readonly number[] {
    return this.#shared.id === this.request?.inputId ? this.#shared.parts : this.options.map(() => 0);
  }

  get left(): number {
    return this.sum - this.parts.reduce((all, n) => all + n, 0);
  }

  add(k: number, by: number): void {
    const parts = this.parts.map((n, at) => (at === k ? n + by : n));
    if (parts[k] < 0 || parts.reduce((all, n) => all + n, 0) > this.sum) return;
    this.#shared = { id: this.request?.inputId ?? -1, parts };
  }

  /** Sends what lies there. */
  async send(): Promise<void> {
    const request = this.#model.state.requests.find((each) => each.kind === 'request' && each.type === 'action');
    if (!request) return;
    const selection = metaOf(request).kind === 'distribute' ? this.parts : this.slots;
    await this.#drafts.settled();
    await this.#model.submit(request, { title: request.title, selection });
  }
}
