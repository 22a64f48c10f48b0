import { expect, test } from 'vitest';
import { layoutFor } from '../../src/lib/layout.ts';

test.each([
  [320, 568, 'portrait'],
  [360, 780, 'portrait'],
  [390, 844, 'portrait'],
  [768, 1024, 'portrait'],
  [600, 560, 'portrait'],
  [568, 320, 'low'],
  [844, 390, 'low'],
  [1024, 768, 'tablet'],
  [1180, 820, 'tablet'],
  [1280, 560, 'desk'],
  [1280, 720, 'desk'],
  [2560, 1440, 'desk'],
])('%i x %i is %s', (width, height, layout) => {
  expect(layoutFor(width, height)).toBe(layout);
});
