import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createInterface, type Interface } from 'node:readline';
import { type Probe, SCTP_OFFSET } from './probe.ts';

/** The addresses of the node on the bridge of its pods. */
export const GATEWAY = ['10.0.0.254', 'fd00::fe'] as const;
/** The addresses of the node on the link to the rest of the world. */
const UPLINK = ['10.255.0.1', 'fd00:255::1'] as const;

/** Settings that make a bridge pass its packets to iptables. */
const FORWARDING = [
  'ipv4/ip_forward',
  'ipv6/conf/all/forwarding',
  'bridge/bridge-nf-call-iptables',
  'bridge/bridge-nf-call-ip6tables',
];

const run = (command: string): string => {
  const [program = '', ...args] = command.split(' ');
  return execFileSync(program, args, { encoding: 'utf8' });
};

/** Runs an nftables transaction in a namespace or on the node itself. Throws with nft's error. */
export function nft(text: string, namespace?: string): void {
  const command = namespace === undefined ? ['nft'] : ['ip', 'netns', 'exec', namespace, 'nft'];
  const [program = '', ...args] = command;
  execFileSync(program, [...args, '-f', '-'], { input: text, stdio: ['pipe', 'pipe', 'pipe'] });
}

/** Records the first packets that arrive and drops them, so that no reply is sent. Outgoing marked UDP packets are converted to SCTP. */
const recorder = (ports: readonly number[]): string => `
table inet probe {
  set seen4 { type ipv4_addr . ipv4_addr . inet_proto . inet_service; flags dynamic; size 65535; }
  set seen6 { type ipv6_addr . ipv6_addr . inet_proto . inet_service; flags dynamic; size 65535; }
  chain arrive {
    type filter hook prerouting priority raw;
    iif lo accept
    meta l4proto { tcp, udp, sctp } jump note
  }
  chain note {
    ip version 4 add @seen4 { ip saddr . ip daddr . meta l4proto . th dport } drop
    ip6 version 6 add @seen6 { ip6 saddr . ip6 daddr . meta l4proto . th dport } drop
  }
  chain leave {
    type filter hook output priority filter;
${ports
  .map((port) => {
    const match = `@th,16,16 ${port + SCTP_OFFSET} @th,16,16 set ${port} @th,32,32 set 0`;
    return `    ip protocol udp ${match} ip protocol set 132\n    ip6 nexthdr udp ${match} ip6 nexthdr set 132`;
  })
  .join('\n')}
  }
}
`;

/** A namespace with addresses, and a process in it that sends probes. */
export class ProbedHost implements AsyncDisposable {
  readonly name: string;
  readonly addresses: readonly string[];
  readonly #prober: ChildProcessWithoutNullStreams;
  readonly #answers: Interface;

  constructor(name: string, addresses: readonly string[]) {
    this.name = name;
    this.addresses = addresses;
    const script = new URL('prober.ts', import.meta.url).pathname;
    this.#prober = spawn('ip', ['netns', 'exec', name, process.execPath, script]);
    this.#prober.stderr.pipe(process.stderr);
    this.#answers = createInterface({ input: this.#prober.stdout });
  }

  /** Resolves when the first packets of all probes have been sent. */
  async send(probes: readonly Probe[]): Promise<void> {
    this.#prober.stdin.write(`${JSON.stringify({ probes })}\n`);
    await once(this.#answers, 'line');
  }

  /** The packets that arrived since the last call: `source destination protocol port`. */
  arrivals(): Set<string> {
    const seen = new Set<string>();
    for (const set of ['seen4', 'seen6']) {
      const text = run(`ip netns exec ${this.name} nft -n list set inet probe ${set}`);
      for (const [, from = '', to = '', protocol = '', port = ''] of text.matchAll(/(\S+) \. (\S+) \. (\d+) \. (\d+)/g))
        seen.add(`${from} ${to} ${{ 6: 'TCP', 17: 'UDP', 132: 'SCTP' }[protocol]} ${port}`);
      run(`ip netns exec ${this.name} nft flush set inet probe ${set}`);
    }
    return seen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#prober.stdin.end();
    if (this.#prober.exitCode === null) await once(this.#prober, 'exit');
    run(`ip netns del ${this.name}`);
  }
}

/** The arguments that assign an address to an interface immediately, without duplicate address detection. */
const withPrefix = (address: string, length: 'network' | 'alone'): string =>
  address.includes(':')
    ? `${address}/${length === 'alone' ? 128 : 64} nodad`
    : `${address}/${length === 'alone' ? 32 : 24}`;

/** Turns this namespace into a node: a bridge for pods, and routes between it and the world. */
export function makeNode(): void {
  run('ip link add pods0 type bridge');
  for (const address of GATEWAY) run(`ip addr add dev pods0 ${withPrefix(address, 'network')}`);
  run('ip link set pods0 up');
  for (const name of FORWARDING) writeFileSync(`/proc/sys/net/${name}`, '1');
}

function makeNamespace(name: string, link: string): void {
  run(`ip netns add ${name}`);
  run(`ip link add ${link} type veth peer name eth0 netns ${name}`);
  run(`ip -n ${name} link set lo up`);
}

function addAddresses(name: string, addresses: readonly string[], gateways: readonly string[], isAlone: boolean): void {
  for (const address of addresses)
    run(`ip -n ${name} addr add dev eth0 ${withPrefix(address, isAlone ? 'alone' : 'network')}`);
  run(`ip -n ${name} link set eth0 up`);
  for (const gateway of gateways) {
    const family = gateway.includes(':') ? '-6' : '-4';
    if (isAlone) run(`ip -n ${name} ${family} route add ${gateway} dev eth0`);
    run(`ip -n ${name} ${family} route add default via ${gateway} dev eth0`);
  }
}

/** The link-local address of a pod, derived from its other IPv6 address. */
export const linkLocal = (address: string): string => address.replace('fd00::', 'fe80::1:');

/** A pod on the bridge of the node. */
export function joinPod(name: string, addresses: readonly string[], ports: readonly number[]): ProbedHost {
  makeNamespace(name, `v-${name}`);
  run(`ip link set v-${name} master pods0 up`);
  addAddresses(name, addresses, GATEWAY, false);
  for (const address of addresses.filter((one) => one.includes(':')))
    run(`ip -n ${name} addr add dev eth0 ${withPrefix(linkLocal(address), 'network')}`);
  nft(recorder(ports), name);
  return new ProbedHost(name, addresses);
}

/** The world outside the node: one namespace with the addresses of other nodes' pods and of external hosts. */
export function joinWorld(addresses: readonly string[], ports: readonly number[]): ProbedHost {
  makeNamespace('world', 'uplink');
  for (const address of UPLINK) run(`ip addr add dev uplink ${withPrefix(address, 'alone')}`);
  run('ip link set uplink up');
  addAddresses('world', addresses, UPLINK, true);
  for (const address of addresses) run(`ip ${address.includes(':') ? '-6' : '-4'} route add ${address} dev uplink`);
  nft(recorder(ports), 'world');
  return new ProbedHost('world', addresses);
}
