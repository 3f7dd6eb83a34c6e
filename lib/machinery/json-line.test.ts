import { expect, test } from 'vitest';
import { jsonLine } from './json-line.ts';

test.each([
  ['a\nb\u001b[2J', '{"text":"a\\nb\\u001b[2J"}'],
  ['\u009b31m\u007f', '{"text":"\\u009b31m\\u007f"}'],
  ['\u2028\u2029', '{"text":"\\u2028\\u2029"}'],
  ['\u202etxt.exe', '{"text":"\\u202etxt.exe"}'],
  ['\u{e0041}', '{"text":"\\udb40\\udc41"}'],
  ['für 日本 🙂', '{"text":"für 日本 🙂"}'],
])('encodes %j as one line without control characters and without loss', (text, line) => {
  expect(jsonLine({ text })).toBe(line);
  expect(JSON.parse(line)).toEqual({ text });
});
