import { expect, test } from 'vitest';
import { humanDuration } from './human-duration.ts';

test.each([
  [-3000, '<invalid>'],
  [-1500, '0s'],
  [119_000, '119s'],
  [180_000, '3m'],
  [185_000, '3m5s'],
  [3 * 3600_000, '3h'],
  [3 * 3600_000 + 60_000, '3h1m'],
  [47 * 3600_000, '47h'],
  [50 * 3600_000, '2d2h'],
  [100 * 86400_000, '100d'],
  [800 * 86400_000, '2y70d'],
  [4000 * 86400_000, '10y'],
])('formats %d ms as %s', (milliseconds, text) => expect(humanDuration(milliseconds)).toBe(text));
