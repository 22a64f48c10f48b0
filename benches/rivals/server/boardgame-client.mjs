// Two boardgame.io clients for each match, who take turns.
import { Client } from 'boardgame.io/dist/cjs/client.js';
import { SocketIO } from 'boardgame.io/dist/cjs/multiplayer.js';
import { grid64 } from './boardgame-game.mjs';

// Resolves when the client has the state of its match for the first time.
const synced = (client) =>
  new Promise((done) => {
    const stop = client.subscribe((state) => {
      if (!state?.isConnected) return;
      done();
      setImmediate(() => stop());
    });
  });

export async function seat(url, matches) {
  const pairs = [];
  for (let n = 0; n < matches; n += 1) {
    const pair = { clients: [], waits: [null, null] };
    for (const seat of [0, 1]) {
      const multiplayer = SocketIO({ server: url, socketOpts: { transports: ['websocket'], forceNew: true } });
      const client = Client({
        game: grid64,
        matchID: `load-${n}`,
        playerID: String(seat),
        numPlayers: 2,
        multiplayer,
        debug: false,
      });
      client.start();
      await synced(client);
      client.subscribe((state) => {
        const wait = pair.waits[seat];
        if (wait && state && state.G.moves >= wait.moves) {
          pair.waits[seat] = null;
          wait.done();
        }
      });
      pair.clients.push(client);
    }
    pairs.push(pair);
  }
  return pairs.map((pair) => {
    let moves = 0;
    return {
      // Resolves when the opponent knows the move.
      move: (seat, cell) =>
        new Promise((done) => {
          moves += 1;
          pair.waits[1 - seat] = { moves, done };
          pair.clients[seat].moves.take(cell);
        }),
    };
  });
}
