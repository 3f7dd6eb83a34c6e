import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { DataDirectory, startMain } from './davit-process.ts';

/** The output of a server that refuses to start. */
async function refusal(args: readonly string[]): Promise<{ code: number; lines: string[] }> {
  await using program = startMain(args);
  const { code, stderr } = await program.ended();
  const lines = stderr.trimEnd().split('\n');
  return { code, lines: lines.filter((line) => !line.includes('"message":"request"')) }; // ignore slow requests on a busy machine
}

test.each<[string, (directory: string) => void, string[], RegExp]>([
  [
    'a damaged identity',
    (at) => writeFileSync(join(at, 'identity.json'), '{'),
    [],
    /identity.json is damaged .*; restore it/,
  ],
  ['an identity of nothing', (at) => writeFileSync(join(at, 'identity.json'), '{}'), [], /identity.json is damaged/],
  [
    'a damaged database',
    (at) => writeFileSync(join(at, 'davit.db'), 'x'.repeat(5000)),
    [],
    /davit.db: file is not a database/,
  ],
  ['a directory for a database', (at) => mkdirSync(join(at, 'davit.db')), [], /davit.db: unable to open database file/],
  [
    'a directory for a kubeconfig',
    (at) => mkdirSync(join(at, 'kubeconfig')),
    [],
    /kubeconfig: a directory is where a file/,
  ],
  [
    'a file for a directory',
    () => undefined,
    ['--data-dir', '/etc/passwd'],
    /cannot use \/etc\/passwd: not a directory/,
  ],
  [
    'where nothing can be made',
    () => undefined,
    ['--data-dir', '/proc/x/y'],
    /cannot use \/proc\/x\/y: there is no such place/,
  ],
  [
    'a file of a flag',
    () => undefined,
    ['--encryption-provider-config', '/nowhere/config.yaml'],
    /cannot use \/nowhere\/config.yaml: there is no such place$/,
  ],
  [
    'an address of another machine',
    () => undefined,
    ['--host', '192.0.2.1'],
    /192.0.2.1:0 is no address of this machine/,
  ],
])('reports %s in one clear line', async (_, prepare, args, line) => {
  using directory = new DataDirectory();
  prepare(directory.path);
  const { code, lines } = await refusal(['--port', '0', '--data-dir', directory.path, ...args]);
  expect(lines).toEqual([expect.stringMatching(line)]);
  expect(code).toBe(1);
});

test('reports a port in use in one clear line', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { code, lines } = await refusal(['--port', String(port), '--in-memory']);
  other.close();
  expect(lines).toEqual([`davit: 127.0.0.1:${port} is in use; stop what listens there, or choose another with --port`]);
  expect(code).toBe(1);
});

test('is ready only when its kubeconfig is written', async () => {
  using directory = new DataDirectory();
  const port = await freePort();
  await using _ = startMain(['--port', String(port), '--data-dir', directory.path]);
  await eventually(async () => expect(await health(port, '/readyz')).toBe(200));
  expect(existsSync(join(directory.path, 'kubeconfig'))).toBe(true);
});

/** The status of a health check; undefined if no server listens on the port. */
function health(port: number, path: string): Promise<number | undefined> {
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  get({ port, path, rejectUnauthorized: false, agent: false }, (answer) => resolve(answer.resume().statusCode)).once(
    'error',
    () => resolve(undefined),
  );
  return promise;
}
