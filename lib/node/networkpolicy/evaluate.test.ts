import { describe, expect, test } from 'vitest';
import type { NetworkPolicy } from '#lib/api/types/networking.v1.ts';
import { type Connection, evaluate, type Verdict } from './evaluate.ts';
import { PolicyIndex } from './policy-index.ts';
import { aNamespace, aPod, aPolicy } from './testing/objects.ts';

const NODE = '192.0.2.1';
const OTHER_NODE = '192.0.2.2';
const WEB = aPod('x/web', {
  labels: { app: 'web' },
  addresses: ['10.0.0.1', 'fd00::1'],
  hostAddresses: [NODE],
  ports: { http: ['TCP', 8080] },
});
const DB = aPod('y/db', { labels: { app: 'db' }, addresses: ['10.0.0.2', 'fd00::2'], hostAddresses: [OTHER_NODE] });
const HOST = aPod('x/host', { labels: { app: 'web' }, addresses: [OTHER_NODE], hostNetwork: true });
const ENDED = aPod('y/ended', { labels: { app: 'db' }, addresses: ['10.0.0.3'], phase: 'Failed' });
const NOWHERE = aPod('unknown/pod', { labels: { app: 'db' }, addresses: ['10.0.0.4'] });
const PODS = [WEB, DB, HOST, ENDED, NOWHERE];

const indexOf = (...policies: NetworkPolicy[]): PolicyIndex =>
  new PolicyIndex({ policies, pods: PODS, namespaces: [aNamespace('x'), aNamespace('y')] });
const ask = (index: PolicyIndex, from: string, to: string, more: Partial<Connection> = {}): Verdict =>
  evaluate(index, { from, to, port: 8080, protocol: 'TCP', ...more });
const DENY = aPolicy('x/deny', { policyTypes: ['Ingress', 'Egress'] });

describe('an explanation', () => {
  test('names no policy if none selects the pods', () => {
    const open = { allowed: true, reason: 'NotIsolated', selecting: [] };
    expect(ask(indexOf(), '10.0.0.1', '10.0.0.2')).toEqual({ allowed: true, egress: open, ingress: open });
  });

  test('names the policies that select the pod and the first rule that allows the connection', () => {
    const index = indexOf(
      aPolicy('x/second', { ingress: [{ from: [{ podSelector: {} }] }, { from: [{ namespaceSelector: {} }] }] }),
      aPolicy('x/first', {}),
      aPolicy('x/other', { podSelector: { matchLabels: { app: 'db' } } }),
    );
    expect(ask(index, '10.0.0.2', '10.0.0.1').ingress).toEqual({
      allowed: true,
      reason: 'Rule',
      selecting: [
        { namespace: 'x', name: 'first' },
        { namespace: 'x', name: 'second' },
      ],
      rule: { namespace: 'x', name: 'second', field: 'spec.ingress[1]' },
    });
  });

  test('reports that no rule allows the connection', () => {
    expect(ask(indexOf(DENY), '10.0.0.2', '10.0.0.1')).toMatchObject({
      allowed: false,
      egress: { allowed: true, reason: 'NotIsolated' },
      ingress: { allowed: false, reason: 'NoRule', selecting: [{ namespace: 'x', name: 'deny' }] },
    });
  });

  test.each([
    ['the node of the pod reaches it', NODE, '10.0.0.1', 'ingress', 'OwnNode'],
    ['another node does not', OTHER_NODE, '10.0.0.1', 'ingress', 'NoRule'],
    ['the pod reaches its node', '10.0.0.1', NODE, 'egress', 'OwnNode'],
    ['the pod reaches itself', '10.0.0.1', '10.0.0.1', 'ingress', 'Itself'],
    ['the pod reaches itself by IPv6', 'fd00::1', 'fd00:0::1', 'egress', 'Itself'],
    ['a pod in the network of its host is not isolated', '198.51.100.1', OTHER_NODE, 'ingress', 'Outside'],
    ['an address of a pod that has ended is not isolated', '198.51.100.1', '10.0.0.3', 'ingress', 'Outside'],
  ] as const)('explains the decision: %s', (_, from, to, direction, reason) => {
    expect(ask(indexOf(DENY, aPolicy('y/deny', {})), from, to)[direction].reason).toBe(reason);
  });

  test('rejects text that is not an address', () => {
    expect(() => ask(indexOf(), 'web', '10.0.0.1')).toThrow('not an IP address: "web"');
  });
});

describe('peers', () => {
  const from = (...peers: object[]): PolicyIndex => indexOf(aPolicy('x/p', { ingress: [{ from: peers }] }));

  test.each([
    ['a pod in the network of its host matches no selector', { podSelector: {} }, OTHER_NODE, false],
    ['but a block', { ipBlock: { cidr: `${OTHER_NODE}/32` } }, OTHER_NODE, true],
    ['a pod that has ended matches no selector', { namespaceSelector: {} }, '10.0.0.3', false],
    ['a pod of a namespace that is not known matches all namespaces', { namespaceSelector: {} }, '10.0.0.4', true],
    [
      'but no absent label',
      { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'DoesNotExist' }] } },
      '10.0.0.4',
      false,
    ],
    ['a block of IPv6', { ipBlock: { cidr: 'fd00::/64', except: ['fd00::3/128'] } }, 'fd00::2', true],
    ['a block has one family', { ipBlock: { cidr: '0.0.0.0/0' } }, 'fd00::2', false],
    ['a block with bits behind its prefix', { ipBlock: { cidr: '10.0.0.77/24' } }, '10.0.0.2', true],
    [
      'exceptions may overlap',
      { ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/24', '10.0.0.2/31'] } },
      '10.0.0.2',
      false,
    ],
    ['an exception may be all', { ipBlock: { cidr: '10.0.0.0/24', except: ['10.0.0.0/24'] } }, '10.0.0.2', false],
  ])('are evaluated: %s', (_, peer, address, isAllowed) => {
    const to = address.includes(':') ? 'fd00::1' : '10.0.0.1';
    expect(ask(from(peer), address, to).allowed).toBe(isAllowed);
  });
});

describe('ports', () => {
  const to = (...ports: object[]): PolicyIndex => indexOf(aPolicy('x/p', { ingress: [{ ports }] }));
  const sidecar = {
    name: 'proxy',
    image: 'image',
    restartPolicy: 'Always',
    ports: [{ name: 'admin', protocol: 'TCP', containerPort: 9 }],
  };

  test.each([
    ['a range has its ends', { port: 8080, endPort: 8090 }, { port: 8090 }, true],
    ['a range ends', { port: 8080, endPort: 8090 }, { port: 8091 }, false],
    ['a range of one port', { port: 8080, endPort: 8080 }, {}, true],
    ['a name has its protocol', { port: 'http', protocol: 'UDP' }, { protocol: 'UDP' }, false],
    ['SCTP', { port: 8080, protocol: 'SCTP' }, { protocol: 'SCTP' }, true],
    ['a protocol alone', { protocol: 'UDP' }, { protocol: 'UDP' }, true],
  ] as const)('are evaluated: %s', (_, port, connection, isAllowed) => {
    expect(ask(to(port), '10.0.0.2', '10.0.0.1', connection).allowed).toBe(isAllowed);
  });

  test.each([
    ['an init container that goes on', sidecar, true],
    ['one that ends', { ...sidecar, restartPolicy: 'OnFailure' }, false],
  ])('include named ports of init containers only if those keep running: %s', (_, container, isAllowed) => {
    const pod = {
      ...WEB,
      spec: { ...WEB.spec, initContainers: [container].map((one) => ({ ...one, resources: {} })) },
    };
    const policies = [aPolicy('x/p', { ingress: [{ ports: [{ port: 'admin' }] }] })];
    const index = new PolicyIndex({ policies, pods: [pod], namespaces: [] });
    expect(ask(index, '10.0.0.2', '10.0.0.1', { port: 9 }).allowed).toBe(isAllowed);
  });
});

describe('an invalid part of a policy', () => {
  const rule = (content: object): NetworkPolicy => aPolicy('x/p', { ingress: [content] });
  test.each([
    ['an unknown protocol', rule({ ports: [{ protocol: 'ICMP' }] }), 'spec.ingress[0].ports[0].protocol'],
    ['a port out of range', rule({ ports: [{ port: 70_000 }] }), 'spec.ingress[0].ports[0].port'],
    ['a range that goes down', rule({ ports: [{ port: 9000, endPort: 80 }] }), 'spec.ingress[0].ports[0].endPort'],
    ['a range from a name', rule({ ports: [{ port: 'http', endPort: 9000 }] }), 'spec.ingress[0].ports[0].endPort'],
    ['a range from nowhere', rule({ ports: [{ endPort: 9000 }] }), 'spec.ingress[0].ports[0].endPort'],
    ['an empty peer', rule({ from: [{}] }), 'spec.ingress[0].from[0]'],
    [
      'a block beside a selector',
      rule({ from: [{ podSelector: {}, ipBlock: { cidr: '0.0.0.0/0' } }] }),
      'spec.ingress[0].from[0]',
    ],
    [
      'a block that is no network',
      rule({ from: [{ ipBlock: { cidr: '10.0.0.0' } }] }),
      'spec.ingress[0].from[0].ipBlock.cidr',
    ],
    [
      'an exception that is no network',
      rule({ from: [{ ipBlock: { cidr: '0.0.0.0/0', except: ['any'] } }] }),
      'spec.ingress[0].from[0].ipBlock.except[0]',
    ],
    [
      'an unknown operator of a peer',
      rule({ from: [{ podSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } }] }),
      'spec.ingress[0].from[0]',
    ],
    [
      'an unknown operator of the selector',
      aPolicy('x/p', { podSelector: { matchExpressions: [{ key: 'a', operator: 'Like' }] }, ingress: [{}] }),
      'spec.podSelector',
    ],
  ])('allows nothing and is reported: %s', (_, policy, field) => {
    const index = indexOf(policy);
    expect(ask(index, '10.0.0.2', '10.0.0.1')).toMatchObject({ allowed: false, ingress: { reason: 'NoRule' } });
    expect(index.problems).toMatchObject([{ policy: { namespace: 'x', name: 'p' }, field }]);
  });
});
