import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** The maximum number of rows that are not done or not tested yet. Lower these numbers with each row. */
const NOT_DONE = 17;
const NOT_TESTED = 17;
/** Emitters that compose a reason from parts. */
const COMPOSED = /`(Successful|Failed)\$\{/;

const rows = read('docs/event-reasons.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && line.includes('`'))
  .map((line) => line.slice(2, -2).split(' | '))
  .map(([component = '', reason = '', type = '', emitter = '', proof = '']) => ({
    component,
    reason: unquoted(reason),
    type,
    emitter: unquoted(emitter.trim()),
    proof: proof.trim(),
  }));

function unquoted(cell: string): string {
  return cell.replaceAll('`', '');
}

const emitted = rows.filter(({ emitter }) => emitter !== '');
const names = (text: string, reason: string): boolean => new RegExp(`\\b${reason}\\b`).test(text);

test('lists each reason of a component exactly once', () => {
  const keys = rows.map(({ component, reason }) => `${component} ${reason}`);
  expect(keys.length).toBeGreaterThan(150);
  expect(new Set(keys).size).toBe(keys.length);
  for (const { type } of rows) expect(type).toMatch(/^(Normal|Warning)( or (Normal|Warning))?$/);
});

describe.each(emitted)('the event reason $component $reason', ({ reason, emitter, proof }) => {
  test('has an emitter and a test', () => {
    const source = read(emitter);
    expect(source.includes(`'${reason}'`) || COMPOSED.test(source), `${emitter} does not name ${reason}`).toBe(true);
    if (proof === 'not tested yet') return;
    expect(names(read(unquoted(proof)), reason), `${proof} does not name ${reason}`).toBe(true);
  });
});

test('a reason without an emitter has a cause', () => {
  for (const { emitter, proof } of rows)
    if (emitter === '') expect(proof).toMatch(/^(unreachable: .{10,}|not done yet(: .+)?)$/);
});

test('fewer reasons are missing or untested than before', () => {
  expect(rows.filter(({ proof }) => proof.startsWith('not done yet')).length).toBeLessThanOrEqual(NOT_DONE);
  expect(rows.filter(({ proof }) => proof === 'not tested yet').length).toBeLessThanOrEqual(NOT_TESTED);
});
