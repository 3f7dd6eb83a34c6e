import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthority } from '#local/certs.ts';
import { type RunningApiserver, startApiserver } from '#local/start-apiserver.ts';
import * as steps from '#test/support/aggregator/steps.ts';
import { eventually } from '#test/support/eventually.ts';

const GROUP = 'stable.example.com';
const V1 = `${GROUP}/v1`;
const V2 = `${GROUP}/v2`;
const V1ALPHA1 = `${GROUP}/v1alpha1`;
const V1ALPHA2 = `${GROUP}/v1alpha2`;
const V1BETA1 = `${GROUP}/v1beta1`;
const { absent, define, listed, onlyStale, ordered, register, resource, rootPath, undefine, unregister } = steps;
const { withFreshness } = steps;

/** The name of upstream's test, and its translated steps. Group versions that a case leaves behind are removed afterwards. */
type Case = readonly [upstream: string, ...steps: steps.Step[]];

const last = (name: string) => ordered(`${name} is last`, (names) => names.at(-1) === name);
const inOrder = (...expected: string[]) =>
  ordered(expected.join(), (names) => names.slice(-expected.length).join() === expected.join());

/** Cases from test/integration/apiserver/discovery/discovery_test.go in Kubernetes 1.36.2. */
const DISCOVERY: readonly Case[] = [
  [
    'TestCRD/CRDInclusion',
    define(GROUP, ['v1', 'v1alpha1', 'v1beta1', 'v2']),
    listed(V1, V1ALPHA1, V1BETA1, V2),
    undefine(GROUP),
  ],
  [
    'TestCRD/CRDRemoval',
    define(GROUP, ['v1', 'v1alpha1', 'v1beta1', 'v2']),
    listed(V1, V1ALPHA1, V1BETA1, V2),
    undefine(GROUP),
    absent(V1, V1ALPHA1, V1BETA1, V2),
  ],
  [
    'TestCRD/CRDAPIServiceOverlap',
    register(V1),
    listed(V1),
    define(GROUP, ['v1', 'v2']),
    listed(V1, V2),
    withFreshness('Stale', V1),
    withFreshness('Current', V2),
    unregister(V1),
    define(GROUP, ['v1', 'v2', 'v1alpha1'], { categories: ['all'] }),
    listed(V1, V2, V1ALPHA1),
    withFreshness('Current', V1, V2, V1ALPHA1),
    undefine(GROUP),
  ],
  [
    'TestCRD/CRDAPIServiceSameGroupDifferentVersions',
    define(GROUP, ['v2', 'v1alpha1']),
    listed(V2, V1ALPHA1),
    register(V1, { priorities: [1000, 100] }),
    listed(V1, V2, V1ALPHA1),
    unregister(V1),
    listed(V2, V1ALPHA1),
    absent(V1),
    undefine(GROUP),
  ],
  [
    'TestCRD/CRDBuiltinOverlapPrecence, but that a definition in a group of built-in kinds serves no other version either',
    define('apiextensions.k8s.io', ['v1', 'v2', 'vfake']),
    resource('apiextensions.k8s.io/v1', 'customresourcedefinitions', true),
    resource('apiextensions.k8s.io/v1', 'bars', false),
    absent('apiextensions.k8s.io/vfake'),
    undefine('apiextensions.k8s.io'),
  ],
  [
    'TestCRD/Race',
    define(GROUP, ['v1', 'v2']),
    listed(V1, V2),
    register(V1, { priorities: [1000, 100] }),
    unregister(V1),
    listed(V1, V2),
    withFreshness('Current', V1, V2),
    undefine(GROUP),
  ],
  ['TestFreshness/BuiltinsFresh', listed('apiregistration.k8s.io/v1'), onlyStale()],
  [
    'TestFreshness/CRDFresh',
    define(GROUP, ['v1', 'v1alpha1', 'v1beta1', 'v2']),
    listed(V1, V1ALPHA1, V1BETA1, V2),
    onlyStale(),
    undefine(GROUP),
  ],
  ['TestFreshness/AggregatedUnreachable', register(V1), listed(V1), onlyStale(V1), unregister(V1)],
  [
    'TestGroupPriority/BuiltinsAndOrdering',
    ordered('apiregistration first', ([first = '']) => first.startsWith('apireg')),
  ],
  [
    'TestGroupPriority/HighGroupPriority',
    register(V1, { priorities: [20_000, 15] }),
    register(V1ALPHA1, { priorities: [1, 15] }),
    register(V1ALPHA2, { priorities: [17_300, 15] }),
    listed(V1, V1ALPHA1, V1ALPHA2),
    ordered(`${V1} is second`, (names) => names[1] === V1),
    ...[V1, V1ALPHA1, V1ALPHA2].map(unregister),
  ],
  [
    'TestGroupPriority/LowGroupPriority',
    register(V1ALPHA1, { priorities: [1, 15] }),
    listed(V1ALPHA1),
    last(V1ALPHA1),
    unregister(V1ALPHA1),
  ],
  [
    'TestGroupPriority/VersionPriority',
    register(V1, { priorities: [1000, 2] }),
    register(V1ALPHA1, { priorities: [1000, 1] }),
    register(V1ALPHA2, { priorities: [1000, 3] }),
    listed(V1, V1ALPHA1, V1ALPHA2),
    inOrder(V1ALPHA2, V1, V1ALPHA1),
    ...[V1, V1ALPHA1, V1ALPHA2].map(unregister),
  ],
  [
    'TestGroupPriority/VersionPriorityTiebreaker',
    ...[V1, V1ALPHA1, V1ALPHA2, V1BETA1, V2].map((one) => register(one)),
    listed(V1, V1ALPHA1, V1ALPHA2, V1BETA1, V2),
    inOrder(V2, V1, V1BETA1, V1ALPHA2, V1ALPHA1),
    ...[V1, V1ALPHA1, V1ALPHA2, V1BETA1, V2].map(unregister),
  ],
];

let server: RunningApiserver;
let backend: Server;
let stage: steps.Stage;
/** The backend's response. */
let answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) => response.end();

beforeAll(async () => {
  server = await startApiserver({ scheduler: false });
  const authority = await newAuthority(new Date());
  const { certificate: cert, key } = await authority.issue({ name: 'api' }, ['other']);
  backend = createServer({ cert, key }, (request, response) => answer(request, response));
  await once(backend.listen(0, 'localhost'), 'listening');
  stage = steps.stageOn(server, (backend.address() as AddressInfo).port);
  await stage.send('POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'test-server' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
});
afterAll(async () => {
  backend.closeAllConnections();
  backend.close();
  await server.close();
});

const play = async (all: readonly steps.Step[]): Promise<void> => {
  for (const step of all) await step(stage);
};

const service = () => ({ service: { namespace: 'default', name: 'test-server', port: stage.port } });

test.each(DISCOVERY.map(([title, ...all]) => ({ title, all })))("passes upstream's case $title", async ({ all }) => {
  const before = [await steps.legacyGroups(stage), await steps.aggregatedGroups(stage)];
  await play(all);
  await eventually(async () => {
    const after = [await steps.legacyGroups(stage), await steps.aggregatedGroups(stage)];
    return JSON.stringify(after) === JSON.stringify(before);
  });
});

describe('a server with aggregated discovery', () => {
  const verbs = ['get', 'list'];
  const things = { resource: 'things', scope: 'Namespaced', singularResource: 'thing', verbs };
  const kind = { group: GROUP, version: 'v1', kind: 'Thing' };
  const document = {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    items: [
      { metadata: { name: GROUP }, versions: [{ version: 'v1', resources: [{ ...things, responseKind: kind }] }] },
    ],
  };
  const discovery = (_: IncomingMessage, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': steps.AGGREGATED }).end(JSON.stringify(document));
  };

  test("passes upstream's TestReadinessAggregatedAPIServiceDiscovery", async () => {
    const waiting: (() => void)[] = [];
    let isReady = false;
    answer = (request, response) => {
      if (request.url?.startsWith(`/apis/${GROUP}`) === true) return void response.end();
      if (request.url !== '/apis') return void response.writeHead(404).end();
      if (isReady) discovery(request, response);
      else waiting.push(() => discovery(request, response));
    };
    await play([register(V1, service()), listed(V1), withFreshness('Stale', V1), rootPath(`/apis/${GROUP}`, true)]);
    isReady = true;
    for (const go of waiting) go();
    await play([withFreshness('Current', V1), resource2('things'), unregister(V1), absent(V1)]);
  });

  test("passes upstream's TestAggregatedAPIServiceDiscovery", async () => {
    answer = (request, response) =>
      request.url?.startsWith('/apis') === true ? discovery(request, response) : response.writeHead(404).end();
    const path = `/apis/${GROUP}`;
    await play([register(V1, service()), withFreshness('Current', V1), resource2('things'), rootPath(path, true)]);
    await play([unregister(V1), rootPath(path, false)]);
  });

  /** Waits until aggregated discovery has a resource in the group's first version. */
  const resource2 =
    (name: string): steps.Step =>
    (on) =>
      eventually(async () => {
        const found = (await steps.aggregatedGroups(on)).find((group) => group.name === GROUP);
        return found?.versions[0]?.resources.includes(name) === true;
      });
});

describe('OpenAPI of aggregated APIs', () => {
  test("passes upstream's TestSlowAPIServiceOpenAPIDoesNotBlockHealthCheck", async () => {
    const asked = Promise.withResolvers<void>();
    answer = (request, response) => (request.url === '/openapi/v2' ? asked.resolve() : response.end());
    await play([register(V1, service()), listed(V1)]);
    await eventually(async () => {
      const { body } = await stage.send('GET', `/apis/apiregistration.k8s.io/v1/apiservices/v1.${GROUP}`);
      return JSON.stringify(body).includes('Passed');
    });
    const document = stage.send('GET', '/openapi/v2');
    await asked.promise;
    expect((await stage.send('GET', '/healthz')).status).toBe(200);
    expect((await stage.send('GET', '/readyz')).status).toBe(200);
    await play([unregister(V1)]);
    backend.closeAllConnections();
    expect((await document).status).toBe(200);
  });

  test("passes upstream's TestFetchingOpenAPIBeforeReady", async () => {
    const path = `/apis/${V1}/`;
    const swagger = JSON.stringify({ swagger: '2.0', info: { title: 'x', version: '1' }, paths: { [path]: {} } });
    answer = (request, response) =>
      request.url === '/openapi/v2'
        ? response.writeHead(200, { 'content-type': 'application/json' }).end(swagger)
        : response.end();
    expect((await stage.send('GET', '/openapi/v2')).body['paths']).not.toHaveProperty([path]);
    await play([register(V1, service())]);
    await eventually(async () => path in ((await stage.send('GET', '/openapi/v2')).body['paths'] as object));
    await play([unregister(V1)]);
    await eventually(async () => !(path in ((await stage.send('GET', '/openapi/v2')).body['paths'] as object)));
  });
});

test("passes upstream's TestSingularNames", async () => {
  const groups = await steps.legacyGroups(stage);
  const paths = ['/api/v1', ...steps.namesIn(groups).map((name) => `/apis/${name}`)];
  const lists = await Promise.all(paths.map(async (path) => (await stage.send('GET', path)).body['resources']));
  const resources = lists.flat() as unknown as { name: string; singularName: string; kind: string }[];
  const main = resources.filter(({ name }) => !name.includes('/'));
  expect(main.length).toBeGreaterThan(50);
  expect(main.filter(({ singularName, kind }) => singularName !== kind.toLowerCase())).toEqual([]);
});

test('passes TestAPIServiceWaitOnStart: an APIService of a definition stays, one without a definition is deleted', async () => {
  const labels = { 'kube-aggregator.kubernetes.io/automanaged': 'true' };
  const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices';
  const managed = (group: string) => ({
    metadata: { name: `v1.${group}`, labels },
    spec: { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
  });
  await play([define('valid.example.com', ['v1']), listed('valid.example.com/v1')]);
  expect((await stage.send('POST', apiServices, managed('stale.example.com'))).status).toBe(201);
  await eventually(async () =>
    expect((await stage.send('GET', `${apiServices}/v1.stale.example.com`)).status).toBe(404),
  );
  expect((await stage.send('GET', `${apiServices}/v1.valid.example.com`)).status).toBe(200);
  await play([undefine('valid.example.com')]);
  await eventually(async () =>
    expect((await stage.send('GET', `${apiServices}/v1.valid.example.com`)).status).toBe(404),
  );
});

/** Cases from test/integration/etcd/crd_overlap_storage_test.go. */
describe.each([
  ['TestOverlappingCustomResourceAPIService', 'apiregistration.k8s.io', 'apiservices', 'APIService'],
  [
    'TestOverlappingCustomResourceCustomResourceDefinition',
    'apiextensions.k8s.io',
    'customresourcedefinitions',
    'CustomResourceDefinition',
  ],
])("upstream's case %s", (_, group, plural, kind) => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const path = `/apis/${group}/v1/${plural}`;
  const names = async (): Promise<string[]> => {
    const { items } = (await stage.send('GET', path)).body as unknown as { items: { metadata: { name: string } }[] };
    return items.map(({ metadata }) => metadata.name);
  };

  test('the built-in kind is served, and its objects survive the definition', async () => {
    await play([define('kept.example.com', ['v1']), listed('kept.example.com/v1')]);
    await eventually(async () => (await names()).some((name) => name.includes('kept.example.com')));
    const before = await names();
    const properties = { foo: { type: 'string' }, bar: { type: 'string', default: 'default' } };
    const { status, body } = await stage.send('POST', definitions, {
      metadata: {
        name: `${plural}.${group}`,
        annotations: { 'api-approved.kubernetes.io': 'unapproved, testing only' },
      },
      spec: {
        group,
        scope: 'Cluster',
        names: {
          plural,
          singular: `custom${kind.toLowerCase()}`,
          kind: `Custom${kind}`,
          listKind: `Custom${kind}List`,
        },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', required: ['foo'], properties } },
          },
        ],
      },
    });
    expect(status, JSON.stringify(body)).toBe(201);
    const definition = `${definitions}/${plural}.${group}`;
    await eventually(async () =>
      expect(JSON.stringify((await stage.send('GET', definition)).body)).toContain('"Established"'),
    );
    const { items } = (await stage.send('GET', path)).body as unknown as { items: { spec: object }[] };
    expect(items.every(({ spec }) => !('bar' in spec))).toBe(true);
    const { resources } = (await stage.send('GET', `/apis/${group}/v1`)).body as unknown as {
      resources: { name: string; kind: string }[];
    };
    expect(resources.find(({ name }) => name === plural)?.kind).toBe(kind);
    expect((await stage.send('GET', `/apis/${group}/v2`)).status).toBe(404);
    expect((await stage.send('DELETE', definition)).status).toBe(200);
    await eventually(async () => expect((await stage.send('GET', definition)).status).toBe(404));
    expect(await names()).toEqual(before);
    await play([undefine('kept.example.com'), absent('kept.example.com/v1')]);
  });
});
