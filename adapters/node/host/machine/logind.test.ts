import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { HostLogind, preparesForShutdown } from './logind.ts';
import { hostShutdownState } from './shutdown-state-file.ts';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'logind-'));
});
afterEach(() => rm(root, { recursive: true }));

async function program(name: string, script: string): Promise<string> {
  const path = join(root, name);
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const message = (value: boolean): string =>
  `{"type":"signal","path":"/org/freedesktop/login1","member":"PrepareForShutdown","payload":{"type":"b","data":[${value}]}}`;

test('reads the delay and changes it with a file that logind reloads', async () => {
  const busctl = await program('busctl', `echo "$@" >> ${join(root, 'calls')}; echo 't 5000000'`);
  const logind = new HostLogind({ busctl, configuration: join(root, 'logind.conf.d') });
  expect(await logind.currentInhibitDelay()).toBe(5000);
  await logind.overrideInhibitDelay(30_000);
  expect(await readFile(join(root, 'logind.conf.d/99-kubelet.conf'), 'utf8')).toBe(
    '# Kubelet logind override\n[Login]\nInhibitDelayMaxSec=30\n',
  );
  expect((await readFile(join(root, 'calls'), 'utf8')).trim().split('\n')).toEqual([
    'get-property org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager InhibitDelayMaxUSec',
    'call org.freedesktop.systemd1 /org/freedesktop/systemd1 org.freedesktop.systemd1.Manager KillUnit ssi systemd-logind.service all 1',
  ]);
});

test('holds a lock until it is released', async () => {
  const marker = join(root, 'released');
  const inhibit = await program('inhibit', `cat; echo done > ${marker}`);
  const lock = await new HostLogind({ inhibit }).inhibitShutdown();
  const isReleased = (): Promise<boolean> => readFile(marker).then(Boolean, () => false);
  expect(await isReleased()).toBe(false);
  lock.release();
  lock.release();
  await eventually(isReleased);
});

test('reports a signal before its line ends', async () => {
  const busctl = await program('busctl', `printf '%s' '${message(true)}'; exec sleep 600`);
  const ending = new AbortController();
  const told: boolean[] = [];
  for await (const value of new HostLogind({ busctl }).monitorShutdown(ending.signal)) {
    told.push(value);
    ending.abort();
  }
  expect(told).toEqual([true]);
});

test('separates several signals and partial ones', () => {
  const text = `${message(true)}\n${message(false)}\n`;
  expect(preparesForShutdown(text).signals).toEqual([true, false]);
  const { signals, open } = preparesForShutdown(text.slice(0, -10));
  expect(signals).toEqual([true]);
  expect(preparesForShutdown(open + text.slice(-10)).signals).toEqual([false]);
});

test('throws an error on a machine without logind', async () => {
  const busctl = await program('busctl', "echo 'Failed to connect to bus' >&2; exit 1");
  const logind = new HostLogind({ busctl, inhibit: join(root, 'gone') });
  await expect(logind.currentInhibitDelay()).rejects.toThrow(
    'cannot ask logind: exit status 1: Failed to connect to bus',
  );
  await expect(logind.inhibitShutdown()).rejects.toThrow('failed creating systemd inhibitor');
});

test('stores the state of a shutdown in a file', async () => {
  const state = hostShutdownState(root);
  expect(await state.read()).toBeUndefined();
  await state.write('{}');
  expect(await state.read()).toBe('{}');
});
