import { beforeEach, expect, test } from 'vitest';
import type { Client, ListOptions } from '#lib/client/client.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { arrayAt, isObject, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { serveAggregatedApi } from '#lib/sdk/extension-apiserver/serve.ts';
import { requestInfo } from '#lib/server/request/request-info.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { metricsApi } from './metrics-api.ts';
import type { NodePoints } from './node-points.ts';

const BASE = '/apis/metrics.k8s.io/v1beta1';
const pod = (name: string, namespace: string, nodeName: string, phase = 'Running'): JsonObject => ({
  metadata: { name, namespace, labels: { app: name } },
  spec: { nodeName, containers: [] },
  status: { phase },
});
const PODS = [pod('b', 'x', 'n2'), pod('a', 'x', 'n1'), pod('a', 'y', 'n1'), pod('done', 'x', 'n1', 'Succeeded')];
const NODES: JsonObject[] = ['n2', 'n1', 'n3'].map((name) => ({ metadata: { name } }));

let scraped: string[][];
let lacking: string[];
beforeEach(() => void ([scraped, lacking] = [[], []]));

const isOf = (object: JsonObject, { namespace = '' }: ListOptions): boolean =>
  namespace === '' || JSON.stringify(object['metadata']).includes(`"namespace":"${namespace}"`);
const unused = (): never => {
  throw new Error('nobody writes');
};
const client: Client = {
  get: async ({ resource, namespace, name }) =>
    (resource.resource === 'nodes' ? NODES : PODS).find(
      (one) => isOf(one, { namespace }) && JSON.stringify(one['metadata']).includes(`"name":"${name}"`),
    ),
  list: async ({ resource }, options = {}) =>
    (resource === 'nodes' ? NODES : PODS).filter(
      (one) => isOf(one, options) && (resource === 'nodes' || JSON.stringify(one['status']).includes('Running')),
    ),
  create: unused,
  update: unused,
  patch: unused,
  apply: unused,
  delete: unused,
  document: unused,
};

/** Points of n1 and n2. Each also reports pods of other nodes, as a malicious node might. */
const point = (at: number, cpu: number) => ({ timestamp: 1_700_000_000_000 + at, at, cpu, memory: 2048 });
const batch = (at: number, cpu: number, pods: readonly string[]) => ({
  node: point(at, cpu),
  pods: new Map(pods.map((name) => [name, new Map([['c', point(at, cpu)]])])),
});
const pointsOf = (pods: readonly string[]): NodePoints => ({
  previous: batch(0, 1e9, pods),
  last: batch(2000, 2e9, pods),
});
const POINTS: ReadonlyMap<string, NodePoints> = new Map([
  ['n1', pointsOf(['x/a'])],
  ['n2', pointsOf(['x/b', 'y/a'])],
]);

const api = metricsApi({
  client,
  clock: new ManualClock(),
  scraper: {
    async pointsOf(nodes, lacks) {
      const names = [...nodes];
      scraped.push(names);
      lacking.push(...names.filter((node) => lacks(node, POINTS.get(node) ?? pointsOf([]))));
      return POINTS;
    },
  },
});

async function get(path: string, method = 'GET') {
  const query = new URLSearchParams(path.split('?')[1]);
  const bare = `${BASE}/${path.split('?')[0]}`;
  const info = requestInfo(method, bare, query);
  if (info === undefined) throw new Error(path);
  const { signal } = new AbortController();
  const response = await serveAggregatedApi(api, {
    request: { method, query, headers: {}, body: async () => new Uint8Array(), signal: () => signal },
    info,
    user: { name: 'ann', groups: [] },
    clock: new ManualClock(),
    log: { info() {}, error() {} },
  });
  return { status: response.status, body: parseStored(Buffer.from(response.body as Uint8Array)) as JsonObject };
}
const names = ({ body }: { readonly body: JsonObject }): string[] =>
  arrayAt(body, 'items')
    .filter(isObject)
    .map((one) => [namespaceOf(one), nameOf(one)].filter((part) => part !== '').join('/'));

test('lists running pods in order, with the points of their own node', async () => {
  expect(names(await get('pods'))).toEqual(['x/a', 'x/b']);
  expect(scraped).toEqual([['n1', 'n2']]);
  expect(lacking).toEqual(['n1']); // y/a is missing there, and reports from other nodes do not count
});

test('scrapes only the nodes of the requested pods', async () => {
  expect(names(await get('namespaces/y/pods'))).toEqual([]);
  await get('namespaces/x/pods/b');
  await get('namespaces/none/pods');
  expect(scraped).toEqual([['n1'], ['n2'], []]);
});

test('lists nodes in order, without those that have no points', async () => {
  expect(names(await get('nodes'))).toEqual(['n1', 'n2']);
});

test('returns the usage over the window', async () => {
  expect((await get('namespaces/x/pods/a')).body).toEqual({
    kind: 'PodMetrics',
    apiVersion: 'metrics.k8s.io/v1beta1',
    metadata: { name: 'a', namespace: 'x', labels: { app: 'a' }, creationTimestamp: '2023-11-14T22:13:20Z' },
    timestamp: '2023-11-14T22:13:22Z',
    window: '2s',
    containers: [{ name: 'c', usage: { cpu: '500m', memory: '2Ki' } }],
  });
  expect((await get('nodes/n1')).body).toMatchObject({ kind: 'NodeMetrics', usage: { cpu: '500m', memory: '2Ki' } });
});

test.each([
  ['namespaces/x/pods/none', 404, 'pods "none" not found'],
  ['namespaces/x/pods/done', 404, 'pods "done" not found'],
  ['namespaces/y/pods/a', 404, 'podmetrics.metrics.k8s.io "y/a" not found'],
  ['nodes/none', 404, 'nodes "none" not found'],
  ['pods?fieldSelector=spec.nodeName%3Dn1', 400, 'field label not supported: spec.nodeName'],
])('returns for the path %s the code %i', async (path, status, message) => {
  expect(await get(path)).toMatchObject({ status, body: { message } });
});

test('supports selectors of labels, names and namespaces', async () => {
  expect(names(await get('pods?labelSelector=app%3Db'))).toEqual(['x/b']);
  expect(names(await get('pods?fieldSelector=metadata.name%3Da,metadata.namespace%3Dx'))).toEqual(['x/a']);
});

test.each(['POST', 'DELETE', 'PATCH'])('does not support %s', async (method) => {
  expect((await get(method === 'POST' ? 'nodes' : 'nodes/n1', method)).status).toBe(405);
});
