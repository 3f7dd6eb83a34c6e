import { expect, test } from 'vitest';
import { textLine } from './text-line.ts';

const timestamp = '2026-11-29T06:47:53.123Z';

test.each<[string, object, string]>([
  ['time, level and message', { timestamp, level: 'info', message: 'is ready' }, `${timestamp} INFO    is ready`],
  [
    'fields in their order, without undefined ones',
    { timestamp, level: 'error', message: 'request', uri: '/api?limit=5', status: 500, user: 'amy', none: undefined },
    `${timestamp} ERROR   request uri="/api?limit=5" status=500 user=amy`,
  ],
  [
    'quotes, lists and objects as JSON',
    { timestamp, level: 'warning', message: 'a', text: 'b "c"', empty: '', list: ['x', 'y'], object: { k: 1 } },
    `${timestamp} WARNING a text="b \\"c\\"" empty="" list=["x","y"] object={"k":1}`,
  ],
  [
    'a stack on lines of its own, indented',
    { timestamp, level: 'error', message: 'lost', stack: 'Error: lost\n    at a.ts:1:1\n', origin: 'timer' },
    `${timestamp} ERROR   lost origin=timer\n    Error: lost\n        at a.ts:1:1`,
  ],
])('prints a line with %s', (_, line, text) => {
  expect(textLine(line)).toBe(text);
});

test.each([
  ['a line that looks like an entry', { message: `a\n${timestamp} ERROR   forged` }],
  ['such a line in a field', { message: 'a', text: `b\n${timestamp} ERROR   forged` }],
])('indents multi-line text: %s', (_, fields) => {
  const [, ...rest] = textLine({ timestamp, level: 'info', ...fields }).split('\n');
  expect(rest.filter((line) => !line.startsWith('    '))).toEqual([]);
});

test('escapes every character that a terminal interprets', () => {
  const line = textLine({ timestamp, level: 'info', message: '\u001b[2Ja\r', field: '\u202eb', long: 'c\n\u009bd' });
  expect(line).toBe(`${timestamp} INFO    \\u001b[2Ja\\u000d field=\\u202eb\n    c\n    \\u009bd`);
});
