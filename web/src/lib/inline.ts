// Pieces of a game inside a line of text: a tile in the log. The game's screen says how one is written and what draws
// it; the line itself stays a string.

import type { Component } from 'svelte';

export interface InlinePiece {
  /** How one is written; its group is what the piece is given. */
  readonly mark: RegExp;
  readonly piece: Component<{ code: string }>;
  /** In words, where nothing can be drawn. */
  readonly say: (code: string) => string;
}

const pieces: InlinePiece[] = [];

/** Called once, by the screen of a game. */
export function inlinePiece(piece: InlinePiece): void {
  pieces.push(piece);
}

/** Text cut at the pieces in it. */
export type Cut = string | { readonly code: string; readonly piece: InlinePiece };

export function cutPieces(text: string): Cut[] {
  return pieces.reduce<Cut[]>(
    (parts, piece) => parts.flatMap((part) => (typeof part === 'string' ? cut(part, piece) : [part])),
    [text],
  );
}

function cut(text: string, piece: InlinePiece): Cut[] {
  const parts = text.split(new RegExp(piece.mark, 'g'));
  // A split with one group gives text and codes in turn.
  return parts.map((part, n) => (n % 2 ? { code: part, piece } : part)).filter((part) => part !== '');
}

/** The same text without pictures. */
export const inWords = (text: string): string =>
  cutPieces(text)
    .map((cut) => (typeof cut === 'string' ? cut : cut.piece.say(cut.code)))
    .join('');
