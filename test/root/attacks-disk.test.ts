import { execFileSync } from 'node:child_process';
import { closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod } from './builders.ts';
import { TestNode } from './test-node.ts';

let node: TestNode;

beforeAll(async () => {
  node = await TestNode.start('--eviction-pressure-transition-period=1s');
  await node.apply(aPod('before'));
  await ready('before');
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

/** Runs kubectl, and returns its output. Throws if it fails. */
async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await node.kubectl(...args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}\n${node.log.slice(-3000)}`);
  return stdout;
}

const ready = (name: string): Promise<string> =>
  kubectl('wait', '--for=condition=Ready', '--timeout=180s', `pod/${name}`);

const healthz = (): Promise<string> => kubectl('get', '--raw', '/api/v1/nodes/n1/proxy/healthz');

const diskPressure = (): Promise<string> =>
  kubectl('get', 'node', 'n1', '-o', 'jsonpath={.status.conditions[?(@.type=="DiskPressure")].status}');

/** Fills a tmpfs so that neither a byte nor an inode is free, until disposal. */
function full(folder: string): Disposable {
  const { blocks, bfree, bsize, files, ffree } = statfsSync(folder);
  const file = join(folder, 'filled');
  const descriptor = openSync(file, 'w');
  remount(folder, `size=${(blocks - bfree + 16) * bsize},nr_inodes=${files - ffree + 1}`);
  try {
    for (;;) writeSync(descriptor, Buffer.alloc(bsize));
  } catch (error) {
    expect(String(error)).toContain('ENOSPC');
  } finally {
    closeSync(descriptor);
  }
  return {
    [Symbol.dispose]() {
      rmSync(file);
      remount(folder, `size=${blocks * bsize},nr_inodes=${files}`);
    },
  };
}

const remount = (folder: string, options: string): Buffer =>
  execFileSync('mount', ['-o', `remount,${options}`, folder], { stdio: 'pipe' });

test.each([
  ['logs', '/var/log/pods'],
  ['the runtime’s state', '/run'],
])('a full disk for %s is reported by events, and pods start once there is room', async (_, folder) => {
  const name = `late${folder.replaceAll('/', '-')}`;
  {
    using _room = full(folder);
    await node.apply(aPod(name));
    const events = [
      'get',
      'events',
      `--field-selector=involvedObject.name=${name}`,
      '-o',
      'jsonpath={.items[*].message}',
    ];
    await eventually(
      async () => (await kubectl(...events)).includes('no space left on device'),
      () => node.log.slice(-4000),
    );
    expect(await healthz()).toBe('ok');
    expect(await kubectl('exec', 'before', '--', 'echo', 'still here').catch(String)).toMatch(
      folder === '/run' ? /no space left|still here/ : /^still here\n$/,
    );
  }
  await ready(name);
  await ready('before');
});

test('a full disk for the agent causes DiskPressure, and pods start when there is room', async () => {
  {
    using _room = full('/var/lib/kubelet');
    await eventually(
      async () => (await diskPressure()) === 'True',
      () => node.log.slice(-4000),
    );
    expect(await healthz()).toBe('ok');
    await node.apply(aPod('pressed'));
  }
  await eventually(
    async () => (await diskPressure()) === 'False',
    () => node.log.slice(-4000),
  );
  await ready('pressed');
});
