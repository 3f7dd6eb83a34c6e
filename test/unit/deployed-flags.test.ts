import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEPLOYED_FLAGS } from '#lib/server/options/deployed-flags.ts';
import { davitCommand } from '#local/command.ts';
import { CONTEXT_NAMES } from '../../infra/context.ts';

/** The table of docs/deploy.md: flags, the context values with the same meaning, and notes. */
const rows = readFileSync(join(import.meta.dirname, '../../docs/deploy.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `--'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, flags = '', context = '', notes = '']) => ({
    flags: [...flags.matchAll(/`(--[\w-]+)`/g)].map(([, flag = '']) => flag),
    context: /^`(\w+)`$/.exec(context)?.[1],
    notes,
  }));

const flags = davitCommand().options.map((option) => ({ long: option.long ?? '', name: option.attributeName() }));

test('docs/deploy.md lists a context value for each local flag, or a reason why it has none', () => {
  const told = rows.flatMap((row) => row.flags);
  expect(told.toSorted()).toEqual(flags.map(({ long }) => long).toSorted());
  const unexplained = rows.filter(({ context, notes }) => context === undefined && notes === '');
  expect(unexplained).toEqual([]);
});

test('docs/deploy.md lists only existing context values, and every one that a flag has', () => {
  const named = rows.flatMap(({ context }) => context ?? []);
  expect(named.filter((name) => !CONTEXT_NAMES.includes(name))).toEqual([]);
  const deployed = Object.values(DEPLOYED_FLAGS).flatMap((subject) => Object.keys(subject));
  expect(deployed.filter((name) => !named.includes(name))).toEqual([]);
});

test('a context value has the name of its flag in camel case', () => {
  const deployed = new Set(Object.values(DEPLOYED_FLAGS).flatMap((subject) => Object.keys(subject)));
  const names = rows.flatMap((row) => (row.context !== undefined && deployed.has(row.context) ? [row] : []));
  for (const row of names) {
    expect(row.flags).toHaveLength(1);
    expect(flags.find(({ long }) => long === row.flags[0])?.name).toBe(row.context);
  }
});
