import { expect, test } from 'vitest';

import { Api, ParlorError } from '../../src/index.ts';

/** What each call sends: method, path and body. */
const CALLS: [string, (api: Api) => Promise<unknown>, string, string, unknown?][] = [
  ['createMatch', (api) => api.createMatch({ game: 'oxo', bots: 1 }), 'POST', '/matches', { game: 'oxo', bots: 1 }],
  ['matches', (api) => api.matches({ state: 'running', limit: 5 }), 'GET', '/matches?state=running&limit=5'],
  ['match', (api) => api.match('a/b'), 'GET', '/matches/a%2Fb'],
  ['start', (api) => api.start('t'), 'POST', '/matches/t/start'],
  ['leave', (api) => api.leave('t'), 'POST', '/matches/t/leave'],
  ['undo', (api) => api.undo('t', 3), 'POST', '/matches/t/undo', { to: 3 }],
  ['log', (api) => api.log('t', 2), 'GET', '/matches/t/log?match=2'],
  ['guest', (api) => api.guest({ nickname: 'Ann' }), 'POST', '/players/guest', { nickname: 'Ann' }],
  ['me', (api) => api.me(), 'GET', '/players/me'],
  ['rename', (api) => api.rename('Bo'), 'POST', '/players/me/nickname', { nickname: 'Bo' }],
  ['profile', (api) => api.profile({ language: 'ja' }), 'POST', '/players/me/profile', { language: 'ja' }],
  ['match', (api) => api.match('t', 'code'), 'GET', '/matches/t?invite=code'],
  ['join', (api) => api.join('t', 'Ann', 'code'), 'POST', '/matches/t/join', { player_name: 'Ann', invite: 'code' }],
  ['replay', (api) => api.replay('t', 2, 0), 'GET', '/matches/t/replay?match=2&seat=0'],
  ['told', (api) => api.told('t'), 'GET', '/matches/t/log?as=events'],
  ['history', (api) => api.history(7), 'GET', '/players/me/matches?after=7'],
  ['deleteMe', (api) => api.deleteMe(), 'DELETE', '/players/me'],
  ['player', (api) => api.player('p'), 'GET', '/players/p'],
  [
    'queueJoin',
    (api) => api.queueJoin('battle', { fillWithBotsAfterMs: 9 }),
    'POST',
    '/queue/battle',
    { fillWithBotsAfterMs: 9 },
  ],
  ['queue', (api) => api.queue('battle'), 'GET', '/queue/battle'],
  ['queueLeave', (api) => api.queueLeave('battle'), 'DELETE', '/queue/battle'],
  [
    'join',
    (api) => api.join('t', 'Ann', undefined, { seat: 2, buyIn: 80 }),
    'POST',
    '/matches/t/join',
    { player_name: 'Ann', seat: 2, buyIn: 80 },
  ],
  ['match', (api) => api.match('t', undefined, { wait: 9000, v: 4 }), 'GET', '/matches/t?wait=9000&v=4'],
  ['reserve', (api) => api.reserve('t', 3), 'POST', '/matches/t/reserve', { seat: 3 }],
  ['reserve', (api) => api.reserve('t'), 'POST', '/matches/t/reserve', {}],
  ['pause', (api) => api.pause('t'), 'POST', '/matches/t/pause'],
  ['resume', (api) => api.resume('t'), 'POST', '/matches/t/resume'],
  ['remove', (api) => api.remove('t', 1), 'POST', '/matches/t/remove', { seat: 1, remove: true }],
  ['settings', (api) => api.settings('t', { b: 2 }), 'POST', '/matches/t/settings', { settings: { b: 2 } }],
  ['ledger', (api) => api.ledger({ currency: 'play', after: 9 }), 'GET', '/me/ledger?currency=play&after=9'],
  ['catalog', (api) => api.catalog(), 'GET', '/catalog'],
];

test.each(CALLS)('%s asks for what it says', async (_, call, method, route, body) => {
  const asked: unknown[] = [];
  const fetch = ((url: string, init: RequestInit) => {
    asked.push([
      url,
      init.method,
      init.body === undefined ? undefined : JSON.parse(init.body as string),
      (init.headers as Record<string, string>).authorization,
    ]);
    const lines = route.endsWith('/log?match=2');
    return Promise.resolve(new Response(lines ? '{"a":1}\n{"b":2}\n' : '{"matches":[]}'));
  }) as typeof globalThis.fetch;
  await call(new Api({ url: 'ws://here/', token: 'mine', fetch }));
  expect(asked).toEqual([[`http://here${route}`, method, body, 'Bearer mine']]);
});

test.each<[string, Response | Error, object]>([
  [
    'a problem',
    new Response('{"code":"game_full","message":"Game is full","x":1}', { status: 409 }),
    { code: 'game_full', message: 'Game is full', status: 409, details: { x: 1 } },
  ],
  ['a page of a proxy', new Response('<h1>Bad gateway</h1>', { status: 502 }), { code: 'http_502', status: 502 }],
  ['an answer that is no JSON', new Response('<h1>hello</h1>'), { code: 'malformed', status: 200 }],
  ['a server that is away', new TypeError('fetch failed'), { code: 'unreachable', status: 0 }],
])('%s is thrown as an error with a code', async (_, outcome, error) => {
  const fetch: typeof globalThis.fetch = () =>
    outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  const thrown = await new Api({ url: '', fetch }).status().catch((caught: unknown) => caught);
  expect(thrown).toBeInstanceOf(ParlorError);
  expect(thrown).toMatchObject(error);
});
