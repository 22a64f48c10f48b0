// The state of a table at which nothing happens: what fixtures and replays are made from.

import type { TableState } from '@parlor/client';
import type { View } from './model.ts';

export const STILL: TableState<View, View> = {
  status: 'live',
  tableId: '',
  token: undefined,
  seat: undefined,
  spectator: false,
  kept: undefined,
  v: 0,
  branchId: 0,
  matchNo: 1,
  view: undefined,
  viewHash: '',
  requests: [],
  seats: [],
  clocks: [],
  players: [],
  room: undefined,
  rematch: undefined,
  paused: undefined,
  over: undefined,
  commitment: undefined,
  notice: undefined,
  chat: [],
  events: [],
  pending: undefined,
  closed: undefined,
};
