import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type {
  NetworkPolicy,
  NetworkPolicyEgressRule,
  NetworkPolicyIngressRule,
  NetworkPolicyPeer,
} from '#lib/api/types/networking.v1.ts';
import { allows } from './evaluate.ts';
import type { Protocol } from './policy.ts';
import { PolicyIndex } from './policy-index.ts';
import { aNamespace, aPod, aPolicy } from './testing/objects.ts';

// The cases of upstream's end-to-end tests of network policies, test/clients/e2e/network/netpol, as data. The namespaces x, y and z each
// contain the pods a, b and c. Each pod serves ports 80 and 81 with TCP, UDP and SCTP.

const NAMES = ['x', 'y', 'z'].flatMap((namespace) => ['a', 'b', 'c'].map((name) => `${namespace}/${name}`));
const addressOf = (pod: string): string => `10.0.${pod.charCodeAt(0) - 120}.${pod.charCodeAt(2) - 96}`;
const PORTS = Object.fromEntries(
  [80, 81].flatMap((port) =>
    ['TCP', 'UDP', 'SCTP'].map((one) => [`serve-${port}-${one.toLowerCase()}`, [one, port]] as const),
  ),
);
const pod = (key: string, labels: Record<string, string> = {}): Pod =>
  aPod(key, { labels: { pod: key.slice(2), ...labels }, addresses: [addressOf(key)], ports: PORTS });
const PODS = NAMES.map((key) => pod(key));
const namespace = (name: string, labels: Record<string, string> = {}) => aNamespace(name, { ns: name, ...labels });

const ingress = (key: string, selected: Record<string, string>, ...rules: NetworkPolicyIngressRule[]): NetworkPolicy =>
  aPolicy(key, { podSelector: { matchLabels: selected }, ingress: rules, policyTypes: ['Ingress'] });
const egress = (key: string, selected: Record<string, string>, ...rules: NetworkPolicyEgressRule[]): NetworkPolicy =>
  aPolicy(key, { podSelector: { matchLabels: selected }, egress: rules, policyTypes: ['Egress'] });
const A = { pod: 'a' };
const podIs = (name: string): NetworkPolicyPeer => ({ podSelector: { matchLabels: { pod: name } } });
const podIn = (...values: string[]) => ({
  podSelector: { matchExpressions: [{ key: 'pod', operator: 'In', values }] },
});
const nsIs = (name: string) => ({ namespaceSelector: { matchLabels: { ns: name } } });
const nsNot = (name: string, key = 'ns') => ({
  namespaceSelector: { matchExpressions: [{ key, operator: 'NotIn', values: [name] }] },
});
const DENY_ALL = aPolicy('x/deny-all', { policyTypes: ['Ingress', 'Egress'] });

/** `from` and `to` have the form `x/a`. */
type Expected = (from: string, to: string) => boolean;
interface Case {
  readonly policies: readonly NetworkPolicy[];
  readonly expected: Expected;
  readonly port?: number;
  readonly protocol?: Protocol;
  readonly pods?: readonly Pod[];
  readonly namespaces?: readonly ReturnType<typeof namespace>[];
}
const inX = (one: string): boolean => one.startsWith('x/');
const toA =
  (isAllowed: (from: string) => boolean): Expected =>
  (from, to) =>
    to !== 'x/a' || isAllowed(from);
const fromA =
  (isAllowed: (to: string) => boolean): Expected =>
  (from, to) =>
    from !== 'x/a' || isAllowed(to);
const everything: Expected = () => true;
const nothingIntoX: Expected = (_, to) => !inX(to);
const nothingFromX: Expected = (from) => !inX(from);

const MAKES_INGRESS: [string, Case][] = [
  ['default-deny-ingress', { policies: [ingress('x/deny', {})], expected: nothingIntoX }],
  ['default-deny-ingress, UDP', { policies: [ingress('x/deny', {})], expected: nothingIntoX, protocol: 'UDP' }],
  ['default-deny-ingress, SCTP', { policies: [ingress('x/deny', {})], expected: nothingIntoX, protocol: 'SCTP' }],
  ['default-deny-all', { policies: [DENY_ALL], expected: (from, to) => !inX(from) && !inX(to) }],
  ['a PodSelector', { policies: [ingress('x/p', A, { from: [podIs('b')] })], expected: toA((from) => from === 'x/b') }],
  [
    'allow for one target beside a default deny',
    {
      policies: [ingress('x/deny', {}), ingress('x/p', A, { from: [{ podSelector: {}, namespaceSelector: {} }] })],
      expected: (_, to) => !inX(to) || to === 'x/a',
    },
  ],
  ['all namespaces', { policies: [ingress('x/p', A, { from: [{ namespaceSelector: {} }] })], expected: everything }],
  [
    'a NamespaceSelector',
    { policies: [ingress('x/p', A, { from: [nsIs('y')] })], expected: toA((from) => from.startsWith('y/')) },
  ],
  [
    'a PodSelector with MatchExpressions',
    { policies: [ingress('x/p', A, { from: [podIn('b')] })], expected: toA((from) => from === 'x/b') },
  ],
  [
    'a NamespaceSelector with MatchExpressions',
    { policies: [ingress('x/p', A, { from: [nsNot('x')] })], expected: toA((from) => !inX(from)) },
  ],
  [
    'a PodSelector or a NamespaceSelector',
    {
      policies: [ingress('x/p', A, { from: [nsNot('x'), podIs('b')] })],
      expected: toA((from) => !inX(from) || from === 'x/b'),
    },
  ],
  [
    'a PodSelector and a NamespaceSelector',
    {
      policies: [ingress('x/p', A, { from: [{ ...nsNot('x'), ...podIs('b') }] })],
      expected: toA((from) => ['y/b', 'z/b'].includes(from)),
    },
  ],
  [
    'multiple values of both selectors',
    {
      policies: [ingress('x/p', A, { from: [{ ...nsNot('x'), ...podIn('b', 'c') }] })],
      expected: toA((from) => !inX(from) && !from.endsWith('/a')),
    },
  ],
  [
    'any of two PodSelectors',
    {
      policies: [ingress('x/p', A, { from: [podIs('b'), podIs('c')] })],
      expected: toA((from) => ['x/b', 'x/c'].includes(from)),
    },
  ],
  [
    'one pod of another namespace',
    {
      policies: [ingress('x/p', A, { from: [{ ...nsIs('y'), ...podIs('a') }] })],
      expected: toA((from) => from === 'y/a'),
    },
  ],
  [
    'pods of the own namespace alone',
    { policies: [ingress('x/p', {}, { from: [{ podSelector: {} }] })], expected: (from, to) => !inX(to) || inX(from) },
  ],
  [
    'the label that every namespace has, MatchLabels',
    {
      policies: [
        ingress('x/p', A, { from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'y' } } }] }),
      ],
      expected: toA((from) => from.startsWith('y/')),
    },
  ],
  ['allow-all', { policies: [ingress('x/p', {}, {})], expected: everything }],
  ['allow-all that is updated to deny all', { policies: [ingress('x/p', {})], expected: nothingIntoX }],
  [
    'a namespace without the label',
    {
      policies: [ingress('x/p', A, { from: [{ namespaceSelector: { matchLabels: { ns2: 'updated' } } }] })],
      expected: toA(() => false),
    },
  ],
  [
    'a namespace that got the label',
    {
      policies: [ingress('x/p', A, { from: [{ namespaceSelector: { matchLabels: { ns2: 'updated' } } }] })],
      namespaces: [namespace('x'), namespace('y', { ns2: 'updated' }), namespace('z')],
      expected: toA((from) => from.startsWith('y/')),
    },
  ],
  [
    'a pod that got the label',
    {
      policies: [ingress('x/p', A, { from: [{ podSelector: { matchLabels: { pod: 'b', pod2: 'updated' } } }] })],
      pods: NAMES.map((key) => pod(key, key === 'x/b' ? { pod2: 'updated' } : {})),
      expected: toA((from) => from === 'x/b'),
    },
  ],
  [
    'a target that got the label',
    {
      policies: [ingress('x/p', { target: 'isolated' })],
      pods: NAMES.map((key) => pod(key, key === 'x/a' ? { target: 'isolated' } : {})),
      expected: toA(() => false),
    },
  ],
];

const TO_81 = ingress('x/p81', A, { from: [nsIs('y')], ports: [{ port: 81, protocol: 'TCP' }] });
const TO_80 = ingress('x/p80', A, { from: [nsIs('y')], ports: [{ port: 80, protocol: 'TCP' }] });
const NAMED_81 = ingress('x/p', {}, { ports: [{ port: 'serve-81-tcp' }] });
const PORTS_AND_PROTOCOLS: [string, Case][] = [
  ['a port', { policies: [TO_81], port: 81, expected: toA((from) => from.startsWith('y/')) }],
  ['a port: another is denied', { policies: [TO_81], port: 80, expected: toA(() => false) }],
  [
    'stacked policies, first port',
    { policies: [TO_81, TO_80], port: 81, expected: toA((from) => from.startsWith('y/')) },
  ],
  [
    'stacked policies, second port',
    { policies: [TO_81, TO_80], port: 80, expected: toA((from) => from.startsWith('y/')) },
  ],
  ['a named port', { policies: [NAMED_81], port: 81, expected: everything }],
  ['a named port: another is denied', { policies: [NAMED_81], port: 80, expected: nothingIntoX }],
  [
    'a named port from a namespace',
    {
      policies: [ingress('x/p', A, { from: [nsIs('y')], ports: [{ port: 'serve-80-tcp', protocol: 'TCP' }] })],
      expected: toA((from) => from.startsWith('y/')),
    },
  ],
  [
    'egress to a named port',
    { policies: [egress('x/p', {}, { ports: [{ port: 'serve-80-tcp' }] })], expected: everything },
  ],
  [
    'egress to a named port: another is denied',
    { policies: [egress('x/p', {}, { ports: [{ port: 'serve-80-tcp' }] })], port: 81, expected: nothingFromX },
  ],
  ['any port of a protocol', { policies: [ingress('x/p', A, { ports: [{ protocol: 'TCP' }] })], expected: everything }],
  [
    'any port of a protocol: another protocol is denied',
    { policies: [ingress('x/p', A, { ports: [{ protocol: 'TCP' }] })], protocol: 'UDP', expected: toA(() => false) },
  ],
  [
    'an ingress allow-all beside a port',
    {
      policies: [ingress('x/p', {}, { ports: [{ port: 80 }] }), ingress('x/all', {}, {})],
      port: 81,
      expected: everything,
    },
  ],
  [
    'an egress allow-all beside a port',
    {
      policies: [egress('x/p', {}, { ports: [{ port: 80 }] }), egress('x/all', {}, {})],
      port: 81,
      expected: everything,
    },
  ],
  [
    'SCTP is not TCP',
    {
      policies: [ingress('x/deny', {}), ingress('x/p', A, { ports: [{ port: 81, protocol: 'SCTP' }] })],
      port: 81,
      expected: nothingIntoX,
    },
  ],
  [
    'a policy of SCTP alone isolates its pods',
    {
      policies: [ingress('x/p', A, { ports: [{ port: 80, protocol: 'SCTP' }] })],
      port: 81,
      expected: toA(() => false),
    },
  ],
  [
    'UDP is not TCP',
    { policies: [ingress('x/p', A, { ports: [{ port: 81, protocol: 'UDP' }] })], port: 81, expected: toA(() => false) },
  ],
  [
    'UDP, a port of a namespace',
    {
      policies: [ingress('x/p', A, { from: [nsIs('y')], ports: [{ port: 81, protocol: 'UDP' }] })],
      port: 81,
      protocol: 'UDP',
      expected: toA((from) => from.startsWith('y/')),
    },
  ],
];

const TOGETHER = aPolicy('x/p', {
  podSelector: { matchLabels: A },
  ingress: [{ from: [podIs('b')] }],
  egress: [{ ports: [{ port: 80 }] }],
  policyTypes: ['Egress', 'Ingress'],
});
const EGRESS: [string, Case][] = [
  ['deny egress of a pod', { policies: [egress('x/p', A)], expected: fromA(() => false) }],
  ['deny egress of a namespace', { policies: [egress('x/p', {})], expected: nothingFromX }],
  ['ingress and egress together', { policies: [TOGETHER], expected: toA((from) => from === 'x/b') }],
  [
    'ingress and egress together: another port',
    { policies: [TOGETHER], port: 81, expected: (from, to) => from !== 'x/a' && (to !== 'x/a' || from === 'x/b') },
  ],
  [
    'egress is denied although the server allows it',
    {
      policies: [
        egress('x/p', A, { to: [{ ...nsIs('y'), ...podIs('a') }] }),
        ingress('y/a', A, { from: [{ ...nsIs('x'), ...podIs('a') }] }),
        ingress('y/b', { pod: 'b' }, { from: [{ ...nsIs('x'), ...podIs('a') }] }),
      ],
      expected: (from, to) => {
        if (from === 'x/a') return to === 'y/a';
        return to !== 'y/a' && to !== 'y/b';
      },
    },
  ],
  [
    'egress to a pod of another namespace',
    { policies: [egress('x/p', A, { to: [{ ...nsIs('y'), ...podIs('a') }] })], expected: fromA((to) => to === 'y/a') },
  ],
  [
    'egress to namespaces by the label that every one has, MatchExpressions',
    {
      policies: [egress('x/p', A, { to: [nsNot('y', 'kubernetes.io/metadata.name')] })],
      expected: fromA((to) => !to.startsWith('y/')),
    },
  ],
  [
    'egress to an address',
    {
      policies: [egress('x/p', A, { to: [{ ipBlock: { cidr: `${addressOf('y/b')}/32` } }] })],
      expected: fromA((to) => to === 'y/b'),
    },
  ],
  [
    'egress to a network but one address',
    {
      policies: [egress('x/p', A, { to: [{ ipBlock: { cidr: '10.0.0.0/16', except: [`${addressOf('x/b')}/32`] } }] })],
      expected: fromA((to) => to !== 'x/b'),
    },
  ],
  [
    'an exception of one rule is allowed by another',
    {
      policies: [
        egress(
          'x/p',
          A,
          { to: [{ ipBlock: { cidr: '10.0.0.0/16', except: [`${addressOf('x/b')}/32`] } }] },
          { to: [{ ipBlock: { cidr: `${addressOf('x/b')}/32` } }] },
        ),
      ],
      expected: everything,
    },
  ],
  [
    'egress and ingress of a pod are apart',
    { policies: [egress('x/out', A, {}), ingress('x/in', A)], expected: toA(() => false) },
  ],
];

describe.each([
  ['ingress', MAKES_INGRESS],
  ['ports and protocols', PORTS_AND_PROTOCOLS],
  ['egress and networks', EGRESS],
])('upstream: %s', (_, cases) => {
  test.each(cases)(
    'agrees with upstream: %s',
    (_name, { policies, expected, port = 80, protocol = 'TCP', ...objects }) => {
      const { pods = PODS, namespaces = [namespace('x'), namespace('y'), namespace('z')] } = objects;
      const index = new PolicyIndex({ policies, pods, namespaces });
      for (const from of NAMES)
        for (const to of NAMES) {
          const connection = { from: addressOf(from), to: addressOf(to), port, protocol };
          // Upstream does not check traffic of a pod with itself. Here it is always allowed.
          expect(allows(index, connection), `${from} → ${to}`).toBe(from === to || expected(from, to));
        }
    },
  );
});
