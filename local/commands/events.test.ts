import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { requester } from '#test/support/requester.ts';
import { davitCommand } from '../command.ts';
import { startApiserver } from '../start-apiserver.ts';
import { eventsCommand } from './events.ts';

const folder = mkdtempSync(join(tmpdir(), 'davit-events-'));
const SEQUENCE = ['--sequence', 'main//configmaps'];

let between = '';
let second = '';

beforeAll(async () => {
  const server = await startApiserver({ dataDirectory: folder, controllers: false });
  const send = requester(server);
  const make = (name: string) =>
    send('POST', '/api/v1/namespaces/team/configmaps', { metadata: { name }, data: { a: 'hidden' } });
  await send('POST', '/api/v1/namespaces', { metadata: { name: 'team' } });
  expect((await make('first')).status).toBe(201);
  const { body } = await send('GET', '/api/v1/namespaces/team/configmaps/first');
  second = String(Number((body['metadata'] as { resourceVersion: string }).resourceVersion) + 1);
  const made = Date.now();
  await eventually(() => Date.now() > made + 1);
  between = new Date().toISOString();
  await make('second');
  await server.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** The output of the command. */
async function replay(...args: readonly string[]): Promise<string> {
  const output = new PassThrough();
  const command = davitCommand().exitOverride();
  eventsCommand(command, output);
  for (const one of command.commands[0]?.commands ?? []) one.exitOverride().configureOutput({ writeErr() {} });
  await command.parseAsync(['--data-dir', folder, 'events', 'replay', ...args], { from: 'user' });
  output.end();
  return text(output);
}
const namesIn = (lines: string) =>
  lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { readonly name: string }).name);

test.each<[string, () => string[], string[]]>([
  ['a time before all', () => ['2020-01-01T00:00:00Z', ...SEQUENCE], ['first', 'second']],
  ['a time between', () => [between, ...SEQUENCE], ['second']],
  ['a time after all', () => ['2120-01-01', ...SEQUENCE], []],
  ['a version', () => [second, ...SEQUENCE], ['second']],
])('prints each event since %s as one line', async (_, args, expected) => {
  const printed = await replay('--from', ...args());
  expect(namesIn(printed)).toEqual(expected);
  expect(printed).not.toContain('hidden');
});

test('prints the events of all logs by default', async () => {
  const printed = await replay('--from', between, '--cluster-id', 'prod');
  expect(namesIn(printed)).toContain('second');
  expect(printed).toContain('"clusterId":"prod"');
});

test.each([
  ['neither a version nor a time', ['--from', 'yesterday'], 'a version or a time'],
  ['a version of no log', ['--from', '7'], 'requires --sequence'],
  ['nothing', [], 'give either --from or --letters'],
  ['letters without a table', ['--letters'], '--letters requires --table'],
])('rejects %s in one line', async (_, args, why) => {
  await expect(replay(...args)).rejects.toThrow(why);
});
