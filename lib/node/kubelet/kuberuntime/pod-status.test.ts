import { describe, expect, test } from 'vitest';
import { ContainerState, ContainerStatus, PodSandboxStatus } from '#lib/node/cri-api/generated/runtime-v1.ts';
import { EventClock } from '#test/support/event-clock.ts';
import { aPod } from '../testing/pods.ts';
import { aNodeRuntime, FakeContainerFiles, memoryResources } from '../testing/runtime-ports.ts';
import { convertContainerStatus } from './container-status.ts';
import { podSandboxIPs } from './pod-status.ts';
import { RuntimeManager } from './runtime-manager.ts';

describe('the status of a pod', () => {
  test('orders the newest attempts first and separates those of the current sandbox', async () => {
    const clock = new EventClock();
    const { fake, process } = aNodeRuntime(clock);
    const manager = new RuntimeManager(process().ports);
    const pod = aPod('web');
    const status = () => manager.podStatus('uid-web', 'web', 'default');
    await manager.syncPod(pod, await status(), { pullSecrets: [] });
    fake.containers.reboot();
    await manager.syncPod(pod, await status(), { pullSecrets: [] });
    const { containerStatuses, activeContainerStatuses, sandboxStatuses, ips, timestamp } = await status();
    expect(containerStatuses).toMatchObject([
      { name: 'app', state: 'running', restartCount: 1, finishedAt: 0, exitCode: 0 },
      { name: 'app', state: 'exited', restartCount: 0, exitCode: 255, reason: 'Unknown' },
    ]);
    expect(activeContainerStatuses.map(({ restartCount }) => restartCount)).toEqual([1]);
    expect(sandboxStatuses.map(({ metadata }) => metadata?.attempt)).toEqual([1, 0]);
    expect(ips).toEqual([sandboxStatuses[0]?.network?.ip]);
    expect(timestamp).toBe(clock.now());
  });

  test('skips containers that are removed meanwhile, and fails if the runtime fails', async () => {
    const { fake, process } = aNodeRuntime(new EventClock());
    const manager = new RuntimeManager(
      process(({ method, phase }) => {
        if (method === 'listContainers' && phase === 'after') fake.containers.containers.clear();
        return false;
      }).ports,
    );
    const pod = aPod('web');
    await manager.syncPod(pod, await manager.podStatus('uid-web', 'web', 'default'), { pullSecrets: [] });
    expect((await manager.podStatus('uid-web', 'web', 'default')).containerStatuses).toEqual([]);
    fake.fail('podSandboxStatus');
    await expect(manager.podStatus('uid-web', 'web', 'default')).rejects.toThrow('connection error');
  });

  test('is empty for a pod that is not in the runtime', async () => {
    const manager = new RuntimeManager(aNodeRuntime(new EventClock()).process().ports);
    expect(await manager.podStatus('u', 'a', 'b')).toMatchObject({
      uid: 'u',
      name: 'a',
      containerStatuses: [],
      ips: [],
    });
  });
});

test.each<[string, string[], string[]]>([
  ['10.0.0.1', ['fd00::1'], ['10.0.0.1', 'fd00::1']],
  ['', [], []],
  ['no address', ['10.0.0.1'], []],
  ['10.0.0.1', ['no address'], []],
])('returns for a sandbox with address %j and %j the addresses %j', (ip, additional, ips) => {
  const additionalIps = additional.map((one) => ({ ip: one }));
  expect(podSandboxIPs(PodSandboxStatus.fromPartial({ network: { ip, additionalIps } }))).toEqual(ips);
});

describe('a termination message', () => {
  const annotations = {
    'io.kubernetes.container.terminationMessagePath': '/dev/termination-log',
    'io.kubernetes.container.terminationMessagePolicy': 'FallbackToLogsOnError',
  };
  const file = annotations['io.kubernetes.container.terminationMessagePath'];

  async function messageOf(more: Parameters<typeof ContainerStatus.fromPartial>[0], written?: string, log?: string) {
    const files = new FakeContainerFiles();
    if (written !== undefined) files.files.set('/host/log', written);
    if (log !== undefined) files.files.set('/logs/0.log', log.split('\n').map(logLine).join(''));
    const status = ContainerStatus.fromPartial({
      state: ContainerState.CONTAINER_EXITED,
      exitCode: 1,
      annotations,
      mounts: [{ containerPath: file, hostPath: '/host/log' }],
      logPath: '/logs/0.log',
      ...more,
    });
    return (await convertContainerStatus({ files, logs: files.logs, actuated: memoryResources() }, status)).message;
  }
  const logLine = (text: string): string => `2026-01-01T00:00:00Z stderr F ${text}\n`;
  const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}`).join('\n');

  test('reads the last 4096 bytes that the container wrote', async () => {
    expect(await messageOf({}, 'oops', 'log')).toBe('oops');
    expect(await messageOf({}, `${'a'.repeat(5000)}b`)).toBe(`${'a'.repeat(4095)}b`);
  });

  test('uses the end of the log after a failure if the policy requests it', async () => {
    expect(await messageOf({}, '', 'log')).toBe('log\n');
    expect(await messageOf({}, undefined, lines(100))).toBe(lines(100).split('\n').slice(-80).join('\n').concat('\n'));
    expect(await messageOf({}, '', 'x'.repeat(9000))).toHaveLength(2048);
    expect(await messageOf({ exitCode: 0 }, '', 'log')).toBe('');
    expect(await messageOf({ annotations: {} }, '', 'log')).toBe('');
    expect(await messageOf({ reason: 'ContainerCannotRun' }, '', 'log')).toBe('');
  });

  test("appends to the runtime's message", async () => {
    expect(await messageOf({ message: 'OOM', reason: 'OOMKilled' }, 'oops')).toBe('OOM: oops');
  });

  test('reports a log that cannot be read', async () => {
    expect(await messageOf({}, '')).toBe(
      'Error on reading termination message from logs: failed to open log file "/logs/0.log"',
    );
  });
});
