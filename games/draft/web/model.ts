// The cube of the draft: what a card is worth is a rule of the game that everybody may know. The same table as
// ../src/cube.rs; a test compares them.

export const COLOURS = ['White', 'Blue', 'Black', 'Red', 'Green'];
export const KINDS = [
  'Adder',
  'Bear',
  'Crane',
  'Drake',
  'Eel',
  'Fox',
  'Gnome',
  'Hawk',
  'Imp',
  'Jackal',
  'Kraken',
  'Lynx',
  'Moth',
  'Newt',
  'Owl',
  'Pixie',
  'Quail',
  'Raven',
  'Sphinx',
  'Toad',
  'Unicorn',
  'Viper',
  'Wolf',
  'Yeti',
];

/** How strong a card is, from 1 to 9; nothing for a card that is not of the cube. */
export function power(title: string): number | undefined {
  const [colour = '', kind = ''] = title.split(' ');
  const [c, k] = [COLOURS.indexOf(colour), KINDS.indexOf(kind)];
  return c < 0 || k < 0 ? undefined : (((k * COLOURS.length + c) * 7 + 3) % 9) + 1;
}

/** The strength of a deck: its cards, and one more for every pair of a colour. */
export function strength(deck: readonly string[]): number {
  const pairs = COLOURS.reduce(
    (sum, colour) => sum + Math.floor(deck.filter((card) => card.startsWith(`${colour} `)).length / 2),
    0,
  );
  return deck.reduce((sum, card) => sum + (power(card) ?? 0), pairs);
}
