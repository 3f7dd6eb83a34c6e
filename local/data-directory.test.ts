import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkServerIdentity as checkIdentity, connect, type PeerCertificate } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { serverNames } from './advertise-address.ts';
import { namesAll } from './certs.ts';
import { type Identity, loadIdentity } from './data-directory.ts';
import { type RunningApiserver, startApiserver } from './start-apiserver.ts';

let directory = '';
beforeEach(async () => void (directory = await mkdtemp(join(tmpdir(), 'davit-identity-'))));
afterEach(() => rm(directory, { recursive: true }));

const now = new Date('2026-01-01T00:00:00Z');
const load = (...names: string[]): Promise<Identity> => loadIdentity(directory, { token: () => 'secret', now, names });

describe("the server's certificate", () => {
  test('names the given hosts and addresses in addition to those of every server', async () => {
    const { server } = await load('10.0.0.5', 'fd00::5', 'box.example');
    expect(namesAll(server.certificate, ['10.0.0.5', 'fd00::5', 'box.example', 'localhost', '10.96.0.1'])).toBe(true);
    expect(namesAll(server.certificate, ['10.0.0.6'])).toBe(false);
  });

  test('is issued again by the same authority if it lacks a name; everything else stays unchanged', async () => {
    const { server: before, ...rest } = await load('10.0.0.5');
    const { server, ...others } = await load('10.0.0.6');
    expect(others).toEqual(rest);
    expect(namesAll(server.certificate, ['10.0.0.6', 'localhost'])).toBe(true);
    const authority = new X509Certificate(rest.authority);
    expect(new X509Certificate(server.certificate).verify(authority.publicKey)).toBe(true);
    expect(server.key).not.toBe(before.key);
  });

  test('stays the same if it already has the names', async () => {
    const first = await load('10.0.0.5');
    expect(await load()).toEqual(first);
  });

  test("stays the same in a directory of an older version, which lacks the authority's key", async () => {
    const { authorityKey: _, ...older } = await load();
    await writeFile(join(directory, 'identity.json'), JSON.stringify(older));
    expect(await load('10.0.0.5')).toEqual(older);
  });
});

test('rejects a key that is not the authority’s as damage', async () => {
  const { server, ...identity } = await load();
  await writeFile(join(directory, 'identity.json'), JSON.stringify({ server, ...identity, authorityKey: server.key }));
  await expect(load()).rejects.toThrow('identity.json is damaged (another key)');
});

test('a server on all addresses is verified by its advertised address, its name and extra names', async () => {
  const reached = { host: '0.0.0.0', advertiseAddress: '192.0.2.77', certExtraSans: ['api.example'] };
  await using server = await startApiserver({ ...reached, controllers: false });
  expect(new URL(server.url).hostname).toBe('127.0.0.1');
  for (const name of ['127.0.0.1', '192.0.2.77', hostname(), 'api.example'])
    await expect(shownAs(name, server), name).resolves.toBe(true);
  await expect(shownAs('other.example', server)).rejects.toThrow(/does not match certificate's altnames/);
});

test('a server on loopback names an address that it advertises', () => {
  expect(serverNames({})).toEqual([]);
  expect(serverNames({ host: 'localhost', certExtraSans: ['api.example'] })).toEqual(['api.example']);
  expect(serverNames({ advertiseAddress: '192.0.2.77' })).toEqual(['192.0.2.77']);
  expect(serverNames({ host: '10.0.0.5' })).toEqual(['10.0.0.5', '10.0.0.5', hostname()]);
});

test('a server warns of names that its old certificate lacks', async () => {
  const warnings: string[] = [];
  const start = async (...certExtraSans: string[]): Promise<void> => {
    const reportWarning = (text: string): void => void warnings.push(text);
    await using server = await startApiserver({
      dataDirectory: directory,
      controllers: false,
      certExtraSans,
      reportWarning,
    });
    expect(server.port).toBeGreaterThan(0);
  };
  await start();
  const { authorityKey: _, ...older } = await load();
  await writeFile(join(directory, 'identity.json'), JSON.stringify(older));
  await start();
  expect(warnings).toEqual([]);
  await start('api.example');
  expect(warnings).toEqual([expect.stringContaining('does not name api.example')]);
});

/** Whether a client on this machine can verify the server under this name. */
function shownAs(name: string, { port, certificateAuthority: ca }: RunningApiserver): Promise<boolean> {
  const { promise, resolve, reject } = Promise.withResolvers<boolean>();
  const checkServerIdentity = (_: string, shown: PeerCertificate) => checkIdentity(name, shown);
  const socket = connect({ host: '127.0.0.1', port, ca, checkServerIdentity });
  socket.once('error', reject).once('secureConnect', () => resolve(socket.authorized));
  return promise.finally(() => socket.destroy());
}
