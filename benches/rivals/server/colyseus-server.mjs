// Colyseus with the least that the workload needs: no state to synchronise, each move checked and broadcast at once.
import http from 'node:http';
import { Room, Server } from '@colyseus/core';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { Grid64 } from './grid64.mjs';

class GridRoom extends Room {
  onCreate() {
    this.maxClients = 2;
    this.patchRate = null;
    this.autoDispose = true;
    this.grid = new Grid64();
    this.seats = new Map();
    this.onMessage('move', (client, cell) => {
      const seat = this.seats.get(client.sessionId);
      if (this.grid.move(seat, cell)) this.broadcast('taken', { seat, cell });
      else client.send('refused', cell);
    });
  }

  onJoin(client) {
    this.seats.set(client.sessionId, this.seats.size);
  }
}

const server = http.createServer();
const game = new Server({ greet: false, transport: new WebSocketTransport({ server }) });
game.define('grid64', GridRoom);
await game.listen(Number(process.env.PORT ?? 0), '127.0.0.1');
console.log(`listening on http://127.0.0.1:${server.address().port}`);
