// Sounds, made on the spot: no files, nothing to load. Each is a few short tones.

import { settings } from './settings.svelte.ts';

type Tone = readonly [hz: number, atMs: number, ms: number];

const SOUNDS = {
  turn: [
    [523, 0, 90],
    [784, 90, 140],
  ],
  move: [[320, 0, 50]],
  warn: [[880, 0, 70]],
  call: [
    [440, 0, 60],
    [440, 80, 60],
  ],
  declare: [
    [659, 0, 80],
    [880, 80, 160],
  ],
  win: [
    [523, 0, 90],
    [659, 90, 90],
    [1047, 180, 240],
  ],
  end: [
    [523, 0, 110],
    [659, 110, 110],
    [784, 220, 220],
  ],
} as const satisfies Record<string, readonly Tone[]>;

let context: AudioContext | undefined;

/** Plays a sound where sounds are on. Browsers allow it once the page was touched; before that it stays silent. */
export function play(name: keyof typeof SOUNDS): void {
  if (!settings.sound || typeof AudioContext === 'undefined' || !navigator.userActivation?.hasBeenActive) return;
  context ??= new AudioContext();
  const start = context.currentTime + 0.01;
  for (const [hz, atMs, ms] of SOUNDS[name]) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const from = start + atMs / 1000;
    tone.frequency.value = hz;
    tone.type = 'triangle';
    volume.gain.setValueAtTime(0.0001, from);
    volume.gain.exponentialRampToValueAtTime(0.12, from + 0.012);
    volume.gain.exponentialRampToValueAtTime(0.0001, from + ms / 1000);
    tone.connect(volume).connect(context.destination);
    tone.start(from);
    tone.stop(from + ms / 1000 + 0.02);
  }
}
