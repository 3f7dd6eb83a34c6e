import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { GIT_VERSION } from '#lib/server/endpoints/version.ts';
import { lockDirectory, ownerOf } from '../data-directory.ts';
import { startApiserver } from '../start-apiserver.ts';
import { serverStatus, statusText } from './server-status.ts';
import { stopServer } from './stop.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'davit-status-'));
});
afterEach(() => rm(directory, { recursive: true }));

test('reports a server that is ready: process, address, version and kubeconfig', async () => {
  await using server = await startApiserver({ dataDirectory: directory, controllers: false });
  expect(await serverStatus(directory)).toMatchObject({ pid: String(process.pid), notReady: 'it is starting' });
  const kubeconfig = join(directory, 'kubeconfig');
  await writeFile(kubeconfig, server.kubeconfig);
  const since = expect.any(Date);
  const { url } = server;
  const status = { pid: String(process.pid), since, directory, kubeconfig, url, version: GIT_VERSION };
  expect(await serverStatus(directory)).toEqual(status);
});

test('reports the failed checks of a server that is not ready', async () => {
  const check = async (): Promise<void> => Promise.reject(new Error('not yet'));
  await using server = await startApiserver({
    dataDirectory: directory,
    controllers: false,
    healthChecks: [{ name: 'late', readiness: true, check }],
  });
  await writeFile(join(directory, 'kubeconfig'), server.kubeconfig);
  expect((await serverStatus(directory))?.notReady).toBe('[-]late failed: reason withheld');
});

test('reports a process that does not serve, and does not stop it', async () => {
  const unlock = await lockDirectory(directory, 'command');
  expect((await serverStatus(directory))?.notReady).toMatch(/not a server/);
  await expect(stopServer(directory, 0)).rejects.toThrow(`process ${process.pid} has ${directory} and is not a server`);
  await unlock();
  expect(await serverStatus(directory)).toBeUndefined();
});

test('reports a kubeconfig whose server does not respond', async () => {
  const { kubeconfig } = await startApiserver({ controllers: false }).then(async (server) => {
    await server.close();
    return server;
  });
  const unlock = await lockDirectory(directory, 'serve');
  await writeFile(join(directory, 'kubeconfig'), kubeconfig);
  expect((await serverStatus(directory))?.notReady).toMatch(/ECONNREFUSED/);
  await unlock();
});

test.each(['', '0', '-1', '1x'])('reads no process id from %j', async (text) => {
  const unlock = await lockDirectory(directory, 'serve');
  await writeFile(join(directory, 'pid'), text);
  expect(await ownerOf(directory)).toEqual({ pid: 'unknown', isServer: false });
  await unlock();
});

test('the text has a line for each known fact', () => {
  const now = Date.parse('2026-01-01T00:05:00Z');
  const known = { pid: '7', directory: '/data', since: new Date(now - 243_000) };
  expect(statusText({ ...known, url: 'https://a', version: 'v1', kubeconfig: '/data/kubeconfig' }, now)).toBe(
    [
      'Process     7',
      'Address     https://a',
      'Version     v1',
      'Uptime      4m3s',
      'Ready       yes',
      'Kubeconfig  /data/kubeconfig',
      'Data        /data\n',
    ].join('\n'),
  );
  expect(statusText({ ...known, notReady: 'it is starting' }, now)).toBe(
    'Process     7\nUptime      4m3s\nReady       no: it is starting\nData        /data\n',
  );
});
