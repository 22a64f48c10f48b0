// Grid64 as a game of boardgame.io: the rules of grid64.mjs on the plain data that it keeps and sends.
import { INVALID_MOVE } from 'boardgame.io/dist/cjs/core.js';

export const grid64 = {
  name: 'grid64',
  setup: () => ({ taken: Array(64).fill(0), count: 0, moves: 0 }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    take: ({ G, playerID }, cell) => {
      if (!Number.isInteger(cell) || cell < 0 || cell > 63 || G.taken[cell]) return INVALID_MOVE;
      G.taken[cell] = Number(playerID) + 1;
      G.moves += 1;
      G.count += 1;
      if (G.count === 64) {
        G.taken = Array(64).fill(0);
        G.count = 0;
      }
      return undefined;
    },
  },
};
