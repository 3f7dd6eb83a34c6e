import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '#test/support/eventually.ts';
import { aPod, FOREVER, shell } from './builders.ts';
import { HOST } from './setup.ts';
import {
  apiWay,
  byHttp,
  byPortForward,
  bySpdy,
  byWebSocket,
  type SlowOutcome,
  type SlowWay,
  WAITING,
} from './slow-client.ts';
import { TestNode } from './test-node.ts';

const isFull = process.env['DAVIT_FULL'] !== undefined;
const API = 'the API server';
const WAYS = [API, 'the port of the node'] as const;
type Way = (typeof WAYS)[number];
const WIRES = ['v4.channel.k8s.io', 'v5.channel.k8s.io', 'SPDY'] as const;
const NODE_PORT = 10_250;
const WEB_PORT = 8080;
const ONE = 1_000_000;
const MANY = 50_000_000;
/** The number of lines in the log, which is a hex dump of random bytes: a megabyte of text. */
const LINES = 300_000;
/** Files that the container serves, by their size. */
const FILES = { one: ONE, many: MANY } as const;
type File = keyof typeof FILES;

let node: TestNode;
let log: string;
const sums = new Map<string, string>();
const ways = new Map<string, SlowWay>();

beforeAll(async () => {
  node = await TestNode.start('--serve');
  const files = Object.entries(FILES).map(([name, size]) => `head -c ${size} /dev/urandom > /www/${name}`);
  const web = `${files.join('; ')}; exec httpd -f -p ${WEB_PORT} -h /www`;
  const lines = `head -c ${LINES} /dev/urandom | od -v -t x1; echo over; ${FOREVER}`;
  const waits = (name: string) =>
    `until test -e /www/go-${name}; do printf '${WAITING}'; sleep 0.1; done; cat /www/one`;
  const shared = { volumeMounts: [{ name: 'www', mountPath: '/www' }] };
  const containers = [
    shell(web, shared),
    shell(lines, { name: 'logs' }),
    ...WAYS.flatMap((way) =>
      wiresOfAttach(way).map((wire) => shell(waits(nameOf(way, wire)), { name: nameOf(way, wire), ...shared })),
    ),
  ];
  await node.apply(
    aPod('talks', '', { containers, volumes: [{ name: 'www', emptyDir: {} }], restartPolicy: 'Never' }),
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'reader' } },
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'reader' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'ServiceAccount', name: 'reader', namespace: 'default' }],
    },
  );
  await node.output('wait', '--for=condition=Ready', 'pod/talks', '--timeout=60s');
  const script = 'until pidof httpd; do sleep 0.1; done > /dev/null; cd /www; sha256sum one many';
  const found = await node.output('exec', 'talks', '-c', 'main', '--', 'sh', '-c', script);
  for (const [, sum = '', name = ''] of found.matchAll(/^(\w+) {2}(\w+)$/gm)) sums.set(name, sum);
  await eventually(async () => (log = await node.output('logs', 'talks', '-c', 'logs')).endsWith('over\n'));
  ways.set(API, apiWay(node.server.kubeconfig));
  const token = (await node.output('create', 'token', 'reader')).trim();
  ways.set('the port of the node', { host: HOST, port: NODE_PORT, token });
});
afterAll(async () => {
  await node[Symbol.asyncDispose]();
});

type Wire = (typeof WIRES)[number];

/** `exec` covers the combinations of route and protocol that are missing here. */
const wiresOfAttach = (way: Way): readonly Wire[] => (way === API ? WIRES : ['SPDY']);

/** The container that a test attaches to. */
const nameOf = (way: Way, wire: Wire): string => `c${WAYS.indexOf(way)}${WIRES.indexOf(wire)}`;

/** The status that a runtime sends at the end of a command. */
const SUCCESS = expect.stringMatching(/^(\{"metadata":\{\},"status":"Success"\})?\n?$/);

function pathOf(way: Way, subresource: 'exec' | 'attach', container: string, words: readonly string[] = []): string {
  const isNode = way !== API;
  const query = new URLSearchParams(isNode ? { output: '1' } : { container, stdout: 'true', stderr: 'false' });
  for (const word of words) query.append('command', word);
  const ofNode = `/${subresource}/default/talks/${container}`;
  return `${isNode ? ofNode : `/api/v1/namespaces/default/pods/talks/${subresource}`}?${String(query)}`;
}

const wayTo = (title: string): SlowWay => {
  const way = ways.get(title);
  if (way === undefined) throw new Error(`no way to ${title}`);
  return way;
};

const read = (wire: Wire, way: SlowWay, path: string, waits?: () => void): Promise<SlowOutcome> =>
  wire === 'SPDY' ? bySpdy(way, path, waits) : byWebSocket(way, path, { protocol: wire, waits });

/** Time-out in ms, because a full run transfers a gigabyte over each transport. */
const TIMEOUT = isFull ? 30 * 60_000 : undefined;

describe.each(WAYS)('a client of %s that pings and reads late', (title) => {
  /** Gets a megabyte, and 50 megabytes once for each transport. */
  const getsEach = async (isFirst: boolean, get: (file: File) => Promise<SlowOutcome>): Promise<void> => {
    const few: readonly File[] = title === API && isFirst ? ['one', 'many'] : ['one'];
    for (const file of isFull ? Array.from({ length: 20 }, () => 'many' as const) : few)
      expect(await get(file)).toEqual({ length: FILES[file], sha256: sums.get(file), error: SUCCESS });
  };

  test.concurrent.each(WIRES)(
    'receives the whole output of a command via %s',
    (wire) =>
      getsEach(wire !== 'v4.channel.k8s.io', (file) =>
        read(wire, wayTo(title), pathOf(title, 'exec', 'main', ['cat', `/www/${file}`])),
      ),
    TIMEOUT,
  );

  test.concurrent.each(wiresOfAttach(title))(
    'receives the whole output of an attached container via %s',
    async (wire) => {
      const container = nameOf(title, wire);
      const waits = Promise.withResolvers<void>();
      const reading = read(wire, wayTo(title), pathOf(title, 'attach', container), waits.resolve);
      await waits.promise;
      await bySpdy(wayTo(title), pathOf(title, 'exec', 'main', ['touch', `/www/go-${container}`]));
      expect(await reading).toEqual({ length: ONE, sha256: sums.get('one'), error: SUCCESS });
    },
  );

  test.concurrent.each(title === API ? [true, false] : [false])(
    'receives a whole response of a pod via port-forward (tunnel: %s)',
    async (isTunnel) => {
      const path = title === API ? '/api/v1/namespaces/default/pods/talks/portforward' : '/portForward/default/talks';
      await getsEach(isTunnel, (file) =>
        byPortForward(wayTo(title), { path, port: WEB_PORT, file: `/${file}` }, isTunnel),
      );
    },
    TIMEOUT,
  );

  test.concurrent('gets all of a log', async () => {
    const isNode = title !== API;
    const path = isNode
      ? '/containerLogs/default/talks/logs'
      : '/api/v1/namespaces/default/pods/talks/log?container=logs';
    const sha256 = createHash('sha256').update(log).digest('hex');
    expect(await byHttp(wayTo(title), path)).toEqual({ length: log.length, sha256, error: '' });
  });
});
