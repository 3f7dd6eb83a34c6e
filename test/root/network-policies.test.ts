import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nft as hostNft } from '#adapters/node/nftables/nft.ts';
import type { NetworkPolicy } from '#lib/api/types/networking.v1.ts';
import { evaluate } from '#lib/node/networkpolicy/evaluate.ts';
import { nodeTable } from '#lib/node/networkpolicy/nftables/node-table.ts';
import { TABLE } from '#lib/node/networkpolicy/nftables/table.ts';
import { PROTOCOLS } from '#lib/node/networkpolicy/policy.ts';
import { PolicyIndex } from '#lib/node/networkpolicy/policy-index.ts';
import { aNamespace, aPod, aPolicy } from '#lib/node/networkpolicy/testing/objects.ts';
import { randomPolicies, type World } from '#lib/node/networkpolicy/testing/random-cluster.ts';
import { EMPTY, type Table } from '#lib/node/nftables/table.ts';
import { TableSync } from '#lib/node/nftables/table-sync.ts';
import { replacement } from '#lib/node/nftables/transaction.ts';
import { ManualClock } from '#lib/storage/memory/manual-clock.ts';
import { randomFrom } from '#test/store/random.ts';
import { eventually } from '#test/support/eventually.ts';
import { joinPod, joinWorld, linkLocal, makeNode, nft, type ProbedHost } from './network-policies/pod-network.ts';
import type { Probe } from './network-policies/probe.ts';

// One node, whose pods are network namespaces on a bridge, and the outside world. TCP, UDP and SCTP packets over IPv4 and IPv6 must arrive
// exactly if the evaluator allows them.

const APPS = ['web', 'db'];
const WORLD: World = {
  namespaces: ['x', 'y', 'z'],
  apps: APPS,
  teams: ['red', 'blue'],
  blocks: [
    { cidr: '10.0.0.0/16' },
    { cidr: '10.0.0.0/29', except: ['10.0.0.2/32', '10.0.0.4/31'] },
    { cidr: '192.0.2.0/24', except: ['192.0.2.128/25'] },
    { cidr: 'fd00::/64', except: ['fd00::2/127'] },
    { cidr: '0.0.0.0/0', except: ['10.1.0.0/24'] },
  ],
  ports: [80, 81, 5000],
  names: ['http', 'metrics', 'unknown'],
};
const PORTS = [80, 82, 5000];
const NAMESPACES = [aNamespace('x', { team: 'red' }), aNamespace('y', { team: 'blue' }), aNamespace('z')];

/** Pods of this node (10.0.0.0/24) and of another (10.1.0.0/24). */
const PODS = WORLD.namespaces.flatMap((namespace, n) =>
  APPS.map((app, i) => {
    const ports = { http: ['TCP', 80 + 2 * i], metrics: [i === 1 ? 'UDP' : 'TCP', 5000] } as const;
    const [network, node] = n < 2 ? ['10.0.0', 'node'] : ['10.1.0', 'other'];
    const number = n * 2 + i + 1;
    const addresses = [`${network}.${number}`, `${n < 2 ? 'fd00' : 'fd00:1'}::${number}`];
    return aPod(`${namespace}/${app}`, { labels: { app }, addresses, ports, node });
  }),
);
const LOCAL = PODS.filter(({ spec }) => spec.nodeName === 'node');
const addressesOf = (pod: (typeof PODS)[number]): string[] => (pod.status.podIPs ?? []).map(({ ip }) => ip);
const WORLD_ADDRESSES = [
  ...PODS.filter((pod) => !LOCAL.includes(pod)).flatMap(addressesOf),
  '192.0.2.1',
  '192.0.2.200',
  'fd00:2::1',
];
const LOCAL_ADDRESSES = new Set(LOCAL.flatMap(addressesOf));

const hosts: ProbedHost[] = [];
let table: Table = EMPTY;
/** The next change removes deleted chains from the kernel. */
const clock = new ManualClock();
const onCleanupFault = (error: unknown): void => {
  throw error;
};
const sync = new TableSync({ nftables: hostNft, table: TABLE, clock, onCleanupFault });

beforeAll(() => {
  makeNode();
  for (const pod of LOCAL)
    hosts.push(joinPod(`${pod.metadata.namespace}-${pod.metadata.name}`, addressesOf(pod), PORTS));
  hosts.push(joinWorld(WORLD_ADDRESSES, PORTS));
});
afterAll(async () => {
  for (const host of hosts) await host[Symbol.asyncDispose]();
});

const indexOf = (policies: readonly NetworkPolicy[]): PolicyIndex =>
  new PolicyIndex({ policies, namespaces: NAMESPACES, pods: PODS });

/** Enforces policies by an update from the previous ones. */
async function enforce(policies: readonly NetworkPolicy[]): Promise<void> {
  table = nodeTable(indexOf(policies), 'node');
  clock.advance(2000);
  await sync.sync(table);
}

const textOf = ([from, to, port, protocol]: Probe): string => `${from} ${to} ${protocol} ${port}`;

/** Every packet between local pods, and between them and the world. */
const PROBES = everyProbe();

function everyProbe(): ReadonlyMap<string, readonly Probe[]> {
  const owners = new Map<string, readonly string[]>(
    LOCAL.map((pod) => [`${pod.metadata.namespace}-${pod.metadata.name}`, addressesOf(pod)]),
  );
  owners.set('world', WORLD_ADDRESSES);
  const all = [...owners.values()].flat();
  return new Map(
    [...owners].map(([name, own]) => [
      name,
      own.flatMap((from) =>
        all
          .filter((to) => from.includes(':') === to.includes(':') && !own.includes(to))
          .flatMap((to) => PROTOCOLS.flatMap((protocol) => PORTS.map((port): Probe => [from, to, port, protocol]))),
      ),
    ]),
  );
}

async function observe(): Promise<string[]> {
  for (const host of hosts) host.arrivals();
  for (const host of hosts) await host.send(PROBES.get(host.name) ?? []);
  return hosts.flatMap((host) => [...host.arrivals()]).toSorted();
}

function expected(policies: readonly NetworkPolicy[]): string[] {
  const index = indexOf(policies);
  return [...PROBES.values()]
    .flat()
    .filter(([from, to, port, protocol]) => {
      const { egress, ingress } = evaluate(index, { from, to, port, protocol });
      // The other node enforces the policies of its pods.
      return (egress.allowed || !LOCAL_ADDRESSES.has(from)) && (ingress.allowed || !LOCAL_ADDRESSES.has(to));
    })
    .map(textOf)
    .toSorted();
}

const contentOf = (): string[] =>
  execFileSync('nft', ['-n', 'list', 'table', TABLE.family, TABLE.name], { encoding: 'utf8' })
    .split(/[\n,]/)
    .map((line) => line.replace('elements = {', '').replace('}', '').trim())
    .toSorted();

test('all packets arrive without a policy', async () => {
  await enforce([]);
  const all = expected([]);
  // Packets may be lost until all hosts know their neighbors.
  await eventually(async () => expect(await observe()).toHaveLength(all.length));
  expect(await observe()).toEqual(all);
});

describe('packets arrive exactly if the evaluator allows them', () => {
  test.each(Array.from({ length: 12 }, (_, seed) => seed))(
    'random policies of seed %i replace those before',
    async (seed) => {
      const random = randomFrom(seed);
      const policies = randomPolicies(WORLD, 1 + Math.floor(random() * 6), random);
      await enforce(policies);
      expect(await observe(), JSON.stringify(policies)).toEqual(expected(policies));
    },
  );

  test('a table changed step by step equals one created in one step', async () => {
    clock.advance(2000);
    await sync.sync(table);
    const changed = contentOf();
    nft(replacement(TABLE, table));
    expect(changed).toEqual(contentOf());
  });
});

describe('packets that no rule can assign to a pod', () => {
  const zoned = (address: string): string => `${linkLocal(address)}%eth0`;
  test.each<[string, string, Probe]>([
    ['a broadcast of the network', 'db', ['10.0.0.1', '10.0.0.255', 80, 'UDP']],
    ['a multicast of IPv4', 'db', ['10.0.0.1', '224.0.0.1', 80, 'UDP']],
    ['a multicast of IPv6', 'db', ['fd00::1', 'ff02::1%eth0', 80, 'UDP']],
    ['a packet to a link-local address', 'db', [zoned('fd00::1'), zoned('fd00::2'), 80, 'TCP']],
    ['a packet from a link-local address', 'web', [zoned('fd00::1'), 'fd00::2', 80, 'UDP']],
  ])('%s passes no isolated pod', async (_, app, probe) => {
    const [sender, receiver] = hosts;
    await enforce([]);
    await eventually(async () => {
      receiver?.arrivals();
      await sender?.send([probe]);
      return receiver?.arrivals().size === 1;
    });
    await enforce([
      aPolicy('x/deny', { podSelector: { matchLabels: { app } }, policyTypes: [app === 'db' ? 'Ingress' : 'Egress'] }),
    ]);
    await sender?.send([probe]);
    expect([...(receiver?.arrivals() ?? [])]).toEqual([]);
  });
});

describe('a pod that sends from an address other than its own', () => {
  const inPod = (command: string): string =>
    execFileSync('ip', ['netns', 'exec', 'x-web', ...command.split(' ')], { encoding: 'utf8' });
  const blue = { namespaceSelector: { matchLabels: { team: 'blue' } } };
  const allowed = aPolicy('x/db', { podSelector: { matchLabels: { app: 'db' } }, ingress: [{ from: [blue] }] });
  const mute = aPolicy('x/web', { podSelector: { matchLabels: { app: 'web' } }, policyTypes: ['Egress'] });

  // The pod announces only its own address in ARP requests, so that no other host learns a wrong one.
  beforeAll(() => void inPod('sysctl -qw net.ipv4.conf.eth0.arp_announce=2'));

  test.each<[string, string, NetworkPolicy, 'arrives' | 'is dropped']>([
    ['the address of the node does not open an isolated pod', '10.0.0.254', allowed, 'is dropped'],
    ['an address of no pod does not open an isolated pod', '10.0.0.77', allowed, 'is dropped'],
    // docs/security.md describes these: rules identify a pod only by its address.
    ['the address of a pod that a policy allows is that pod', '10.0.0.3', allowed, 'arrives'],
    ['an address of no pod is not isolated for egress', '10.0.0.77', mute, 'arrives'],
  ])('%s', async (_, address, policy, outcome) => {
    const [sender, receiver] = hosts;
    await enforce([policy]);
    receiver?.arrivals();
    inPod(`ip addr add ${address}/32 dev eth0`);
    const probe: Probe = [address, '10.0.0.2', 80, 'UDP'];
    await sender?.send([probe]);
    expect([...(receiver?.arrivals() ?? [])]).toEqual(outcome === 'arrives' ? [textOf(probe)] : []);
    inPod(`ip addr del ${address}/32 dev eth0`);
  });
});

test('the port of a policy is that of the pod, not that of the Service', async () => {
  const [client, server] = hosts;
  nft(
    'add table ip service; add chain ip service nat { type nat hook prerouting priority dstnat; }; add rule ip service nat ip daddr 10.96.0.1 tcp dport 82 dnat to 10.0.0.2:80',
  );
  const allow = (port: number) => [
    aPolicy('x/p', { ingress: [{ ports: [{ port }] }], egress: [{ ports: [{ port }] }] }),
  ];
  for (const [port, arrives] of [
    [82, []],
    [80, ['10.0.0.1 10.0.0.2 TCP 80']],
  ] as const) {
    await enforce(allow(port));
    server?.arrivals();
    await client?.send([['10.0.0.1', '10.96.0.1', 82, 'TCP']]);
    expect([...(server?.arrivals() ?? [])]).toEqual(arrives);
  }
});

describe('connections that are open', () => {
  const SERVER = '10.0.0.2';
  const allowed = [
    aPolicy('x/client', {
      podSelector: { matchLabels: { app: 'web' } },
      egress: [{ to: [{ podSelector: {} }], ports: [{ port: 80 }] }],
      policyTypes: ['Ingress', 'Egress'],
    }),
    aPolicy('x/server', {
      podSelector: { matchLabels: { app: 'db' } },
      ingress: [{ from: [{ podSelector: {} }], ports: [{ port: 80 }] }],
      policyTypes: ['Ingress', 'Egress'],
    }),
  ];
  const denied = [aPolicy('x/all', { policyTypes: ['Ingress', 'Egress'] })];
  const talkers: ChildProcessWithoutNullStreams[] = [];

  /** Starts a talker in a pod. The returned function sends a line, if any, and resolves with the next printed line. */
  function talker(pod: string, ...args: readonly string[]): (line?: string) => Promise<string> {
    const script = new URL('network-policies/talker.ts', import.meta.url).pathname;
    const child = spawn('ip', ['netns', 'exec', pod, process.execPath, script, ...args]);
    talkers.push(child);
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    return async (line) => {
      if (line !== undefined) child.stdin.write(`${line}\n`);
      return String((await lines.next()).value);
    };
  }

  beforeAll(async () => {
    for (const pod of ['x-web', 'x-db']) nft('delete table inet probe', pod);
    expect(await talker('x-db', 'serve', '80')()).toBe('ready');
  });
  afterAll(() => {
    for (const child of talkers) child.kill();
  });

  test('get replies, outlast their permission, and cannot be opened again', async () => {
    await enforce(allowed);
    const say = talker('x-web', 'talk', SERVER, '80');
    expect(await say()).toBe('connected');
    expect(await say('one')).toBe('one');
    await enforce(denied);
    expect(await say('two')).toBe('two');
    expect(await talker('x-web', 'talk', SERVER, '80')()).toBe('refused');
  });

  test('the node reaches its isolated pods', async () => {
    await enforce(denied);
    const socket = connect(80, SERVER);
    await once(socket, 'connect');
    socket.destroy();
  });
});

test('an open SCTP flow does not open other ports, even if the kernel does not track its flow', async () => {
  const [, , server, client] = hosts;
  const policies = [
    aPolicy('y/p', {
      podSelector: { matchLabels: { app: 'web' } },
      ingress: [{ ports: [{ port: 80, protocol: 'SCTP' }] }],
    }),
  ];
  const next = nodeTable(indexOf(policies), 'node');
  // Treats every packet as part of an established flow.
  nft(replacement(TABLE, next).replaceAll('ct state established,related', ''));
  server?.arrivals();
  const probe = (port: number, protocol: Probe[3]): Probe => ['10.0.0.4', '10.0.0.3', port, protocol];
  await client?.send([probe(80, 'SCTP'), probe(82, 'SCTP'), probe(82, 'UDP')]);
  expect([...(server?.arrivals() ?? [])].toSorted()).toEqual(['10.0.0.4 10.0.0.3 SCTP 80', '10.0.0.4 10.0.0.3 UDP 82']);
});
