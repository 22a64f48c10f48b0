// Which of the shell's sounds an event makes.

import type { Event } from './types.ts';

export function soundOf(event: Event): 'call' | 'declare' | 'win' | undefined {
  switch (event.type) {
    case 'meld':
      return 'call';
    case 'riichi_accepted':
      return 'declare';
    case 'round_end':
      return 'wins' in event.result ? 'win' : undefined;
    default:
      return undefined;
  }
}
