// The player of this browser, as the server knows them: an account without a password, made when it is first needed.
// A server without accounts has none of this; then people are guests with a name, and nothing here is shown.

import { LobbyClient, ParlorError, type Json, type LobbyState, type Player } from '@parlor/client';
import { floating } from './floating.svelte.ts';
import { fault } from './i18n/index.svelte.ts';
import { api } from './live.svelte.ts';
import { router } from './router.svelte.ts';
import { accountToken, keepTable, playerName, rename } from './session.ts';
import { settings } from './settings.svelte.ts';

/** After so long bots take the seats that nobody wanted. */
const BOTS_AFTER_MS = 30_000;

class People {
  /** Whether this server has accounts and queues; unknown until it was asked. */
  served: boolean | undefined = $state();
  state: LobbyState | undefined = $state.raw();
  /** When the wait began, in milliseconds of the wall clock. */
  since = $state(0);
  #client: LobbyClient | undefined;

  get player(): Player | undefined {
    return this.state?.player;
  }

  /** Asks the server, and greets it where this browser already has a player. */
  async look(): Promise<void> {
    const token = accountToken();
    // A stranger asks for nothing that they would be refused: whether there are accounts shows when they want one.
    if (this.served === undefined && !token) this.served = true;
    if (this.served === undefined) {
      const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
      const reply = await fetch('/players/me', { headers }).catch(() => undefined);
      if (reply) this.served = reply.status !== 404;
    }
    if (this.served && token) this.#greet();
  }

  #greet(): LobbyClient {
    if (this.#client && this.state?.status !== 'closed') return this.#client;
    const client = new LobbyClient({
      url: location.origin,
      storage: localStorage,
      nickname: playerName(),
      language: settings.lang,
    });
    this.#client = client;
    client.subscribe((state) => (this.state = state));
    client.on('ready', (player) => rename(player.nickname));
    client.on('problem', ({ code, message }) => floating.toast(fault({ code, template: message })));
    client.on('matchFound', ({ gameId, game, table }) => {
      // The seat's token is kept: the table's own page takes the seat with a connection of its own.
      keepTable({ id: gameId, game, at: Date.now() });
      table.stop();
      this.leave();
      router.go(`/t/${gameId}`);
    });
    return client.connect();
  }

  /** Makes an account where this browser has none yet; says whether it has one then. */
  async enter(): Promise<boolean> {
    await this.#greet().until(({ player, status }) => player !== undefined || status === 'closed');
    const entered = this.player !== undefined;
    this.leave();
    return entered;
  }

  /** Looks for players of a game, with the settings of its tables where it has some. */
  queue(game: string, order: { settings?: Json } = {}): void {
    this.since = Date.now();
    this.#greet().queueJoin({ game, fillWithBotsAfterMs: BOTS_AFTER_MS, ...order });
  }

  cancel(): void {
    this.#client?.queueLeave();
  }

  /** Goes from the lobby to a table. */
  leave(): void {
    this.#client?.stop();
    this.#client = undefined;
  }

  /** Takes another name. Nothing where it was taken; else the reason why not. */
  async rename(nickname: string): Promise<string> {
    const token = accountToken();
    if (!this.served || !token) {
      rename(nickname);
      return '';
    }
    try {
      const player = await api.as(token).rename(nickname);
      rename(player.nickname ?? nickname);
      if (this.state?.player) this.state = { ...this.state, player: { ...this.state.player, ...player } };
      return '';
    } catch (error) {
      return error instanceof ParlorError ? fault({ code: error.code, template: error.message }) : String(error);
    }
  }
}

export const people = new People();
