import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { aNamespace, aPod, aPolicy } from '#lib/node/networkpolicy/testing/objects.ts';
import type { Kubectl } from './kubectl.ts';
import { explain } from './netpol-gather.ts';
import { readQuestion } from './netpol-question.ts';
import { explanationText } from './netpol-text.ts';

const PODS = [
  aPod('x/web', { addresses: ['10.0.0.1', 'fd00::1'], hostAddresses: ['192.0.2.1'] }),
  aPod('y/db', { labels: { app: 'db' }, addresses: ['10.0.0.2'], ports: { sql: ['TCP', 5432] } }),
  aPod('y/host', { addresses: ['192.0.2.1'], hostNetwork: true }),
  aPod('y/over', { addresses: ['10.0.0.9'], phase: 'Succeeded' }),
  aPod('y/new', { addresses: [] }),
];
const POLICIES = [
  aPolicy('y/deny', {}),
  aPolicy('y/sql', {
    podSelector: { matchLabels: { app: 'db' } },
    ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ port: 'sql' }] }],
  }),
];

const never = async (): Promise<never> => expect.fail('is not asked');
const find = (namespace: string, name: string): Pod | undefined =>
  PODS.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name);
/** A kubectl whose current namespace is x. */
const ASK: Kubectl = {
  run: never,
  post: never,
  complete: never,
  object: async ([, , name = '']) => find('x', name),
  async get(path) {
    const [, namespace = '', name = ''] = /^\/api\/v1\/namespaces\/([^/]+)\/pods\/([^/]+)$/.exec(path) ?? [];
    if (namespace !== '') return find(namespace, name);
    if (path === '/api/v1/pods') return { items: PODS };
    if (path.endsWith('/networkpolicies'))
      return { items: POLICIES.filter(({ metadata }) => path.includes(`/${metadata.namespace}/`)) };
    return aNamespace(path.replace('/api/v1/namespaces/', ''));
  },
};
const answer = async (from: string, to: string, protocol = 'TCP'): Promise<string> =>
  explanationText(await explain(ASK, readQuestion(from, to, protocol)));

describe('an explanation of a connection', () => {
  test('names the rule that allows it, by a named port', async () => {
    expect(await answer('web', 'y/db:sql')).toBe(`x/web (10.0.0.1) to y/db (10.0.0.2), port 5432 TCP: allowed
  egress of x/web: allowed, no policy isolates it
  ingress of y/db: allowed by spec.ingress[0] of y/sql; isolated by y/deny, y/sql
`);
  });

  test.each([
    [
      'the policies of which no rule allows',
      'x/web',
      'y/db:80',
      'ingress of y/db: denied, no rule allows it; isolated by y/deny, y/sql',
    ],
    ['an address that is no pod', '198.51.100.1', 'y/db:80', '198.51.100.1 to y/db (10.0.0.2), port 80 TCP: denied'],
    ['the pod of an address', '10.0.0.1', 'y/db:sql', 'x/web (10.0.0.1) to y/db (10.0.0.2), port 5432 TCP: allowed'],
    [
      'a pod in the network of its host',
      'pod/web',
      'y/host:80',
      'ingress of y/host: allowed, policies do not apply to a pod in the network of its host',
    ],
    ['the node of a pod', 'y/host', 'web:80', 'ingress of x/web: allowed, a pod and its node always reach each other'],
    [
      'a pod that asks itself, by both families',
      'web',
      'x/web:80',
      'x/web (fd00::1) to x/web (fd00::1), port 80 TCP: allowed',
    ],
    ['an address of IPv6', 'web', '[fd00::2]:80', 'ingress of fd00::2: allowed, it is no pod'],
  ])('describes %s correctly', async (_, from, to, line) => {
    expect((await answer(from, to)).split('\n').map((one) => one.trim())).toContain(line);
  });

  test.each([
    ['a pod that has ended', 'web', 'y/over:80', 'pod y/over has ended, and so it has no address'],
    ['a pod without an address', 'web', 'y/new:80', 'pod y/new has no address yet'],
    ['a name that no port has', 'web', 'y/db:http', 'y/db has no TCP port with the name "http"'],
    ['a destination without a port', 'web', 'y/db', '"y/db" names no port: write POD:PORT, or [ADDRESS]:PORT for IPv6'],
    [
      'an address of IPv6 without a port',
      'web',
      'fd00::1',
      '"fd00::1" names no port: write POD:PORT, or [ADDRESS]:PORT for IPv6',
    ],
    ['a port out of range', 'web', 'y/db:70000', '70000 is no port'],
    ['other text', 'web', 'y/../db:80', '"y/../db" is neither a pod (NAME or NAMESPACE/NAME) nor an address'],
    ['ends of two families', 'y/db', '[fd00::2]:80', 'y/db and fd00::2 have no family of addresses in common'],
  ])('rejects %s with a reason', async (_, from, to, message) => {
    await expect(answer(from, to)).rejects.toThrow(message);
  });

  test('rejects another protocol', async () => {
    await expect(answer('web', 'y/db:80', 'icmp')).rejects.toThrow('the protocol is one of TCP, UDP, SCTP');
  });
});
