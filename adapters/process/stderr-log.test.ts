import { afterEach, expect, test, vi } from 'vitest';
import { stderrLog } from './stderr-log.ts';

const { isTTY } = process.stderr;
afterEach(() => {
  process.stderr.isTTY = isTTY;
  vi.restoreAllMocks();
});

const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`;
const TEXT = new RegExp(`^${TIME} WARNING no route to=a$`);
const JSON_LINE = new RegExp(`^{"timestamp":"${TIME}","level":"warning","message":"no route","to":"a"}$`);

test.each([
  ['text', true, undefined, TEXT],
  ['JSON', false, undefined, JSON_LINE],
  ['JSON', true, 'json', JSON_LINE],
  ['text', false, 'text', TEXT],
] as const)('writes %s if isTTY is %s and the format is %s', (_, isTerminal, format, line) => {
  process.stderr.isTTY = isTerminal;
  const printed = vi.spyOn(console, 'error').mockReturnValue();
  stderrLog(format)({ level: 'warning', message: 'no route', to: 'a' });
  expect(printed.mock.calls).toEqual([[expect.stringMatching(line)]]);
});
