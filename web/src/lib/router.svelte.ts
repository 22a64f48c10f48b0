// Addresses: `/`, `/t/ID`, `/r/ID?at=N&seat=S`, `/me`, `/watch`, and `/dev/fixtures/NAME` while developing.

export interface Route {
  readonly screen: 'lobby' | 'watch' | 'replays' | 'table' | 'replay' | 'me' | 'fixture' | 'lost';
  readonly id: string;
  readonly query: URLSearchParams;
}

export function parse(path: string, search: string): Route {
  const query = new URLSearchParams(search);
  const [first = '', second = '', third = ''] = path.split('/').filter(Boolean).map(decodeURIComponent);
  const at = (screen: Route['screen'], id = ''): Route => ({ screen, id, query });
  if (first === '') return at('lobby');
  if (first === 't' && second) return at('table', second);
  if (first === 'r' && second) return at('replay', second);
  if (!second && (first === 'me' || first === 'watch' || first === 'replays')) return at(first);
  if (first === 'dev' && second === 'fixtures') return at('fixture', third);
  return at('lost', path);
}

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

  /** Changes the address without a step in the history: the place in a replay. */
  replace(to: string): void {
    history.replaceState(history.state, '', to);
  }

  #read(): void {
    this.route = parse(location.pathname, location.search);
  }
}

export const router = new Router();
