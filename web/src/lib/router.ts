// Addresses: `/`, `/t/ID`, `/try/GAME`, `/r/ID?at=N&seat=S`, `/p/ID`, `/me`, `/me/statement`, `/watch`, `/replays`,
// `/leaders`, and `/dev/fixtures/NAME` while developing.

export interface Route {
  readonly screen:
    | 'lobby'
    | 'watch'
    | 'replays'
    | 'leaders'
    | 'table'
    | 'try'
    | 'replay'
    | 'player'
    | 'me'
    | 'statement'
    | 'fixture'
    | 'lost';
  readonly id: string;
  readonly query: URLSearchParams;
}

/** A part of a path; nothing for one that is no text. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}

export function parse(path: string, search: string): Route {
  const query = new URLSearchParams(search);
  const [first = '', second = '', third = ''] = path.split('/').filter(Boolean).map(decoded);
  const at = (screen: Route['screen'], id = ''): Route => ({ screen, id, query });
  if (first === '') return at('lobby');
  if (first === 't' && second) return at('table', second);
  if (first === 'try' && second && !third) return at('try', second);
  if (first === 'r' && second) return at('replay', second);
  if (first === 'p' && second) return at('player', second);
  if (!second && (first === 'me' || first === 'watch' || first === 'replays' || first === 'leaders')) return at(first);
  if (first === 'me' && second === 'statement' && !third) return at('statement');
  if (first === 'dev' && second === 'fixtures') return at('fixture', third);
  return at('lost', path);
}
