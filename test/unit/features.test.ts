import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { davitCommand } from '#local/command.ts';
import { parseContext } from '../../infra/context.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

const state = z.enum(['works', 'part', 'no', '']);
const files = z.array(z.string());
/** The only table of supported features. A document that mentions a feature repeats its row. */
const FEATURES = z
  .array(
    z.strictObject({
      feature: z.string(),
      local: state,
      aws: state,
      notes: z.string(),
      tests: z.strictObject({ local: files, aws: files }),
    }),
  )
  .parse(JSON.parse(read('docs/features.json')));
const PLACES = ['local', 'aws'] as const;

test('docs/compatibility.md has the rows of docs/features.json', () => {
  const [, section = ''] = /^## Features\n([^]*?)^## /m.exec(read('docs/compatibility.md')) ?? [];
  const [, , ...rows] = section.split('\n').filter((line) => line.startsWith('|'));
  expect(rows).toEqual(
    FEATURES.map(({ feature, local, aws, notes }) =>
      `| ${feature} | ${local} | ${aws} | ${notes} |`.replaceAll('|  |', '| |'),
    ),
  );
});

test.each(FEATURES)('$feature names tests if it works, and none otherwise', ({ tests, ...feature }) => {
  for (const place of PLACES) {
    expect(tests[place].filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(tests[place].length > 0, place).toBe(feature[place] === 'works' || feature[place] === 'part');
  }
});

test('a note names options and links that exist', () => {
  const notes = FEATURES.map((feature) => feature.notes).join('\n');
  const flags = [...notes.matchAll(/`(--[a-z-]+)`/g)].map(([, flag = '']) => flag);
  const known = davitCommand().options.map(({ long }) => long);
  expect(flags.filter((flag) => ![...known, ...AGENT].includes(flag))).toEqual([]);
  const links = [...notes.matchAll(/\]\(([a-z-]+\.md)(?:#[\w-]+)?\)/g)].map(([, file = '']) => file);
  expect(links.filter((file) => !existsSync(join(ROOT, 'docs', file)))).toEqual([]);
});

/** Flags of the node agent that occur in notes. */
const AGENT = ['--network-policies'];

test.each(['metricsApi', 'nodes'])('a deployment has the context value %s', (name) => {
  const admin = 'arn:aws:iam::123456789012:role/Admin';
  expect(parseContext({ admin })).toHaveProperty(name);
  expect(FEATURES.filter(({ notes }) => notes.includes(`\`${name}\``))).not.toEqual([]);
});
