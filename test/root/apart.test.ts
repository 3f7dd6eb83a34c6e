import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { RunningProgram } from '#test/clients/e2e/program.ts';
import { DavitProcess } from '#test/clients/integration/davit-process.ts';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { ctr } from './container-runtime.ts';
import { HOST } from './setup.ts';
import { KUBECTL, TestNode } from './test-node.ts';

const STATIC_PODS = '/run/static-pods';
/** The folder of the host where the pods of these tests record their starts. */
const SEEN = '/run/seen';
let node: TestNode;

beforeAll(async () => {
  for (const folder of [STATIC_PODS, SEEN]) mkdirSync(folder, { recursive: true });
  node = await TestNode.start(
    `--pod-manifest-path=${STATIC_PODS}`,
    '--file-check-frequency=1s',
    '--sync-frequency=5s',
    '--cgroups-per-qos=true',
  );
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

/** A pod that records each start of its container. */
const noting = (name: string, script = FOREVER, volumes: readonly object[] = []): object => {
  const mounts = volumes.map((_, index) => ({ name: `more${index}`, mountPath: `/more${index}` }));
  const container = shell(`echo started >> ${SEEN}/${name}; ${script}`, {
    volumeMounts: [{ name: 'seen', mountPath: SEEN }, ...mounts],
  });
  const seen = { name: 'seen', hostPath: { path: SEEN } };
  const named = volumes.map((volume, index) => ({ name: `more${index}`, ...volume }));
  return aPod(name, '', { terminationGracePeriodSeconds: 1, containers: [container], volumes: [seen, ...named] });
};

const starts = (name: string): number =>
  existsSync(join(SEEN, name)) ? readFileSync(join(SEEN, name), 'utf8').trim().split('\n').length : 0;

async function startServer(port: number): Promise<void> {
  node.server = await DavitProcess.start(join(node.folder, 'data'), port, ['--host', HOST]);
}

async function kubectl(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await node.kubectl(...args);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}\n${node.log.slice(-3000)}`);
  return stdout;
}

const log = (): string => node.log.slice(-4000);

test('a node without the server restarts containers, runs static pods and survives a restart of its agent', async () => {
  await kubectl('create', 'secret', 'generic', 'words', '--from-literal=word=first');
  const exits = `until test -e ${SEEN}/exit; do sleep 1; done; test $(wc -l < ${SEEN}/exits) = 1 && exit 1; ${FOREVER}`;
  await node.apply(noting('stays'), noting('exits', exits, [{ secret: { secretName: 'words' } }]), noting('goes'));
  await kubectl('wait', '--for=condition=Ready', 'pod', '--all', '--timeout=60s');
  const { port } = node.server;
  await node.server[Symbol.asyncDispose]();

  writeFileSync(join(SEEN, 'exit'), '');
  await eventually(() => starts('exits') === 2, log);
  writeFileSync(join(STATIC_PODS, 'early.json'), JSON.stringify(noting('early')));
  await eventually(() => starts('early') === 1, log);

  await node.restartAgent();
  writeFileSync(join(STATIC_PODS, 'late.json'), JSON.stringify(noting('late')));
  await eventually(() => starts('late') === 1, log);

  await startServer(port);
  await kubectl('delete', 'pod', 'goes', '--force', '--grace-period=0');
  await kubectl('wait', '--for=condition=Ready', 'pod/stays', 'pod/exits', '--timeout=60s');
  await eventually(async () => (await node.kubectl('get', 'pod', 'early-n1', 'late-n1')).code === 0, log);
  await kubectl('wait', '--for=condition=Ready', 'pod/early-n1', 'pod/late-n1', '--timeout=60s');
  const restarts = 'jsonpath={.status.containerStatuses[0].restartCount}';
  expect(await kubectl('get', 'pod', 'exits', '-o', restarts)).toBe('1');
  expect(['stays', 'exits', 'early', 'late'].map(starts)).toEqual([1, 2, 1, 1]);
  await eventually(() => ctr('containers', 'ls', '-q', 'labels."io.kubernetes.pod.name"==goes') === '', log);
});

test('a restart of the agent ends no pod, and does not show a ready node as NotReady', async () => {
  await node.apply(noting('goes-on'));
  await kubectl('wait', '--for=condition=Ready', 'pod/goes-on', '--timeout=60s');
  const ready = '{.status.conditions[?(@.type=="Ready")].status}';
  const args = ['--kubeconfig', node.server.kubeconfig, 'get', 'node', 'n1', '-w', '-o', `jsonpath=${ready}{"\\n"}`];
  await using watch = new RunningProgram(KUBECTL, args);
  await watch.says(/True/);
  const renewed = async () => (await node.kubectl('get', 'events', '-o', 'jsonpath={.items[*].reason}')).stdout;
  const before = (await renewed()).split('Starting').length;
  expect(await node.restartAgent('SIGTERM')).toBe(0);
  await eventually(async () => (await renewed()).split('Starting').length > before, log);
  await node.apply(noting('after'));
  await kubectl('wait', '--for=condition=Ready', 'pod/after', '--timeout=60s');
  expect(watch.stdout).not.toMatch(/False|Unknown/);
  expect(starts('goes-on')).toBe(1);
});
