import { Emitter, guarded } from './emitter.ts';

/** A state that is replaced, never changed in place, and told to whoever wants to know. */
export class Store<State, Events extends { state: State }> extends Emitter<Events> {
  readonly #subscribers = new Set<(state: State) => void>();
  #state: State;

  protected constructor(state: State) {
    super();
    this.#state = state;
  }

  /** Where everything stands. Never changed in place. */
  get state(): State {
    return this.#state;
  }

  /** Calls `listener` now and after each change; returns the function that stops it. (A Svelte store.) */
  subscribe(listener: (state: State) => void): () => void {
    this.#subscribers.add(listener);
    guarded(() => listener(this.#state));
    return () => void this.#subscribers.delete(listener);
  }

  /** Resolves with the first state, the present one included, of which `is` is true. */
  until(is: (state: State) => unknown): Promise<State> {
    return new Promise((resolve) => {
      let done = false;
      const off = this.subscribe((state) => {
        if (done || !is(state)) return;
        done = true;
        // The present state may be the one, before there is anything to stop.
        queueMicrotask(() => off());
        resolve(state);
      });
    });
  }

  protected set(change: Partial<State>): void {
    this.#state = { ...this.#state, ...change };
    for (const subscriber of [...this.#subscribers]) guarded(() => subscriber(this.#state));
    this.emit('state', this.#state);
  }
}
