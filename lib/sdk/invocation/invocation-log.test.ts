import { describe, expect, test } from 'vitest';
import type { Invocation } from './invocation.ts';
import { InvocationLog, type InvocationQuery } from './invocation-log.ts';

const anInvocation = (id: string, more: Partial<Invocation> = {}): Invocation => ({
  id,
  type: 'Reconcile',
  function: 'sites',
  attempt: 1,
  start: '2023-11-14T22:13:20.000000Z',
  durationMs: 1,
  outcome: 'Done',
  ...more,
});
const object = { apiVersion: 'example.com/v1', kind: 'Site', namespace: 'team', name: 'home' };
const ids = (log: InvocationLog, query: Partial<InvocationQuery> = {}): string[] =>
  log.list({ limit: 100, ...query }).items.map(({ id }) => id);

describe('queries of the invocation log', () => {
  const log = new InvocationLog();
  log.record(anInvocation('a', { object }));
  log.record(anInvocation('b', { function: 'banks', outcome: 'Error' }));
  log.record(anInvocation('c', { object: { ...object, namespace: 'other' }, outcome: 'Terminal' }));
  log.record(anInvocation('d', { type: 'Webhook', function: 'no', outcome: 'Denied', object }));

  test.each<[string, Partial<InvocationQuery>, string[]]>([
    ['all invocations, the oldest first', {}, ['a', 'b', 'c', 'd']],
    ['those of one function', { function: 'banks' }, ['b']],
    ['none of an unknown function', { function: 'x' }, []],
    ['failures, but not denials', { failed: true }, ['b', 'c']],
    ['those of a kind, ignoring case', { kind: 'site' }, ['a', 'c', 'd']],
    ['those of an object', { kind: 'Site', namespace: 'team', name: 'home' }, ['a', 'd']],
    ['the last ones beyond the limit', { limit: 2 }, ['c', 'd']],
    ['those after a cursor', { after: 3 }, ['d']],
  ])('return %s', (_, query, expected) => expect(ids(log, query)).toEqual(expected));

  test('continue after the cursor of an earlier query', () => {
    const { cursor } = log.list({ limit: 1 });
    expect(ids(log, { after: cursor })).toEqual([]);
    log.record(anInvocation('e'));
    expect(ids(log, { after: cursor })).toEqual(['e']);
  });
});

test('limits each function separately, and evicts only its own entries', () => {
  const log = new InvocationLog({ ofOne: 400, functions: 10 });
  log.record(anInvocation('rare', { function: 'rare' }));
  for (let i = 0; i < 50; i++) log.record(anInvocation(`${i}`));
  const kept = ids(log);
  expect(kept[0]).toBe('rare');
  expect(kept.length).toBeGreaterThan(1);
  expect(kept.length).toBeLessThan(6);
  expect(kept.at(-1)).toBe('49');
});

test('drops an entry that exceeds the limit, and keeps later ones', () => {
  const log = new InvocationLog({ ofOne: 200, functions: 10 });
  log.record(anInvocation('large', { message: 'x'.repeat(1000) }));
  expect(ids(log)).toEqual([]);
  log.record(anInvocation('small'));
  expect(ids(log)).toEqual(['small']);
});

test('forgets the least recently active function', () => {
  const log = new InvocationLog({ ofOne: 1000, functions: 2 });
  for (const name of ['a', 'b', 'a', 'c']) log.record(anInvocation(`of ${name}`, { function: name }));
  expect(ids(log)).toEqual(['of a', 'of a', 'of c']);
});
