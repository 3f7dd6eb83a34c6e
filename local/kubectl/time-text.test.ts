import { expect, test } from 'vitest';
import { ageText, durationText } from './time-text.ts';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

test.each([
  [-5, '0s'],
  [119 * SECOND, '119s'],
  [4 * MINUTE + 3 * SECOND, '4m3s'],
  [12 * MINUTE + 3 * SECOND, '12m'],
  [3 * HOUR, '3h'],
  [49 * HOUR, '2d'],
])('%i ms ago is %s', (milliseconds, text) => expect(ageText(milliseconds)).toBe(text));

test.each([
  [0.1234, '0.123ms'],
  [999, '999ms'],
  [1250, '1.25s'],
  [10 * MINUTE, '10m0s'],
  [25 * HOUR, '25h0m'],
])('%d ms are %s', (milliseconds, text) => expect(durationText(milliseconds)).toBe(text));
