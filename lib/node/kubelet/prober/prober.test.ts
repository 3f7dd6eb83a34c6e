import { describe, expect, test } from 'vitest';
import type { Container, Pod, Probe } from '#lib/api/types/core.v1.ts';
import { RpcError } from '#lib/machinery/rpc.ts';
import type { CommandResult } from '../container/runtime.ts';
import { failed, succeeded } from './outcome.ts';
import { NoResponse, type ProbeRequest } from './ports.ts';
import { containerPort, probeRequest } from './probe-request.ts';
import { type ProberPorts, probeOnce } from './prober.ts';

const CONTAINER: Container = {
  name: 'app',
  image: 'i',
  resources: {},
  ports: [
    { name: 'web', containerPort: 8080 },
    { name: 'bad', containerPort: 0 },
  ],
  env: [{ name: 'A', value: 'x' }],
};
const POD: Pod = {
  metadata: { name: 'p', namespace: 'n', uid: 'u' },
  spec: { containers: [CONTAINER] },
  status: {},
};

async function probed(probe: Probe, ports: Partial<ProberPorts>) {
  const events: string[] = [];
  const none = (): never => {
    throw new Error('not asked');
  };
  const result = await probeOnce(
    { kind: 'readiness', probe: { timeoutSeconds: 1, ...probe }, pod: POD, container: CONTAINER },
    { podIP: '192.0.2.1' },
    'containerd://1',
    {
      http: { get: none },
      tcp: { connect: none },
      grpc: { check: none },
      runtime: { runInContainer: none },
      events: { event: (_, _type, reason, message) => void events.push(`${reason}: ${message}`) },
      ...ports,
    },
  );
  return [result, events];
}

const http = (status: number, body = ''): Partial<ProberPorts> => ({
  http: { get: async () => ({ status, body: Buffer.from(body) }) },
});
const GET = { httpGet: { port: 80 } };

describe('an HTTP probe', () => {
  test.each<[string, Partial<ProberPorts>, unknown, string[]]>([
    ['200', http(200), 'success', []],
    ['299', http(299), 'success', []],
    [
      'a redirect to another host',
      http(302, 'moved'),
      'success',
      ['ProbeWarning: Readiness probe warning: Probe terminated redirects, Response body: moved'],
    ],
    [
      '404 and a body that may be secret',
      http(404, 'x'),
      'failure',
      ['Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 404'],
    ],
    [
      'no connection',
      { http: { get: () => Promise.reject(new NoResponse('Get "http://192.0.2.1:80": EOF')) } },
      'failure',
      ['Unhealthy: Readiness probe failed: Get "http://192.0.2.1:80": EOF'],
    ],
    [
      'an incomplete body',
      { http: { get: () => Promise.reject(new Error('unexpected EOF')) } },
      undefined,
      ['Unhealthy: Readiness probe errored and resulted in failure state: unexpected EOF'],
    ],
  ])('handles a response with %s', async (_, ports, result, events) => {
    expect(await probed(GET, ports)).toEqual([result, events]);
  });
});

describe('an exec probe', () => {
  const exec = (result: CommandResult | Error): Partial<ProberPorts> => ({
    runtime: { runInContainer: () => (result instanceof Error ? Promise.reject(result) : Promise.resolve(result)) },
  });
  const ended = (exitCode: number, stdout = '', stderr = ''): CommandResult => ({
    exitCode,
    stdout: Buffer.from(stdout),
    stderr: Buffer.from(stderr),
  });
  const gone = new RpcError('NotFound', 'no container');

  test.each<[string, CommandResult | Error, unknown, string[]]>([
    ['ends with 0', ended(0, 'a'), 'success', []],
    ['ends with 1', ended(1, 'a', 'b'), 'failure', ['Unhealthy: Readiness probe failed: ab']],
    [
      'writes a lot',
      ended(1, 'x'.repeat(12_000), 'y'),
      'failure',
      [`Unhealthy: Readiness probe failed: ${'x'.repeat(10_240)}`],
    ],
    [
      'takes too long',
      new RpcError('DeadlineExceeded', 'late'),
      'failure',
      ['Unhealthy: Readiness probe failed: command timed out: "cat x $(B) $(A)" timed out after 1s'],
    ],
    [
      'cannot be run',
      gone,
      undefined,
      [`Unhealthy: Readiness probe errored and resulted in unknown state: ${gone.message}`],
    ],
  ])('handles a command that %s', async (_, result, expected, events) => {
    expect(await probed({ exec: { command: ['cat', '$(A)', '$(B)', '$$(A)'] } }, exec(result))).toEqual([
      expected,
      events,
    ]);
  });

  test('tries a command that cannot be run three times', async () => {
    let tries = 0;
    const runInContainer = async (): Promise<CommandResult> => {
      if (++tries < 3) throw gone;
      return ended(0);
    };
    expect(await probed({ exec: { command: ['true'] } }, { runtime: { runInContainer } })).toEqual(['success', []]);
  });
});

test.each<[string, Probe, string]>([
  ['the pod’s address', { tcpSocket: { port: 'web' } }, '192.0.2.1 8080 1000'],
  ['another host', { tcpSocket: { port: 1, host: 'h' } }, 'h 1 1000'],
])('sends a TCP probe to %s', async (_, probe, expected) => {
  let asked = '';
  const connect = async (...args: unknown[]) => ((asked = args.join(' ')), succeeded(''));
  await probed(probe, { tcp: { connect } });
  expect(asked).toBe(expected);
});

test('sends a gRPC probe for the service to the pod’s address', async () => {
  let asked: unknown;
  const check = async (...args: unknown[]) => ((asked = args), failed('service unhealthy'));
  expect(await probed({ grpc: { port: 9, service: 's' } }, { grpc: { check } })).toEqual([
    'failure',
    ['Unhealthy: Readiness probe failed: service unhealthy'],
  ]);
  expect(asked).toEqual(['192.0.2.1', 9, 's', 1000]);
});

test('returns no result for a probe without a handler', async () => {
  expect(await probed({}, {})).toEqual([
    undefined,
    ['Unhealthy: Readiness probe errored and resulted in unknown state: missing probe handler for p_n(u):app'],
  ]);
});

test.each<[number | string, number | string]>([
  [80, 80],
  ['web', 8080],
  ['9090', 9090],
  [0, 'invalid port number: 0'],
  [65_536, 'invalid port number: 65536'],
  ['bad', 'invalid port number: 0'],
  ['other', 'strconv.Atoi: parsing "other": invalid syntax'],
])('resolves the port %j to %j', (port, expected) => {
  const result = (): number => containerPort(port, CONTAINER);
  if (typeof expected === 'number') expect(result()).toBe(expected);
  else expect(result).toThrow(expected);
});

const request = (more: object): ProbeRequest => probeRequest({ port: 80, ...more }, CONTAINER, '192.0.2.1', 'probe');

test.each<[object, string]>([
  [{}, 'http://192.0.2.1:80'],
  [{ path: '/healthz?x=1', scheme: 'HTTPS' }, 'https://192.0.2.1:80/healthz?x=1'],
  [{ path: 'healthz', host: 'fd00::1' }, 'http://[fd00::1]:80/healthz'],
  [{ path: '/a/../b%2Fc' }, 'http://192.0.2.1:80/a/../b%2Fc'],
  [{ path: '/%zz?' }, 'http://192.0.2.1:80/%25zz%3F'],
])('builds for %j the URL %s', (more, url) => {
  expect(request(more).url).toBe(url);
});

const AGENT = 'kube-probe/1.36';
test.each<[string, [string, string][], string, object]>([
  ['defaults', [], '', { 'User-Agent': [AGENT], Accept: ['*/*'] }],
  ['a Host', [['host', 'example.com']], 'example.com', { 'User-Agent': [AGENT], Accept: ['*/*'] }],
  ['an empty Accept', [['accept', '']], '', { 'User-Agent': [AGENT] }],
  [
    'several values and a user agent',
    [
      ['x-a', '1'],
      ['X-A', '2'],
      ['USER-AGENT', 'me'],
    ],
    '',
    { 'X-A': ['1', '2'], 'User-Agent': ['me'], Accept: ['*/*'] },
  ],
])('sends the headers: %s', (_, headers, host, expected) => {
  const made = request({ httpHeaders: headers.map(([name, value]) => ({ name, value })) });
  expect([made.host, made.headers]).toEqual([host, expected]);
});
