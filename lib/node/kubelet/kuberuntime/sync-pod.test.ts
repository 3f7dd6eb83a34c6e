import { describe, expect, test } from 'vitest';
import type { Container, Pod, PodSpec } from '#lib/api/types/core.v1.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import { EventClock } from '#test/support/event-clock.ts';
import { KubeletError } from '../container/sync-result.ts';
import { aPod } from '../testing/pods.ts';
import { NO_OPTIONS, someHelper } from '../testing/runtime-config.ts';
import { aNodeRuntime } from '../testing/runtime-ports.ts';
import { crashLoopBackoff } from './do-backoff.ts';
import { RuntimeManager } from './runtime-manager.ts';
import type { RuntimePorts } from './runtime-ports.ts';

const container = (name: string, more: Partial<Container> = {}): Container => ({
  name,
  image: 'i',
  resources: {},
  ...more,
});
const podOf = (spec: Partial<PodSpec> = {}): Pod => aPod('web', { spec: { containers: [container('app')], ...spec } });

function aManager(overrides: Partial<RuntimePorts> = {}) {
  const clock = new EventClock();
  const node = aNodeRuntime(clock, overrides);
  const manager = new RuntimeManager(node.process().ports);
  const sync = async (pod: Pod, restartAllContainers = false) => {
    const status = await manager.podStatus(pod.metadata.uid ?? '', 'web', 'default');
    const result = await clock.runUntil(manager.syncPod(pod, status, { pullSecrets: [], restartAllContainers }));
    const errors = result.results.flatMap(({ action, target, error }) =>
      error === undefined ? [] : [`${action} ${target} ${error.reason}: ${error.message}`],
    );
    return { errors, result, events: node.events.splice(0) };
  };
  const pass = (milliseconds: number) => clock.runUntil(clock.sleep(milliseconds));
  return { ...node, manager, sync, pass, clock };
}

describe('syncPod with a starting pod', () => {
  test('produces the same events and results as upstream', async () => {
    const { sync, fake } = aManager();
    const { events, result } = await sync(podOf({ initContainers: [container('i', { restartPolicy: 'Always' })] }));
    expect(events).toEqual([
      'Normal Created spec.initContainers{i}: Container created',
      'Normal Started spec.initContainers{i}: Container started',
    ]);
    expect(result).toEqual({
      results: [
        { action: 'KillPodSandbox', target: 'uid-web' },
        { action: 'CreatePodSandbox', target: 'web_default(uid-web)' },
        { action: 'StartContainer', target: 'i' },
      ],
    });
    expect((await sync(podOf({ initContainers: [container('i', { restartPolicy: 'Always' })] }))).events).toEqual([
      'Normal Created spec.containers{app}: Container created',
      'Normal Started spec.containers{app}: Container started',
    ]);
    expect(fake.containers.running()).toEqual(['default/web/app', 'default/web/i']);
  });

  test("starts containers after the network policies for the pod's addresses are in force", async () => {
    const asked: (readonly string[])[] = [];
    let holds = false;
    const { sync, fake } = aManager({
      async admitNetwork(_, ips) {
        asked.push(ips);
        if (!holds) throw new Error('not yet');
      },
    });
    expect((await sync(podOf())).result.error?.message).toBe('not yet');
    expect(fake.containers.running()).toEqual([]);
    holds = true;
    await sync(podOf());
    expect(fake.containers.running()).toEqual(['default/web/app']);
    await sync(podOf());
    expect(asked.map(({ length }) => length)).toEqual([1, 1]);
    expect(asked[0]).toEqual(asked[1]);
  });

  test("does not wait for network policies on the host's network", async () => {
    const { sync, fake } = aManager({ admitNetwork: () => Promise.reject(new Error('not yet')) });
    await sync(podOf({ hostNetwork: true }));
    expect(fake.containers.running()).toEqual(['default/web/app']);
  });

  test('creates a new sandbox when the old one stops', async () => {
    const { sync, fake } = aManager();
    await sync(podOf());
    fake.containers.reboot();
    const { events } = await sync(podOf());
    expect(events[0]).toBe('Normal SandboxChanged: Pod sandbox changed, it will be killed and re-created.');
    expect([...fake.containers.sandboxes.values()].map(({ config }) => config.metadata?.attempt)).toEqual([0, 1]);
  });

  test('records why the sandbox could not be created', async () => {
    const { sync, fake } = aManager();
    fake.fail('runPodSandbox', new RpcError('Unknown', 'no CNI'));
    const { events, errors } = await sync(podOf());
    expect(events).toEqual([
      'Warning FailedCreatePodSandBox: Failed to create pod sandbox: rpc error: code = Unknown desc = no CNI',
    ]);
    expect(errors).toEqual([
      'CreatePodSandbox web_default(uid-web) CreatePodSandboxError: Failed to create sandbox for pod "web_default(uid-web)": rpc error: code = Unknown desc = no CNI',
    ]);
  });

  test('ignores a failed sandbox while the pod terminates', async () => {
    const { sync, fake, gone } = aManager();
    gone.add('uid-web');
    fake.fail('runPodSandbox');
    expect(await sync(podOf())).toMatchObject({ events: [], errors: [] });
  });

  test('reports an unknown status of the new sandbox', async () => {
    const { sync, fake } = aManager();
    fake.fail('podSandboxStatus', new RpcError('Unavailable', 'gone'));
    const { events, result } = await sync(podOf());
    expect(events).toEqual([
      'Warning FailedPodSandBoxStatus: Unable to get pod sandbox status: rpc error: code = Unavailable desc = gone',
    ]);
    expect(result.error?.message).toBe('rpc error: code = Unavailable desc = gone');
  });

  test('waits for dynamic resources', async () => {
    const helper = someHelper({ prepareDynamicResources: () => Promise.reject(new Error('no driver')) });
    const { sync, fake } = aManager({ helper });
    expect((await sync(podOf())).events).toEqual([
      'Warning FailedPrepareDynamicResources: Failed to prepare dynamic resources: no driver',
    ]);
    expect(fake.containers.sandboxes.size).toBe(0);
  });

  test('converts sysctls to names with dots', async () => {
    const { sync, fake } = aManager();
    const sysctls = ['net/ipv4/conf/eno2.100/rp_filter', 'kernel.shm_rmid_forced'].map((name) => ({
      name,
      value: '1',
    }));
    await sync(podOf({ securityContext: { sysctls } }));
    const [sandbox] = fake.containers.sandboxes.values();
    expect(sandbox?.config.linux?.sysctls).toEqual({
      'net.ipv4.conf.eno2/100.rp_filter': '1',
      'kernel.shm_rmid_forced': '1',
    });
  });
});

describe('syncPod with a starting container', () => {
  test.each<[string, string, string]>([
    ['createContainer', 'CreateContainerError: no room', 'Warning Failed spec.containers{app}: Error: no room'],
    ['startContainer', 'RunContainerError: no room', 'Warning Failed spec.containers{app}: Error: no room'],
    ['imageStatus', 'CreateContainerConfigError: no room', 'Warning Failed spec.containers{app}: Error: no room'],
  ])('reports the reason if %s fails', async (method, error, event) => {
    const { sync, fake } = aManager();
    fake.fail(method, new RpcError('Unknown', 'no room'));
    const { errors, events } = await sync(podOf());
    expect(errors).toEqual([`StartContainer app ${error}`]);
    expect(events.at(-1)).toBe(event);
  });

  test('reports why the image is unavailable', async () => {
    const ensureImageExists = () => Promise.reject(new KubeletError('ErrImagePull', 'no such image'));
    const { sync } = aManager({ images: { ensureImageExists } });
    const { errors, events } = await sync(podOf());
    expect(errors).toEqual(['StartContainer app ErrImagePull: no such image']);
    expect(events).toEqual(['Warning Failed spec.containers{app}: Error: ErrImagePull']);
  });

  test('replaces the container ID in events', async () => {
    const { sync, fake } = aManager();
    const id = '2'.padStart(64, '0');
    fake.containers.script('app', { startError: `task ${id} not found` });
    expect((await sync(podOf())).events.at(-1)).toBe('Warning Failed spec.containers{app}: Error: task app not found');
  });

  test('can be rejected by the hook before its creation', async () => {
    const preCreateContainer = () => Promise.reject(new Error('no CPU'));
    const containerManager = {
      preCreateContainer,
      preStartContainer: () => undefined,
      postStopContainer: () => undefined,
    };
    const { sync, fake } = aManager({ containerManager });
    const { errors, events } = await sync(podOf());
    expect(errors).toEqual(['StartContainer app PreCreateHookError: no CPU']);
    expect(events).toEqual(['Warning Failed spec.containers{app}: Internal PreCreateContainer hook failed: no CPU']);
    expect(fake.containers.containers.size).toBe(0);
  });

  test('kills a container whose PostStart hook fails', async () => {
    const hooks = { run: () => Promise.reject(new Error('secret of the server')) };
    const { sync, fake } = aManager({ hooks });
    const lifecycle = { postStart: { exec: { command: ['x'] } } };
    const { errors, events } = await sync(podOf({ containers: [container('app', { lifecycle })] }));
    expect(errors).toEqual(['StartContainer app PostStartHookError: secret of the server']);
    expect(events.slice(2)).toEqual([
      'Warning FailedPostStartHook spec.containers{app}: PostStartHook failed',
      'Normal Killing spec.containers{app}: FailedPostStartHook',
    ]);
    expect(fake.containers.running()).toEqual([]);
  });

  test('cleans up subpaths after the creation of a container, or after its failure', async () => {
    let undone = 0;
    const cleanup = async (): Promise<void> => {
      undone += 1;
    };
    const helper = someHelper({ runContainerOptions: async () => ({ options: NO_OPTIONS, cleanup }) });
    const { sync, fake } = aManager({ helper });
    fake.fail('imageStatus');
    await sync(podOf());
    expect(undone).toBe(1);
    await sync(podOf());
    expect(undone).toBe(2);
  });

  test('creates a file for the termination message', async () => {
    const options = { ...NO_OPTIONS, podContainerDir: '/pods/u/containers/app' };
    const helper = someHelper({ runContainerOptions: async () => ({ options, cleanup: async () => undefined }) });
    const { sync, fake, files } = aManager({ helper, randomUint32: () => 255 });
    await sync(podOf({ containers: [container('app', { terminationMessagePath: '/dev/termination-log' })] }));
    const [made] = fake.containers.containers.values();
    expect(made?.config.mounts).toMatchObject([
      { hostPath: '/pods/u/containers/app/000000ff', containerPath: '/dev/termination-log' },
    ]);
    expect(files.files.get('/pods/u/containers/app/000000ff')).toBe('');
  });

  test('continues the restart count from the logs if the runtime has lost the container', async () => {
    const { sync, fake, files } = aManager();
    files.files.set('/var/log/pods/default_web_uid-web/app/3.log', '');
    await sync(podOf());
    expect([...fake.containers.containers.values()][0]?.config.metadata?.attempt).toBe(4);
  });

  test('links the log into the directory of log collectors', async () => {
    const { sync, files } = aManager();
    const log = '/var/log/pods/default_web_uid-web/app/0.log';
    files.files.set(log, '');

    files.list = async () => [];
    await sync(podOf());
    expect(files.files.get(`/var/log/containers/web_default_app-${'2'.padStart(64, '0')}.log`)).toBe(`-> ${log}`);
  });

  test('shows an ephemeral container the processes of its target', async () => {
    const { sync, fake } = aManager();
    const debug = { name: 'debug', image: 'i', resources: {}, targetContainerName: 'app' };
    await sync(podOf());
    await sync(podOf({ ephemeralContainers: [debug, { ...debug, name: 'lost', targetContainerName: 'none' }] }));
    const made = [...fake.containers.containers.values()].find(({ config }) => config.metadata?.name === 'debug');
    expect(made?.config.linux?.securityContext?.namespaceOptions).toMatchObject({
      pid: 3,
      targetId: '2'.padStart(64, '0'),
    });
    expect(fake.containers.running()).toEqual(['default/web/app', 'default/web/debug']);
  });
});

describe('syncPod with a failing container', () => {
  const crash = { runsFor: 1000, exitCode: 1 };

  test('backs off 10 s, 20 s and so on up to five minutes', async () => {
    const { sync, fake, pass } = aManager();
    fake.containers.script('app', crash);
    await sync(podOf());
    const delays: string[] = [];
    for (let second = 0; second < 1200; second += 1) {
      const { errors } = await sync(podOf());
      const delay = /back-off (\S+) restarting/.exec(errors[0] ?? '')?.[1];
      if (delay !== undefined && delay !== delays.at(-1)) delays.push(delay);
      await pass(1000);
    }
    expect(delays).toEqual(['10s', '20s', '40s', '1m20s', '2m40s', '5m0s']);
  });

  test('records the back-off as an event', async () => {
    const { sync, fake, pass, clock } = aManager();
    fake.containers.script('app', crash);
    await sync(podOf());
    await pass(1000);
    await sync(podOf());
    await pass(1000);
    const { errors, events, result } = await sync(podOf());
    expect(errors).toEqual([
      'StartContainer app CrashLoopBackOff: back-off 10s restarting failed container=app pod=web_default(uid-web)',
    ]);
    expect(events).toEqual([
      'Warning BackOff spec.containers{app}: Back-off restarting failed container app in pod web_default(uid-web)',
    ]);
    const until = result.results.at(-1)?.error?.backoffUntil ?? 0;
    expect(Math.round(until - clock.now())).toBe(10_000);
  });

  test('starts at once after running for ten minutes, or with another image', async () => {
    const { sync, fake, pass } = aManager();
    fake.containers.script('app', crash, crash, { runsFor: 601_000, exitCode: 1 }, crash);
    await sync(podOf());
    await pass(1000);
    await sync(podOf());
    await pass(1000);
    expect((await sync(podOf())).errors).toHaveLength(1);
    expect((await sync(podOf({ containers: [container('app', { image: 'j' })] }))).errors).toEqual([]);
    await pass(601_000);
    expect((await sync(podOf())).errors).toEqual([]);
  });
});

test('delays only the containers that mount an image volume with a failed pull', async () => {
  const ensureImageExists = async ({ image }: { readonly image: string }): Promise<string> => {
    if (image === 'lost') throw new KubeletError('ErrImagePull', 'no such image');
    return `sha256:${image}`;
  };
  const given: [string, unknown][] = [];
  const runContainerOptions: RuntimePorts['helper']['runContainerOptions'] = async (_, { name }, __, volumes) => {
    given.push([name, [...(volumes ?? [])].map(([volume, { image }]) => `${volume} ${image}`)]);
    return { options: NO_OPTIONS, cleanup: async () => undefined };
  };
  const { sync } = aManager({ images: { ensureImageExists }, helper: someHelper({ runContainerOptions }) });
  const mounting = (name: string, volume: string): Container =>
    container(name, { volumeMounts: [{ name: volume, mountPath: '/v' }] });
  const volumes = ['data', 'lost'].map((name) => ({ name, image: { reference: name } }));
  const { errors, events } = await sync(
    podOf({ volumes, containers: [mounting('app', 'data'), mounting('b', 'lost')] }),
  );
  expect(given).toEqual([['app', ['data sha256:data']]]);
  expect(errors).toEqual(['StartContainer b ErrImagePull: no such image']);
  expect(events.at(-1)).toBe('Warning Failed spec.containers{b}: Error: ErrImagePull');
});

test('also limits the initial back-off to a shorter maximum', () => {
  const clock = new EventClock();
  const backoff = crashLoopBackoff(clock, 4000);
  backoff.next('a', 0);
  expect(backoff.get('a')).toBe(4000);
});

test('starts no container after the sync is aborted', async () => {
  const { manager, fake } = aManager();
  const status = await manager.podStatus('uid-web', 'web', 'default');
  const { results } = await manager.syncPod(podOf(), status, { pullSecrets: [], signal: AbortSignal.abort() });
  expect(results.at(-1)?.error?.message).toContain('aborted');
  expect(fake.containers.starts).toEqual([]);
});

test('removes all attempts and keeps their logs in a restart of all containers', async () => {
  const { sync, fake, files } = aManager();
  const restartPolicyRules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [9] } }];
  const pod = podOf({ containers: [container('app', { restartPolicy: 'Never', restartPolicyRules }), container('b')] });
  fake.containers.script('app', { runsFor: 0, exitCode: 9 });
  await sync(pod);
  files.files.set('/var/log/pods/default_web_uid-web/b/0.log', 'text');
  const { result, events } = await sync(pod, true);
  expect(result.results.map(({ action, target }) => `${action} ${target}`)).toEqual([
    'RemoveContainer b',
    'RemoveContainer app',
  ]);
  expect(events).toEqual(['Normal Killing spec.containers{b}: killing']);
  expect(fake.containers.containers.size).toBe(0);
  expect(files.files.size).toBe(1);
});
