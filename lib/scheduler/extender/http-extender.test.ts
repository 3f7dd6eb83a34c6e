import { describe, expect, test } from 'vitest';
import { defined } from '#lib/machinery/defined.ts';
import { parseStored } from '#lib/machinery/json.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import type { Address, ServiceResolver } from '#lib/server/webhook/service-resolver.ts';
import { aNodeInfo, aPod, aPodInfo } from '../testing/wrappers.ts';
import { type ExtenderConfig, httpExtender } from './http-extender.ts';
import { extenderTls } from './tls.ts';
import type { ExtenderRequest } from './transport.ts';

const CONFIG: ExtenderConfig = {
  urlPrefix: 'http://extender/v1/',
  filterVerb: 'filter',
  preemptVerb: 'preempt',
  prioritizeVerb: 'prioritize',
  bindVerb: 'bind',
  weight: 3,
  nodeCacheCapable: false,
  managedResources: [],
  ignorable: false,
};
const TLS = { insecure: false, serverName: '', ca: '' };
const pod = aPod({ name: 'p', namespace: 'ns', uid: 'u' });
const nodes = ['a', 'b'].map((name) => aNodeInfo({ name }, aPod({ name: `${name}1` })));

/** Resolves a single Service. */
const services: ServiceResolver = {
  async resolve({ namespace, name, port }) {
    if (`${namespace}/${name}:${port}` !== 'team/fits:443') throw new Error(`service "${name}" not found`);
    return { host: '10.0.0.9', port: 8443 };
  },
};

/** An extender with a fixed response, and the requests it received. */
function answering(answer: unknown, config: Partial<ExtenderConfig> = {}, status = 200) {
  const asked: { url: string; body: Json; timeout: number; connect?: Address }[] = [];
  const transport = {
    async post({ url, body, timeout, connect }: ExtenderRequest) {
      asked.push({ url, body: parseStored(body), timeout, ...defined({ connect }) });
      return { status, body: Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer)) };
    },
  };
  const node = (name: string) => nodes.find((one) => one.name === name);
  return { asked, extender: httpExtender({ ...CONFIG, ...config }, { transport, services, tls: TLS, node }) };
}

describe('the filter of HTTPExtender', () => {
  test('sends whole nodes and returns the passing ones and the reasons of the others', async () => {
    const { asked, extender } = answering({
      Nodes: { items: [nodes[0]?.node] },
      FailedNodes: { b: 'busy' },
      FailedAndUnresolvableNodes: { c: 'never' },
    });
    const found = await extender.filter(pod, nodes);
    expect(found.nodes).toEqual([nodes[0]]);
    expect([[...found.failed], [...found.failedAndUnresolvable]]).toEqual([[['b', 'busy']], [['c', 'never']]]);
    const list = { metadata: {}, items: nodes.map(({ node }) => node) };
    expect(asked).toEqual([
      { url: 'http://extender/v1/filter', body: { Pod: pod, Nodes: list, NodeNames: null }, timeout: 5000 },
    ]);
  });

  test('sends names to an extender that caches nodes', async () => {
    const { asked, extender } = answering({ nodenames: ['b'] }, { nodeCacheCapable: true, httpTimeout: '1.5s' });
    expect((await extender.filter(pod, nodes)).nodes).toEqual([nodes[1]]);
    expect(asked[0]).toMatchObject({ body: { Nodes: null, NodeNames: ['a', 'b'] }, timeout: 1500 });
  });

  test.each<[string, unknown, Partial<ExtenderConfig>, number, string]>([
    ['a response with an error', { Error: 'no idea' }, {}, 200, 'no idea'],
    ['another HTTP status', {}, {}, 500, 'failed filter with extender at URL http://extender/v1/filter, code 500'],
    [
      'a response with an unknown node',
      { NodeNames: ['c'] },
      { nodeCacheCapable: true },
      200,
      'extender "http://extender/v1/" claims a filtered node "c" which is not found in the input node list',
    ],
    ['a response that is not JSON', 'no', {}, 200, 'invalid character'],
  ])('throws for %s', async (_, answer, config, status, message) => {
    await expect(answering(answer, config, status).extender.filter(pod, nodes)).rejects.toThrow(message);
  });

  test('returns no nodes for a response without nodes', async () => {
    expect((await answering({}).extender.filter(pod, nodes)).nodes).toEqual([]);
  });
});

test('returns the scores of prioritize by node name', async () => {
  const { asked, extender } = answering([
    { Host: 'a', Score: 7 },
    { host: 'b', score: 2 },
  ]);
  expect([...(await extender.prioritize(pod, nodes))]).toEqual([
    ['a', 7],
    ['b', 2],
  ]);
  expect([asked[0]?.url, extender.weight]).toEqual(['http://extender/v1/prioritize', 3]);
});

describe('preemption with HTTPExtender', () => {
  const victims = aPodInfo({ name: 'a1' }).pod;
  const candidates = new Map([['a', { pods: [victims], pdbViolations: 1 }]]);
  const result = (uid: string, node = 'a') => ({
    NodeNameToMetaVictims: { [node]: { Pods: [{ UID: uid }], NumPDBViolations: 2 } },
  });

  test('sends victims and resolves the victims in the response by uid', async () => {
    const { asked, extender } = answering(result('a1'));
    expect([...(await extender.processPreemption(pod, candidates))]).toEqual([
      ['a', { pods: [aPod({ name: 'a1' })], pdbViolations: 2 }],
    ]);
    expect(asked[0]?.body).toEqual({
      Pod: pod,
      NodeNameToVictims: { a: { Pods: [victims], NumPDBViolations: 1 } },
      NodeNameToMetaVictims: null,
    });
  });

  test('sends uids to an extender that caches nodes', async () => {
    const { asked, extender } = answering({}, { nodeCacheCapable: true });
    expect((await extender.processPreemption(pod, candidates)).size).toBe(0);
    expect(asked[0]?.body).toEqual({
      Pod: pod,
      NodeNameToVictims: null,
      NodeNameToMetaVictims: { a: { Pods: [{ UID: 'a1' }], NumPDBViolations: 1 } },
    });
  });

  test.each([
    [
      'a victim on another node',
      result('b1'),
      'claims to preempt pod (UID: &{b1}) on node: a, but the pod is not found on that node',
    ],
    ['an unknown node', result('a1', 'c'), 'nodeinfo not found for node name "c"'],
  ])('throws for a response with %s', async (_, answer, message) => {
    await expect(answering(answer).extender.processPreemption(pod, candidates)).rejects.toThrow(message);
  });
});

test('bind sends the pod and the node, and throws the error in the response', async () => {
  const { asked, extender } = answering({});
  await extender.bind(pod, 'a');
  expect(asked[0]?.body).toEqual({ PodName: 'p', PodNamespace: 'ns', PodUID: 'u', Node: 'a' });
  await expect(answering({ Error: 'taken' }).extender.bind(pod, 'a')).rejects.toThrow('taken');
});

test.each([
  ['any pod if it manages no resources', [], {}, true],
  [
    'a pod that requests a managed resource',
    [{ name: 'e.com/x' }],
    { containers: [{ resources: { requests: { 'e.com/x': '1' } } }] },
    true,
  ],
  [
    'a pod that limits a managed resource',
    [{ name: 'e.com/x' }],
    { initContainers: [{ resources: { limits: { 'e.com/x': '1' } } }] },
    true,
  ],
  [
    'no pod without a managed resource',
    [{ name: 'e.com/x' }],
    { containers: [{ resources: { requests: { cpu: '1' } } }] },
    false,
  ],
])('is interested in %s', (_, managedResources, spec, expected) => {
  expect(answering({}, { managedResources }).extender.isInterested(aPod({ spec }))).toBe(expected);
});

test('calls only the configured verbs', () => {
  const { extender } = answering({}, { bindVerb: '', preemptVerb: '' });
  expect(extender.does).toEqual({ filter: true, prioritize: true, preempt: false, bind: false });
});

describe('HTTPExtender over TLS', () => {
  const files = (path: string): string => `file ${path}`;
  const data = Buffer.from('PEM').toString('base64');

  test.each([
    ['without a CA any server is trusted', { enableHTTPS: true }, { ...TLS, insecure: true }],
    [
      'with a CA the server is verified',
      { enableHTTPS: true, tlsConfig: { caFile: 'ca', serverName: 'e' } },
      { ...TLS, ca: 'file ca', serverName: 'e' },
    ],
    [
      'data takes precedence over files',
      { enableHTTPS: true, tlsConfig: { caData: data, caFile: 'ca' } },
      { ...TLS, ca: 'PEM' },
    ],
    [
      'with a client certificate',
      { enableHTTPS: false, tlsConfig: { certData: data, keyFile: 'key', insecure: true } },
      { ...TLS, insecure: true, client: { certificate: 'PEM', key: 'file key' } },
    ],
    ['without settings', { enableHTTPS: false }, TLS],
  ])('converts the TLS settings: %s', (_, config, expected) => expect(extenderTls(config, files)).toEqual(expected));

  test('rejects malformed responses', () => {
    expect(() => extenderTls({ enableHTTPS: true, tlsConfig: { caData: '?' } }, files)).toThrow('caData');
  });
});

describe('HTTPExtender: a URL that names a Service', () => {
  test('connects to the address of the Service', async () => {
    const { asked, extender } = answering([], { urlPrefix: 'https://fits.team.svc/v1' });
    await extender.prioritize(pod, nodes);
    const connect = { host: '10.0.0.9', port: 8443 };
    expect(asked).toEqual([expect.objectContaining({ url: 'https://fits.team.svc/v1/prioritize', connect })]);
  });

  test('is not called if the Service does not exist', async () => {
    const { asked, extender } = answering([], { urlPrefix: 'https://none.team.svc/v1' });
    await expect(extender.prioritize(pod, nodes)).rejects.toThrow(
      'Post "https://none.team.svc/v1/prioritize": service "none" not found',
    );
    expect(asked).toEqual([]);
  });
});
