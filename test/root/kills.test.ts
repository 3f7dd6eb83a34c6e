import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod, shell } from './builders.ts';
import { leftoversAfterKills } from './leftovers.ts';
import { type Moment, RuntimeProxy, type Step } from './runtime-proxy.ts';
import { TestNode } from './test-node.ts';

const PROXY = '/run/proxy.sock';
const FILES = '/run/kills';
const MOMENTS: readonly Moment[] = ['before', 'during', 'after'];

const steps = (...calls: readonly (readonly [call: string, nth: number])[]): Step[] =>
  calls.flatMap(([call, nth]) => MOMENTS.map((moment) => ({ call, nth, moment })));

/** The agent's requests to the runtime when a pod with an init container and a container with hooks starts, and when it ends. */
const START = steps(
  ['RunPodSandbox', 1],
  ['CreateContainer', 1],
  ['StartContainer', 1],
  ['CreateContainer', 2],
  ['StartContainer', 2],
  ['ExecSync', 1],
);
const END = steps(
  ['ExecSync', 1],
  ['StopContainer', 1],
  ['StopPodSandbox', 1],
  ['RemoveContainer', 1],
  ['RemoveContainer', 2],
  ['RemovePodSandbox', 1],
);

/** The steps at which every run kills. */
const CHOSEN = [
  'during RunPodSandbox 1',
  'during StartContainer 2',
  'after ExecSync 1',
  'during StopContainer 1',
  'after StopPodSandbox 1',
];
const titled = (all: readonly Step[]) =>
  all
    .map((step) => ({ step, title: `${step.moment} ${step.call} ${step.nth}` }))
    .filter(({ title }) => process.env['DAVIT_ROOT_ALL'] !== undefined || CHOSEN.includes(title));

let proxy: RuntimeProxy;
let node: TestNode;

beforeAll(async () => {
  proxy = await RuntimeProxy.start(PROXY);
  node = await TestNode.start(`--container-runtime-endpoint=unix://${PROXY}`, '--sync-frequency=5s');
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});
/** Deletes pods that a failed test left behind, which would cause the last test to fail as well. */
afterEach(async () => {
  await node.kubectl('delete', 'pods', '--all', '--wait=false');
});

const says = (word: string) => ({ exec: { command: ['sh', '-c', `echo ${word} >> /files/log`] } });
/** Containers that record their start, and continuously that they are alive. A kill leaves them no time for anything else. */
const ATTEMPT = 'attempt=$(cat /proc/sys/kernel/random/uuid); lives() { echo $attempt >> /files/lives; };';
const INIT = `${ATTEMPT} echo init >> /files/log; lives`;
const MAIN = `${ATTEMPT} trap "exit 0" TERM; echo main >> /files/log; while :; do lives; sleep 0.1 & wait $!; done`;
const noting = (name: string): object => {
  const volumeMounts = [{ name: 'files', mountPath: '/files' }];
  return aPod(name, '', {
    volumes: [
      { name: 'files', hostPath: { path: `${FILES}/${name}`, type: 'DirectoryOrCreate' } },
      { name: 'own', emptyDir: { medium: 'Memory' } },
    ],
    initContainers: [shell(INIT, { name: 'init', volumeMounts })],
    containers: [
      shell(MAIN, {
        volumeMounts: [...volumeMounts, { name: 'own', mountPath: '/own' }],
        lifecycle: { postStart: says('postStart'), preStop: says('preStop') },
      }),
    ],
  });
};

const linesOf = (name: string, file: string): string[] =>
  readFileSync(`${FILES}/${name}/${file}`, 'utf8').trim().split('\n');
const times = (name: string, word: string): number => linesOf(name, 'log').filter((one) => one === word).length;

/** The attempts in the order in which they were alive. An attempt that continues after another began occurs twice. */
const lives = (name: string): string[] =>
  linesOf(name, 'lives').filter((attempt, index, all) => attempt !== all[index - 1]);

async function isReady(name: string): Promise<void> {
  const { code, stderr } = await node.kubectl('wait', '--for=condition=Ready', '--timeout=90s', `pod/${name}`);
  if (code !== 0) throw new Error(`${stderr}\n${proxy.calls.join(' ')}\n${node.log.slice(-3000)}`);
}

async function isGone(name: string): Promise<void> {
  const { code, stderr } = await node.kubectl('wait', '--for=delete', '--timeout=90s', `pod/${name}`);
  if (code !== 0) throw new Error(`${stderr}\n${proxy.calls.join(' ')}\n${node.log.slice(-3000)}`);
}

/** Kills the agent at the step, and starts another one. */
async function killedAt(step: Step): Promise<void> {
  await proxy.reached(step, () => node.killAgent());
  await node.restartAgent();
}

const nameOf = (phase: string, { call, nth, moment }: Step): string =>
  `${phase}-${call}-${nth}-${moment}`.toLowerCase();

test.each(titled(START))('a pod starts although its agent is killed $title', async ({ step }) => {
  const name = nameOf('start', step);
  const killed = killedAt(step);
  await node.apply(noting(name));
  await killed;
  await isReady(name);
  expect(lives(name)).toHaveLength(new Set(lives(name)).size);
  expect(times(name, 'init')).toBeGreaterThan(0);
  expect([1, 2]).toContain(times(name, 'main'));
  await node.kubectl('delete', 'pod', name, '--wait=false');
  await isGone(name);
  expect(times(name, 'preStop')).toBeGreaterThan(0);
});

test.each(titled(END))('a pod ends although its agent is killed $title', async ({ step }) => {
  const name = nameOf('end', step);
  await node.apply(noting(name));
  await isReady(name);
  const killed = killedAt(step);
  await node.kubectl('delete', 'pod', name, '--wait=false');
  await killed;
  await isGone(name);
  expect(lives(name)).toHaveLength(new Set(lives(name)).size);
  expect([times(name, 'main'), times(name, 'postStart')]).toEqual([1, 1]);
  expect(times(name, 'preStop')).toBeGreaterThan(0);
});

test('kills leave no files on the machine except those that containerd lost when its caller was killed', async () => {
  const left = (): string[] => leftoversAfterKills(node.log);
  await eventually(
    () => left().length === 0,
    () => [...left(), node.runtime.log.slice(-3000), node.log.slice(-5000)].join('\n'),
  );
});
