// The cards of sharing. What each shows and scores is a rule of the game that everybody may know: the same as in
// ../src/animal.rs; a test compares them.

export const ANIMALS = [
  ...['Ant', 'Badger', 'Camel', 'Deer', 'Eagle', 'Ferret', 'Goat', 'Heron', 'Ibex', 'Jay', 'Kite', 'Lark', 'Mole'],
  ...['Newt', 'Otter', 'Puma', 'Quail', 'Rook', 'Seal', 'Tern', 'Urchin', 'Vole', 'Wasp', 'Xerus', 'Yak', 'Zander'],
  ...['Zebra', 'Zebu', 'Zokor', 'Zonkey', 'Zorilla', 'Zyzzyva'],
];

export const symbolsOf = (animal: string): number => (ANIMALS.indexOf(animal) % 3) + 1;
export const valueOf = (animal: string): number => (ANIMALS.indexOf(animal) % 5) + 1;
