import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { PluginExecution } from '#lib/node/credentialprovider/plugin/exec-plugin.ts';
import { eventually } from '#test/support/eventually.ts';
import { hostPlugins } from './run-plugin.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'davit-plugin-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a shell script as a plugin. */
async function run(script: string, change: Partial<PluginExecution> = {}, mode = 0o755) {
  const path = join(folder, 'plugin');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, mode);
  const execution = { name: 'plugin', args: [], env: [], stdin: '', timeout: 60_000, ...change };
  const { stdout, ...rest } = await hostPlugins(folder)(execution);
  return { stdout: Buffer.from(stdout).toString(), ...rest };
}

test('a plugin receives standard input, its arguments, its variables and those of this process', async () => {
  process.env['DAVIT_OURS'] = 'ours';
  const env = [
    { name: 'MINE', value: 'first' },
    { name: 'MINE', value: 'mine' },
  ];
  const ended = await run('cat; echo " $1 $MINE $DAVIT_OURS"; echo log >&2', { stdin: '{}', args: ['--a'], env });
  delete process.env['DAVIT_OURS'];
  expect(ended).toEqual({ stdout: '{} --a mine ours\n', stderr: 'log\n' });
});

test.each<[why: string, script: string, change: Partial<PluginExecution>, failure: string]>([
  ['exits with a code', 'echo why >&2; exit 3', {}, 'exit status 3'],
  ['is killed', 'kill -9 $$', {}, 'signal: SIGKILL'],
  ['takes too long', 'sleep 1000', { timeout: 50 }, 'context deadline exceeded'],
  ['writes without end', 'yes', {}, 'its output is longer than 1048576 bytes'],
])('fails a plugin that %s', async (_, script, change, failure) => {
  expect((await run(script, change)).failure).toBe(failure);
});

test('kills a plugin that takes too long, along with the programs that it started', async () => {
  const file = join(folder, 'child');
  const { failure } = await run(`sleep 1000 & echo $! > ${file}; wait`, { timeout: 1000 });
  expect(failure).toBe('context deadline exceeded');
  const child = readFileSync(file, 'utf8').trim();
  await eventually(() => !existsSync(`/proc/${child}`) || readFileSync(`/proc/${child}/stat`, 'utf8').includes(' Z '));
});

test('succeeds for a plugin that does not read a long request', async () => {
  expect((await run('echo done', { stdin: 'x'.repeat(1 << 20) })).stdout).toBe('done\n');
});

test('keeps the first part of a long standard error', async () => {
  const { stderr } = await run('head -c 100000 /dev/zero >&2');
  expect(stderr.length).toBe(16384);
});

test("reports a file that cannot be run in the system's words", async () => {
  expect((await run('true', { name: 'absent' })).failure).toMatch(/^fork\/exec .*absent: /);
});

test.each<[what: string, change: Partial<PluginExecution>, failure: string]>([
  ['too long', { env: [{ name: 'X', value: 'x'.repeat(200_000) }] }, 'argument list too long'],
  ['with a null byte', { env: [{ name: 'X', value: 'secret\0' }] }, 'invalid argument'],
])('fails the run for a variable %s without showing its value', async (_, change, failure) => {
  expect((await run('true', change)).failure).toBe(`fork/exec ${join(folder, 'plugin')}: ${failure}`);
});

test('fails a run without free file descriptors, and the process continues', () => {
  const script = `
    import { openSync } from 'node:fs';
    import { hostPlugins } from '${new URL('run-plugin.ts', import.meta.url).href}';
    try { for (;;) openSync('/dev/null'); } catch {}
    const ended = await hostPlugins('/bin')({ name: 'true', args: [], env: [], stdin: '', timeout: 10 });
    process.stdout.write(ended.failure);`;
  const limited = ['-c', 'ulimit -n 64; exec "$0" "$@"', process.execPath, '--input-type=module', '-e', script];
  expect(execFileSync('sh', limited, { encoding: 'utf8' })).toMatch(/^fork\/exec \/bin\/true: .*EMFILE$/);
});
