// Where the page is, and going elsewhere without loading it again.

import { type Route, parse } from './router.ts';

class Router {
  route: Route = $state.raw(parse(location.pathname, location.search));

  constructor() {
    addEventListener('popstate', () => this.#read());
    // Links of our own stay in the page.
    document.addEventListener('click', (event) => {
      const link = (event.target as Element).closest('a');
      const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (!link || !plain || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
      event.preventDefault();
      this.go(link.pathname + link.search);
    });
  }

  go(to: string): void {
    history.pushState(null, '', to);
    this.#read();
    scrollTo(0, 0);
  }

  /** Goes elsewhere in place of where the page is now: going back does not lead here again. */
  redirect(to: string): void {
    history.replaceState(null, '', to);
    this.#read();
  }

  /** Changes the address without a step in the history: the place in a replay. */
  replace(to: string): void {
    history.replaceState(history.state, '', to);
  }

  #read(): void {
    this.route = parse(location.pathname, location.search);
  }
}

export const router = new Router();
