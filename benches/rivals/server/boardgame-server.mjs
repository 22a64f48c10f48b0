// boardgame.io as its manual starts it: the state is kept in memory, and each client is sent what has changed.
import { Origins, Server } from 'boardgame.io/dist/cjs/server.js';
import { grid64 } from './boardgame-game.mjs';

const server = Server({ games: [grid64], origins: [Origins.LOCALHOST] });
const { appServer } = await server.run({ port: Number(process.env.PORT ?? 0) });
console.log(`listening on http://127.0.0.1:${appServer.address().port}`);
