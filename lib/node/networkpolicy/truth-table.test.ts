import { BlockList, isIPv4 } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Namespace, Pod } from '#lib/api/types/core.v1.ts';
import type { LabelSelector } from '#lib/api/types/meta.v1.ts';
import type { NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '#lib/api/types/networking.v1.ts';
import { randomFrom } from '#test/store/random.ts';
import { type Connection, evaluate } from './evaluate.ts';
import { PROTOCOLS } from './policy.ts';
import { PolicyIndex } from './policy-index.ts';
import { aNamespace, aPod } from './testing/objects.ts';
import { randomPolicies, type World } from './testing/random-cluster.ts';

// A second evaluator, deliberately slow and simple. It reads the API's policies again for each connection.

interface Objects {
  readonly policies: readonly NetworkPolicy[];
  readonly namespaces: readonly Namespace[];
  readonly pods: readonly Pod[];
}
type Labels = Readonly<Record<string, string>>;

function selects({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels): boolean {
  for (const [key, value] of Object.entries(matchLabels)) if (labels[key] !== value) return false;
  for (const { key, operator, values } of matchExpressions) {
    const value = labels[key];
    if (operator === 'In' && (value === undefined || !values?.includes(value))) return false;
    if (operator === 'NotIn' && value !== undefined && values?.includes(value) === true) return false;
    if (operator === 'Exists' && value === undefined) return false;
    if (operator === 'DoesNotExist' && value !== undefined) return false;
  }
  return true;
}

function inside(cidr: string, address: string): boolean {
  const list = new BlockList();
  const [network = '', length = ''] = cidr.split('/');
  list.addSubnet(network, Number(length), isIPv4(network) ? 'ipv4' : 'ipv6');
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6');
}

function naive({ policies, namespaces, pods }: Objects, { from, to, protocol, port }: Connection): boolean {
  const podAt = (address: string): Pod | undefined =>
    pods.find(
      ({ spec, status }) =>
        spec.hostNetwork !== true && status.phase === 'Running' && status.podIPs?.some(({ ip }) => ip === address),
    );
  const source = podAt(from);
  const target = podAt(to);
  if (source !== undefined && source === target) return true;

  const peerTakes = (
    policy: NetworkPolicy,
    peer: NetworkPolicyPeer,
    other: Pod | undefined,
    address: string,
  ): boolean => {
    const { ipBlock, podSelector, namespaceSelector } = peer;
    if (ipBlock !== undefined)
      return inside(ipBlock.cidr, address) && !(ipBlock.except ?? []).some((except) => inside(except, address));
    if (other === undefined) return false;
    const namespace = namespaces.find(({ metadata }) => metadata.name === other.metadata.namespace);
    if (namespaceSelector === undefined) {
      if (other.metadata.namespace !== policy.metadata.namespace) return false;
    } else if (namespace === undefined || !selects(namespaceSelector, namespace.metadata.labels ?? {})) return false;
    return podSelector === undefined || selects(podSelector, other.metadata.labels ?? {});
  };
  const portTakes = (rule: NetworkPolicyPort): boolean => {
    if ((rule.protocol ?? 'TCP') !== protocol) return false;
    if (rule.port === undefined) return true;
    if (typeof rule.port === 'number') return rule.port <= port && port <= (rule.endPort ?? rule.port);
    for (const container of target?.spec.containers ?? [])
      for (const one of container.ports ?? [])
        if (one.name === rule.port && one.protocol === protocol) return one.containerPort === port;
    return false;
  };
  const side = (
    direction: 'Ingress' | 'Egress',
    own: Pod | undefined,
    other: Pod | undefined,
    address: string,
  ): boolean => {
    if (own === undefined) return true;
    if (other === undefined && own.status.hostIPs?.some(({ ip }) => ip === address) === true) return true;
    let isIsolated = false;
    for (const policy of policies) {
      const { ingress = [], egress = [], podSelector, policyTypes = [] } = policy.spec;
      const applies =
        policyTypes.length > 0 ? policyTypes.includes(direction) : direction === 'Ingress' || egress.length > 0;
      if (!applies || policy.metadata.namespace !== own.metadata.namespace) continue;
      if (!selects(podSelector, own.metadata.labels ?? {})) continue;
      isIsolated = true;
      const rules =
        direction === 'Ingress'
          ? ingress.map((rule) => ({ ports: rule.ports ?? [], peers: rule.from ?? [] }))
          : egress.map((rule) => ({ ports: rule.ports ?? [], peers: rule.to ?? [] }));
      for (const { ports, peers } of rules) {
        const isPeer = peers.length === 0 || peers.some((peer) => peerTakes(policy, peer, other, address));
        if (isPeer && (ports.length === 0 || ports.some(portTakes))) return true;
      }
    }
    return !isIsolated;
  };
  return side('Egress', source, target, to) && side('Ingress', target, source, from);
}

const APPS = ['web', 'db', 'cache'];
const WORLD: World = {
  namespaces: ['x', 'y', 'z'],
  apps: APPS,
  teams: ['red', 'blue'],
  blocks: [
    { cidr: '10.0.0.0/8' },
    { cidr: '10.0.1.0/24', except: ['10.0.1.2/32', '10.0.1.8/29'] },
    { cidr: '192.0.2.0/24', except: ['192.0.2.128/25'] },
    { cidr: 'fd00::/16', except: ['fd00::1:0/112'] },
    { cidr: '0.0.0.0/0', except: ['10.0.2.0/24'] },
  ],
  ports: [80, 81, 5000],
  names: ['http', 'metrics', 'unknown'],
};

function worldsPods(): Pod[] {
  const made: Pod[] = [];
  for (const [n, namespace] of WORLD.namespaces.entries())
    for (const [i, app] of APPS.entries()) {
      const address = [`10.0.${n}.${i + 1}`, `fd00::${n}:${i + 1}`];
      const ports = { http: ['TCP', 80 + i], metrics: [i === 1 ? 'UDP' : 'TCP', 5000] } as const;
      made.push(
        aPod(`${namespace}/${app}`, {
          labels: { app },
          addresses: address,
          ports,
          hostAddresses: [`192.0.2.${n + 1}`],
        }),
      );
    }
  return [
    ...made,
    aPod('x/bare', { addresses: ['10.0.0.9'] }),
    aPod('x/host', { labels: { app: 'web' }, addresses: ['192.0.2.1'], hostNetwork: true }),
    aPod('y/ended', { labels: { app: 'web' }, addresses: ['10.0.1.9'], phase: 'Succeeded' }),
  ];
}

const ADDRESSES = [
  ...worldsPods().flatMap(({ status }) => (status.podIPs ?? []).map(({ ip }) => ip)),
  '192.0.2.200',
  '198.51.100.1',
  'fd00::ffff',
];
const NAMESPACES = [aNamespace('x', { team: 'red' }), aNamespace('y', { team: 'blue' }), aNamespace('z')];

describe('the evaluator of random policies', () => {
  test.each(Array.from({ length: 40 }, (_, seed) => seed))('agrees with a naive evaluator, seed %i', (seed) => {
    const random = randomFrom(seed);
    const policies = randomPolicies(WORLD, 1 + Math.floor(random() * 6), random);
    const objects = { policies, namespaces: NAMESPACES, pods: worldsPods() };
    const index = new PolicyIndex(objects);
    expect(index.problems).toEqual([]);
    const wrong: object[] = [];
    for (const from of ADDRESSES)
      for (const to of ADDRESSES) {
        if (from.includes(':') !== to.includes(':')) continue;
        for (const protocol of PROTOCOLS)
          for (const port of [80, 82, 5000]) {
            const connection = { from, to, protocol, port };
            const verdict = evaluate(index, connection);
            if (verdict.allowed !== naive(objects, connection)) wrong.push({ connection, verdict });
          }
      }
    expect(wrong, JSON.stringify(policies)).toEqual([]);
  });
});
