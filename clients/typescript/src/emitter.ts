type Listener<T> = (value: T) => void;

/** Typed events. A listener that throws is not allowed to stop the others, or the client. */
export class Emitter<Events extends object> {
  readonly #listeners = new Map<keyof Events, Set<Listener<never>>>();

  /** Listens; the function it returns stops that. */
  on<Name extends keyof Events>(name: Name, listener: Listener<Events[Name]>): () => void {
    const all = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, all);
    all.add(listener);
    return () => void all.delete(listener);
  }

  /** The next one of its kind. */
  once<Name extends keyof Events>(name: Name): Promise<Events[Name]> {
    return new Promise((resolve) => {
      const off = this.on(name, (value) => {
        off();
        resolve(value);
      });
    });
  }

  protected emit<Name extends keyof Events>(name: Name, value: Events[Name]): void {
    for (const listener of [...(this.#listeners.get(name) ?? [])]) {
      guarded(() => (listener as Listener<Events[Name]>)(value));
    }
  }
}

/** Runs somebody else's code; what it throws is reported as an uncaught error of its own, and nothing here stops. */
export function guarded(run: () => void): void {
  try {
    run();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}
