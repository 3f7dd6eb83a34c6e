import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitsOf, strangerLines, tableLines } from './abuse.ts';
import { dollarsOf, type Line, total } from './prices.ts';
import { synthesized } from './template.ts';

const SECURITY = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');
/** The units per second that a DynamoDB table without a cap serves, unless the account's quota was raised. */
const QUOTA = { readUnits: 40_000, writeUnits: 40_000 };

const dollars = (lines: readonly Line[]): string => `$${total(lines).toFixed(2)}`;
const rows = (lines: readonly Line[]): string[] =>
  lines.map((line) => `| ${line.what} | ${line.quantity.toLocaleString('en-US')} | $${dollarsOf(line).toFixed(2)} |`);
const missing = (texts: readonly string[]): string[] => texts.filter((text) => !SECURITY.includes(text));

const limits = limitsOf(synthesized({}));

test('docs/security.md has the price of an hour of unauthenticated requests, line by line', () => {
  const lines = strangerLines(limits);
  expect(missing([...rows(lines), `| together | | ${dollars(lines)} |`])).toEqual([]);
});

test('docs/security.md has the price of an hour of the table, with and without the cap', () => {
  const cell = (units: Parameters<typeof tableLines>[0]) => tableLines(units).map((line) => dollars([line]));
  expect(
    missing([
      `| 12,000 and 4,000 | ${cell(limits).join(' | ')} |`,
      `| 40,000 and 40,000 | ${cell(QUOTA).join(' | ')} |`,
    ]),
  ).toEqual([]);
});

test('a smaller concurrency costs less, in proportion', () => {
  const tenth = strangerLines(limitsOf(synthesized({ reservedConcurrency: 10 })));
  expect(total(tenth)).toBeCloseTo(total(strangerLines(limits)) / 10);
});

test('a stack without functions has no such limits', () => {
  expect(() => limitsOf(synthesized({ frontDoor: 'container' }))).toThrow('has no ReservedConcurrentExecutions');
});
