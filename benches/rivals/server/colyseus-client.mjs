// Two Colyseus clients for each match, who take turns.
import { Client } from '@colyseus/sdk';

export async function seat(url, matches) {
  const pairs = [];
  for (let n = 0; n < matches; n += 1) {
    const first = await new Client(url).create('grid64');
    const second = await new Client(url).joinById(first.roomId);
    const pair = { rooms: [first, second], heard: [null, null] };
    pair.rooms.forEach((room, seat) => {
      // Both are told of every move; only the opponent has waited for it.
      room.onMessage('taken', (move) => {
        if (move.seat !== seat) pair.heard[seat]?.(move);
      });
      room.onMessage('refused', () => {
        throw new Error('a move was refused');
      });
    });
    pairs.push(pair);
  }
  return pairs.map((pair) => ({
    // Resolves when the opponent knows the move.
    move: (seat, cell) =>
      new Promise((done) => {
        pair.heard[1 - seat] = done;
        pair.rooms[seat].send('move', cell);
      }),
  }));
}
