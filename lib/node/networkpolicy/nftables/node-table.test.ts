import { describe, expect, test } from 'vitest';
import type { Pod } from '#lib/api/types/core.v1.ts';
import type { NetworkPolicy } from '#lib/api/types/networking.v1.ts';
import type { Table } from '#lib/node/nftables/table.ts';
import { change, replacement } from '#lib/node/nftables/transaction.ts';
import { PolicyIndex } from '../policy-index.ts';
import { aNamespace, aPod, aPolicy, type PodFacts } from '../testing/objects.ts';
import { nodeTable } from './node-table.ts';
import { TABLE } from './table.ts';

const NAMESPACES = [aNamespace('x'), aNamespace('y')];
const web = (more: Partial<PodFacts> = {}): Pod =>
  aPod('x/web', { labels: { app: 'web' }, addresses: ['10.0.0.1', 'fd00::1'], ports: { http: ['TCP', 80] }, ...more });
const FAR = aPod('y/db', {
  labels: { app: 'db' },
  addresses: ['10.0.1.1', 'fd00:1::1'],
  node: 'other',
  ports: { http: ['TCP', 81] },
});
const tableOf = (policies: readonly NetworkPolicy[], pods: readonly Pod[] = [web(), FAR]): Table =>
  nodeTable(new PolicyIndex({ policies, pods, namespaces: NAMESPACES }), 'node');
/** The rules of a policy's chain, with set names replaced by the elements of the sets. */
function rulesOf(policy: NetworkPolicy): string[] {
  const { chains, sets } = tableOf([policy]);
  const found = [...chains].find(([name]) => name.includes('-policy-'));
  const elements = (name: string): string => [...(sets.get(name)?.elements ?? [])].join(', ');
  return (found?.[1].rules ?? []).map((rule) =>
    rule.replaceAll(/@(\S+-[0-9a-f]{32})/g, (_, name: string) => `{ ${elements(name)} }`),
  );
}
/** The commands that change one table into another. */
const changed = (before: Table, after: Table): string => change(TABLE, before, after)?.commands ?? 'replace';
const ingress = (rule: object): NetworkPolicy => aPolicy('x/p', { ingress: [rule] });

test('adds up the rules for many peers and many ports instead of multiplying them', () => {
  const from = Array.from({ length: 100 }, (_, i) => ({ podSelector: { matchLabels: { app: `a${i}` } } }));
  const ports = Array.from({ length: 100 }, (_, i) => ({ port: `name-${i}` }));
  const { chains } = tableOf([ingress({ from, ports })]);
  const rules = [...chains.values()].reduce((sum, chain) => sum + chain.rules.length, 0);
  expect(rules).toBeLessThan(500);
});

describe('rules of a policy', () => {
  test.each([
    ['nothing', aPolicy('x/p', {}), []],
    ['everything', ingress({}), ['accept']],
    [
      'ports',
      ingress({ ports: [{ port: 80, endPort: 90 }, { port: 85, endPort: 95 }, { port: 96 }, { protocol: 'SCTP' }] }),
      ['meta l4proto . th dport { tcp . 80-96, sctp . 0-65535 } accept'],
    ],
    [
      'pods',
      ingress({ from: [{ namespaceSelector: {} }] }),
      ['ip saddr { 10.0.0.1, 10.0.1.1 } accept', 'ip6 saddr { fd00::1, fd00:1::1 } accept'],
    ],
    [
      'blocks of one family',
      ingress({
        from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/9'] } }, { ipBlock: { cidr: '11.0.0.0/8' } }],
      }),
      ['ip saddr { 10.128.0.0-11.255.255.255 } accept'],
    ],
    [
      'a block that its exceptions use up',
      ingress({ from: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] } }] }),
      [],
    ],
    ['a part without meaning', ingress({ ports: [{ protocol: 'ICMP' }] }), []],
    [
      'a named port, by the number that each pod gives it',
      aPolicy('x/p', {
        policyTypes: ['Egress'],
        egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0/8' } }], ports: [{ port: 'http' }] }],
      }),
      [
        'ip daddr { 10.0.0.0-10.255.255.255 } meta l4proto tcp ip daddr . th dport { 10.0.0.1 . 80, 10.0.1.1 . 81 } accept',
      ],
    ],
  ])('express %s', (_, policy, rules) => {
    expect(rulesOf(policy)).toEqual(rules);
  });
});

describe('the table of a node', () => {
  const deny = aPolicy('x/deny', { policyTypes: ['Ingress', 'Egress'] });
  const isolated = (table: Table, map: string): string[] => [...(table.maps.get(map)?.elements.keys() ?? [])];

  test.each([
    ['its pods', web(), ['10.0.0.1']],
    ['no pod that has ended', web({ phase: 'Succeeded' }), []],
    ['no pod in the network of its host', web({ hostNetwork: true }), []],
    ['no pod of another node', web({ node: 'other' }), []],
    ['no pod that has no address yet', web({ addresses: [] }), []],
  ])('isolates %s', (_, pod, addresses) => {
    expect(isolated(tableOf([deny], [pod]), 'ingress4')).toEqual(addresses);
    expect(isolated(tableOf([deny], [pod]), 'egress4')).toEqual(addresses);
  });

  test('shares a chain between pods of the same policies', () => {
    const second = aPod('x/second', { addresses: ['10.0.0.2'] });
    const { chains } = tableOf([deny], [web(), second]);
    expect([...chains.keys()].filter((name) => name.startsWith('ingress-'))).toHaveLength(2);
  });

  test('contains no user-supplied text except addresses and ports', () => {
    const evil = 'a; flush ruleset; #';
    const pod = aPod(`${evil}/${evil}`, {
      labels: { [evil]: evil },
      addresses: ['10.0.0.1', evil],
      ports: { [evil]: ['TCP', 80] },
    });
    const policy = aPolicy(`${evil}/${evil}`, {
      ingress: [
        {
          from: [{ podSelector: {} }, { ipBlock: { cidr: evil } }],
          ports: [{ port: evil }, { port: 1, protocol: evil }],
        },
      ],
    });
    const text = replacement(TABLE, tableOf([policy], [pod]));
    expect(text).toContain('goto ingress-');
    expect(text).not.toContain('flush');
  });
});

describe('a change', () => {
  const allow = aPolicy('x/allow', { ingress: [{ from: [{ namespaceSelector: {} }], ports: [{ port: 80 }] }] });
  const many = Array.from({ length: 1000 }, (_, i) =>
    aPod(`y/p${i}`, { addresses: [`10.1.${i >> 8}.${i & 255}`], node: 'other' }),
  );

  test('is empty if there is no difference', () => {
    expect(changed(tableOf([allow]), tableOf([allow]))).toBe('');
  });

  test('is one line for another pod of a peer', () => {
    const more = aPod('y/more', { addresses: ['10.2.0.1'], node: 'other' });
    const commands = changed(tableOf([allow], [web(), ...many]), tableOf([allow], [web(), ...many, more]));
    expect(commands).toMatch(/^add element inet davit-network-policy pods4-[0-9a-f]{32} \{ 10\.2\.0\.1 \}\n$/);
  });

  test('removes the verdict of a pod before it adds a new one, and removes unused sets at the end', () => {
    const commands = changed(tableOf([allow]), tableOf([aPolicy('x/other', {})]));
    const verbs = commands
      .trim()
      .split('\n')
      .map((line) => line.split(' ').slice(0, 2).join(' '));
    expect(verbs.indexOf('delete element')).toBeLessThan(verbs.indexOf('add element'));
    expect(verbs.filter((verb, i) => verb !== verbs[i - 1])).toEqual([
      'add chain',
      'delete element',
      'add rule',
      'add element',
      'flush chain',
      'delete set',
    ]);
  });

  test('has lines of bounded length for a new table', () => {
    const text = replacement(TABLE, tableOf([allow], [web(), ...many]));
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(256 * 20);
  });
});

describe('peers that select all pods', () => {
  const ofAll = [
    { namespaceSelector: {} },
    { namespaceSelector: {}, podSelector: {} },
    { namespaceSelector: { matchLabels: {} }, podSelector: { matchExpressions: [] } },
  ];
  const policies = ofAll.flatMap((peer, i) => [
    aPolicy(`x/in-${i}`, { ingress: [{ from: [peer] }] }),
    aPolicy(`x/out-${i}`, { policyTypes: ['Egress'], egress: [{ to: [peer], ports: [{ port: i + 1 }] }] }),
  ]);
  const others = [
    aPod('y/host', { addresses: ['192.0.2.1'], hostNetwork: true }),
    aPod('y/ended', { addresses: ['10.0.0.9'], phase: 'Succeeded' }),
  ];

  test('share one set per family, which omits host-network pods, terminated pods and addresses outside the cluster', () => {
    const { sets } = tableOf(policies, [web(), FAR, ...others]);
    const peers = [...sets].filter(([name]) => name.startsWith('pods'));
    expect(peers.map(([, { elements }]) => [...(elements ?? [])])).toEqual([
      ['10.0.0.1', '10.0.1.1'],
      ['fd00::1', 'fd00:1::1'],
    ]);
  });
});
