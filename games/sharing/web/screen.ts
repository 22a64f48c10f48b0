// Sharing, as the shell finds it: words alone. It is played at the generic table, which tells events by their names.

import { defineScreen } from '$shell/lib/screen.ts';
import type { Event, View } from './types.ts';
import en from './words.en.ts';

export default defineScreen<View, Event>({
  words: en,
  scores: (view) => view.seats.map((seat) => seat.points),
});
