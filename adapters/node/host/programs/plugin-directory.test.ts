import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { PluginFolder } from './plugin-directory.ts';

let root: string;
let path: string;
const faults: unknown[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'plugins-'));
  path = join(root, 'plugins_registry');
});

afterEach(() => rmSync(root, { recursive: true }));

/** Creates a socket and returns a function that closes it. */
async function socketAt(name: string): Promise<() => Promise<void>> {
  const server = createServer().listen(join(path, name));
  await once(server, 'listening');
  return async () => {
    server.close();
    await once(server, 'close');
    await rm(join(path, name), { force: true });
  };
}

const folder = (): PluginFolder => new PluginFolder(path, (error) => void faults.push(error));

test('finds sockets in the folder and below it, and creates the folder', async () => {
  expect(await folder().sockets()).toEqual([]);
  await mkdir(join(path, 'driver'));
  await mkdir(join(path, '.hidden'));
  await writeFile(join(path, 'a-file'), '');
  const close = await Promise.all(['b.sock', '.dot.sock', 'driver/a.sock', '.hidden/c.sock'].map(socketAt));
  const found = await folder().sockets();
  expect(found.map((socket) => socket.path.slice(path.length + 1))).toEqual(['b.sock', 'driver/a.sock']);
  await Promise.all(close.map((end) => end()));
});

test('a recreated socket has another identity', async () => {
  await folder().sockets();
  await (
    await socketAt('a.sock').then(async (close) => {
      const [before] = await folder().sockets();
      await close();
      const closeAgain = await socketAt('a.sock');
      const [after] = await folder().sockets();
      expect(after?.path).toBe(before?.path);
      expect(after?.identity).not.toBe(before?.identity);
      return closeAgain;
    })
  )();
});

test('reports changes of the folder', async () => {
  const stop = new AbortController();
  await folder().sockets();
  let changes = 0;
  folder().watch(() => void changes++, stop.signal);
  await eventually(async () => {
    await (await socketAt('a.sock'))();
    return changes > 0;
  });
  stop.abort();
  expect(faults).toEqual([]);
});
