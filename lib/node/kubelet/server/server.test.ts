import { describe, expect, test } from 'vitest';
import type { ContainerStatus, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import {
  ContainerState,
  PodSandbox,
  ContainerStatus as RuntimeStatus,
} from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RunningPod } from '../container/runtime.ts';
import { StepClock } from '../testing/step-clock.ts';
import { type NodeRequest, type NodeResponse, textAnswer } from './node-request.ts';
import { grantPermit } from './permit.ts';
import type { ServerPorts } from './ports.ts';
import { nodeServer } from './server.ts';

const POD: Pod = {
  metadata: { name: 'p', namespace: 'n', uid: 'u' },
  spec: { containers: [{ name: 'app', image: 'i', resources: {}, tty: true }], nodeName: 'x' },
  status: {},
};

const held = (more: Partial<ContainerStatus>): ContainerStatus => ({
  name: 'app',
  state: {},
  lastState: {},
  ready: false,
  restartCount: 0,
  image: 'i',
  imageID: '',
  ...more,
});
const running = held({ state: { running: { startedAt: null } }, containerID: 'containerd://c1' });
const ended = (containerID?: string) => ({
  terminated: { exitCode: 1, startedAt: null, finishedAt: null, ...(containerID === undefined ? {} : { containerID }) },
});

const RUNNING: RunningPod = {
  uid: 'u',
  name: 'p',
  namespace: 'n',
  createdAt: 0,
  containers: [
    {
      id: 'c1',
      name: 'app',
      image: 'i',
      imageID: '',
      imageRef: '',
      imageRuntimeHandler: '',
      hash: '',
      state: 'running',
      podSandboxID: 's',
      createdAt: 0,
    },
  ],
  sandboxes: [],
};

const LOG = '2026-01-01T00:00:00Z stdout F one\n2026-01-01T00:00:01Z stdout F two\n';

interface World {
  readonly ports: ServerPorts;
  readonly asked: unknown[];
  status: PodStatus | undefined;
  fault: Error | undefined;
  log: string | undefined;
}

function aWorld(more: Partial<ServerPorts> = {}): World {
  const asked: unknown[] = [];
  const streamed = async (given: object) => {
    asked.push(given);
    if (world.fault !== undefined) throw world.fault;
    return { url: 'http://127.0.0.1:9/x/token' };
  };
  const world: World = {
    asked,
    status: { containerStatuses: [running] },
    fault: undefined,
    log: LOG,
    ports: {
      clock: new StepClock(),
      options: { enableDebuggingHandlers: true, enableSystemLogHandler: true },
      pods: {
        pods: () => [POD],
        podByName: (namespace, name) => (namespace === 'n' && name === 'p' ? POD : undefined),
        podStatus: () => world.status,
      },
      runtime: {
        pods: async () => [RUNNING],
        async runInContainer(id, command) {
          asked.push([id, command]);
          return { exitCode: command[0] === 'false' ? 1 : 0, stdout: Buffer.from('out'), stderr: Buffer.from('err') };
        },
      },
      streaming: {
        exec: streamed,
        attach: streamed,
        portForward: streamed,
        containerStatus: async () => ({
          status: RuntimeStatus.fromPartial({ logPath: '/log', state: ContainerState.CONTAINER_EXITED }),
          info: {},
        }),
        listPodSandbox: async () => ({
          items: [
            PodSandbox.fromPartial({ id: 'old', createdAt: 1n }),
            PodSandbox.fromPartial({ id: 'new', createdAt: 2n }),
          ],
        }),
      },
      logs: {
        async open() {
          const { log } = world;
          if (log === undefined) throw new Error('failed to open log file "/log": no such file or directory');
          return {
            identity: '1',
            size: async () => log.length,
            read: async (at, length) => Buffer.from(log).subarray(at, at + length),
            [Symbol.asyncDispose]: async () => undefined,
          };
        },
        identity: async () => '1',
        watch: () => ({ next: async () => undefined, [Symbol.dispose]: () => undefined }),
      },
      metrics: {
        agent: [],
        cadvisor: [],
        resource: [],
        probes: [{ collect: () => [{ name: 'm', help: 'h', type: 'counter', samples: [{ labels: {}, value: 1 }] }] }],
      },
      syncLoopFault: () => undefined,
      configz: () => ({ kubeletconfig: {} }),
      summary: async (isShort) => ({ isShort }),
      hostLog: async (path) => textAnswer(200, `log ${path}`),
      ...more,
    },
  };
  return world;
}

const purpose = { verb: 'proxy', podUID: '', container: '', user: 'jane' } as const;

const SPDY = { connection: 'Upgrade', upgrade: 'SPDY/3.1' };
const webSocket = (protocol: string) => ({
  connection: 'Upgrade',
  upgrade: 'websocket',
  'sec-websocket-protocol': protocol,
});

function request(text: string, headers: Record<string, string> = {}): NodeRequest {
  const [method = '', target = ''] = text.split(' ');
  const [path = '', query = ''] = target.split('?');
  const { signal } = new AbortController();
  return { method, path, query: new URLSearchParams(query), headers, isUpgrade: 'upgrade' in headers, signal, purpose };
}

async function textOf(response: NodeResponse): Promise<string> {
  if ('session' in response) return `${response.session} ${response.url}`;
  const { body } = response;
  const text =
    typeof body === 'string' || body instanceof Uint8Array
      ? Buffer.from(body).toString()
      : Buffer.concat(await Array.fromAsync(body)).toString();
  return `${response.status} ${text}`;
}

const asked = async (world: World, text: string, headers?: Record<string, string>): Promise<string> =>
  textOf(await nodeServer(world.ports, grantPermit(world.ports.pods))(request(text, headers)));

test.each<[string, string]>([
  ['GET /healthz', '200 ok'],
  ['GET /healthz?verbose', '200 [+]ping ok\n[+]log ok\n[+]syncloop ok\nhealthz check passed\n'],
  ['GET /healthz/syncloop', '200 ok'],
  ['GET /healthz/other', '404 404 page not found\n'],
  ['GET /', '404 404 page not found\n'],
  ['GET /other', '404 404 page not found\n'],
  ['POST /pods', '405 405: Method Not Allowed'],
  ['GET /exec/n', '404 404: Page Not Found'],
  ['GET /stats/summary', '200 {"isShort":false}'],
  ['GET /stats/summary?only_cpu_and_memory=true', '200 {"isShort":true}'],
  ['GET /metrics', '200 '],
  ['GET /metrics/probes', '200 # HELP m h\n# TYPE m counter\nm 1\n'],
  ['GET /configz', '200 {"kubeletconfig":{}}'],
  ['GET /logs/', '200 log '],
  ['GET /logs/a%20b/c', '200 log a b/c'],
  ['GET /logs/%zz', '404 404: Page Not Found'],
  ['PUT /debug/flags/v', '405 flags endpoint is disabled.\n'],
  ['GET /debug/pprof/heap', '405 profiling endpoint is disabled.\n'],
  ['POST /checkpoint/n/q/app', '404 pod does not exist'],
  ['POST /checkpoint/n/p/other', '404 container other does not exist'],
  ['POST /checkpoint/n/p/app', '500 checkpointing of n/p/app failed (checkpoints are not supported on this node)'],
])('responds to %s with %j', async (text, expected) => {
  expect(await asked(aWorld(), text)).toBe(expected);
});

test('lists the pods of the node, and the running ones', async () => {
  const [pods, found] = [await asked(aWorld(), 'GET /pods'), await asked(aWorld(), 'GET /runningpods/')];
  expect(JSON.parse(pods.slice(4))).toMatchObject({ kind: 'PodList', items: [POD] });
  expect(JSON.parse(found.slice(4)).items).toEqual([
    { metadata: POD.metadata, spec: { containers: [{ name: 'app', image: 'i', resources: {} }] }, status: {} },
  ]);
});

test('reports an agent with a stuck sync loop as unhealthy', async () => {
  const world = aWorld({ syncLoopFault: () => 'too slow' });
  expect(await asked(world, 'GET /healthz')).toBe(
    '500 [+]ping ok\n[+]log ok\n[-]syncloop failed: reason withheld\nhealthz check failed\n',
  );
  expect(await asked(world, 'GET /healthz/syncloop')).toBe('500 internal server error: too slow\n');
});

describe('a server without debugging handlers', () => {
  const options = { enableDebuggingHandlers: false, enableSystemLogHandler: true };

  test.each([
    '/exec/n/p/app',
    '/run/n/p/app',
    '/containerLogs/n/p/app',
    '/runningpods/',
    '/logs/',
    '/debug/pprof/heap',
  ])('rejects the path %s', async (path) => {
    expect(await asked(aWorld({ options }), `GET ${path}`)).toBe('405 Debug endpoints are disabled.\n');
  });

  test('serves pods and health', async () => {
    expect(await asked(aWorld({ options }), 'GET /healthz')).toBe('200 ok');
    expect(await asked(aWorld({ options }), 'GET /configz')).toBe('404 404 page not found\n');
  });
});

test('can disable system logs', async () => {
  const options = { enableDebuggingHandlers: true, enableSystemLogHandler: false };
  expect(await asked(aWorld({ options }), 'GET /logs/x')).toBe('405 logs endpoint is disabled.\n');
});

describe('the container log', () => {
  test.each<[string, string]>([
    ['', '200 one\ntwo\n'],
    ['?tailLines=1', '200 two\n'],
    ['?tail=1', '200 two\n'],
    ['?tail=all&tailLines=1', '200 one\ntwo\n'],
    ['?limitBytes=2', '200 on'],
    ['?follow=true&tailLines=1', '200 two\n'],
    ['?sinceTime=2026-01-01T00:00:01Z', '200 two\n'],
    ['?timestamps=1&limitBytes=30', '200 2026-01-01T00:00:00.000000000Z'],
    ['?tailLines=-1', '422 {"message": "Invalid request."}'],
    ['?stream=Stdout', '422 {"message": "Invalid request."}'],
    ['?sinceSeconds=1&sinceTime=2026-01-01T00:00:01Z', '422 {"message": "Invalid request."}'],
    ['?tailLines=x', '400 {"message": "Unable to decode query."}'],
    ['?previous=true', '400 previous terminated container "app" in pod "p" not found'],
  ])('returns the log with the query %j', async (query, expected) => {
    expect((await asked(aWorld(), `GET /containerLogs/n/p/app${query}`)).trimEnd()).toBe(expected.trimEnd());
  });

  test.each<[string, string]>([
    ['n/q/app', '404 pod "q" does not exist'],
    ['n/p/other', '404 container "other" not found in pod "p"'],
  ])('returns 404 for the log of %s', async (place, expected) => {
    expect(await asked(aWorld(), `GET /containerLogs/${place}`)).toBe(expected);
  });

  const WAITING = '400 container "app" in pod "p" is waiting to start';
  test.each<[string, ContainerStatus[], string]>([
    ['no status', [], '400 container "app" in pod "p" is not available'],
    ['no state yet', [held({})], `${WAITING} - no logs yet`],
    [
      'a reason to wait',
      [held({ state: { waiting: { reason: 'ContainerCreating' } } })],
      `${WAITING}: ContainerCreating`,
    ],
    ['no image', [held({ state: { waiting: { reason: 'ErrImagePull' } } })], `${WAITING}: image can't be pulled`],
    [
      'no image for long',
      [held({ state: { waiting: { reason: 'ImagePullBackOff' } } })],
      `${WAITING}: trying and failing to pull image`,
    ],
    ['an exit without a container', [held({ state: ended() })], '400 container "app" in pod "p" is terminated'],
    ['an exit, and the previous one', [held({ state: ended(), lastState: ended('c0') })], '200 one\ntwo\n'],
    [
      'a restart',
      [held({ state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended('c0') })],
      '200 one\ntwo\n',
    ],
  ])('reports the log status of a container with %s', async (_, containerStatuses, expected) => {
    const world = aWorld();
    world.status = { containerStatuses };
    expect(await asked(world, 'GET /containerLogs/n/p/app')).toBe(expected);
  });

  test('reports a log that the runtime removed', async () => {
    const world = aWorld();
    world.log = undefined;
    expect(await asked(world, 'GET /containerLogs/n/p/app')).toBe(
      '400 failed to open log file "/log": no such file or directory',
    );
  });
});

describe('a streaming session', () => {
  const URL_TEXT = 'http://127.0.0.1:9/x/token';
  const EXEC = '/exec/n/p/app?command=sh&command=-c&input=1&output=1&error=1&tty=1';

  test('requests the streams of the query from the runtime for exec', async () => {
    const world = aWorld();
    expect(await asked(world, `POST ${EXEC}`, SPDY)).toBe(`bytes ${URL_TEXT}`);
    expect(world.asked).toEqual([
      { containerId: 'c1', cmd: ['sh', '-c'], stdin: true, stdout: true, stderr: false, tty: true },
    ]);
  });

  test('uses a terminal for attach if the container has one', async () => {
    const world = aWorld();
    expect(await asked(world, 'POST /attach/n/p/u/app?output=1', SPDY)).toBe(`bytes ${URL_TEXT}`);
    expect(world.asked).toEqual([{ containerId: 'c1', stdin: false, stdout: true, stderr: false, tty: true }]);
  });

  test('forwards ports to the newest sandbox', async () => {
    const world = aWorld();
    expect(await asked(world, 'GET /portForward/n/p?port=80,81&port=82', webSocket('v4.channel.k8s.io'))).toBe(
      `bytes ${URL_TEXT}`,
    );
    expect(await asked(world, 'GET /portForward/n/p', webSocket('SPDY/3.1+portforward.k8s.io'))).toBe(
      `tunnel ${URL_TEXT}`,
    );
    expect(world.asked).toEqual([
      { podSandboxId: 'new', port: [80, 81, 82] },
      { podSandboxId: 'new', port: [] },
    ]);
  });

  test.each<[string, string, Record<string, string>, string]>([
    ['a request without an upgrade', `GET ${EXEC}`, {}, '500 Upgrade request required\n'],
    ['no stream', 'GET /exec/n/p/app', SPDY, '400 you must specify at least 1 of stdin, stdout, stderr'],
    ['another pod', 'GET /exec/n/q/app?output=1', SPDY, '404 pod does not exist'],
    ['another container', 'GET /exec/n/p/no?output=1', SPDY, '500 container not found ("no")'],
    ['another uid', 'GET /exec/n/p/other/app?output=1', SPDY, '500 container not found ("app")'],
    ['an attach to another container', 'GET /attach/n/p/no?output=1', SPDY, '500 container no not found in pod p_n'],
    ['port forwarding to another pod', 'GET /portForward/n/p/other', SPDY, '404 pod not found'],
    ['no port', 'GET /portForward/n/p', webSocket('x'), '400 query parameter "port" is required'],
    ['an empty port', 'GET /portForward/n/p?port=', webSocket('x'), '400 query parameter "port" cannot be empty'],
    ['port 0', 'GET /portForward/n/p?port=0', webSocket('x'), '400 port "0" must be > 0'],
    [
      'an invalid port',
      'GET /portForward/n/p?port=a',
      webSocket('x'),
      '400 unable to parse "a" as a port: strconv.ParseUint: parsing "a": invalid syntax',
    ],
  ])('rejects a session: %s', async (_, text, headers, expected) => {
    expect(await asked(aWorld(), text, headers)).toBe(expected);
  });

  test.each<[Error, string]>([
    [new RpcError('NotFound', 'gone'), '404 rpc error: code = NotFound desc = gone'],
    [new RpcError('ResourceExhausted', 'much'), '429 rpc error: code = ResourceExhausted desc = much'],
    [new RpcError('Unavailable', 'down'), '500 rpc error: code = Unavailable desc = down'],
  ])('converts %s from the runtime to a response', async (fault, expected) => {
    const world = aWorld();
    world.fault = fault;
    expect(await asked(world, `GET ${EXEC}`, SPDY)).toBe(expected);
  });

  test.each<[string, string, string]>([
    ['v5.channel.k8s.io', 'output=1', `v4 ${URL_TEXT}`],
    ['v5.channel.k8s.io, v4.channel.k8s.io', 'output=1&input=1', `bytes ${URL_TEXT}`],
    [
      'v5.channel.k8s.io',
      'input=1&output=1',
      '400 v5.channel.k8s.io with input is not served by the runtime; use v4.channel.k8s.io or SPDY',
    ],
  ])('handles the protocols %s with %s: %j', async (protocol, query, expected) => {
    expect(await asked(aWorld(), `GET /exec/n/p/app?${query}`, webSocket(protocol))).toBe(expected);
  });
});

test('returns the output of a command for run', async () => {
  const world = aWorld();
  expect(await asked(world, 'POST /run/n/p/app?cmd=echo+x')).toBe('200 outerr');
  expect(world.asked).toEqual([['c1', ['echo', 'x']]]);
  expect(await asked(world, 'POST /run/n/p/app?cmd=false')).toBe("500 command 'false' exited with 1: err");
  expect(await asked(world, 'POST /run/n/p/no?cmd=x')).toBe('500 container not found ("no")');
});
