import type { Chain, Hook, NftMap, NftSet, Table } from '#lib/node/nftables/table.ts';
import type { LocalDetector } from '../local-detector.ts';
import type { IPFamily } from '../types.ts';

/** The mark of packets to masquerade: bit 14, kube-proxy's default. */
const MARK = '0x00004000';
/** The rule that marks a packet for masquerading. */
export const MASQUERADE = `meta mark set meta mark or ${MARK}`;
/** The verdict for packets to a Service without endpoints. */
export const REJECT = 'goto reject-chain';

const DNAT = -100;
const SNAT = 100;

/** The node settings that the rules depend on. Addresses and networks are of one family, in Go's form. */
export interface BaseSettings {
  readonly family: IPFamily;
  /** Detects packets from this node's pods. Absent if detection is impossible. */
  readonly localDetector?: LocalDetector;
  /** Whether every packet to a ClusterIP is masqueraded. */
  readonly masqueradeAll: boolean;
  /** The networks of ClusterIPs. Packets to unallocated addresses in them are dropped. */
  readonly serviceCIDRs: readonly string[];
  /** The addresses of this node that accept NodePorts. Undefined for all. Loopback addresses never count. */
  readonly nodePortIPs: readonly string[] | undefined;
}

/** nft's keywords for a family. */
export const wordsOf = (family: IPFamily) =>
  family === 'IPv4'
    ? ({ ip: 'ip', type: 'ipv4_addr', notLoopback: 'ip daddr != 127.0.0.0/8' } as const)
    : ({ ip: 'ip6', type: 'ipv6_addr', notLoopback: 'ip6 daddr != ::1' } as const);

/** A map to which Services add elements. */
export type ServiceMap =
  | 'service-ips'
  | 'service-nodeports'
  | 'no-endpoint-services'
  | 'no-endpoint-nodeports'
  | 'firewall-ips';
/** A set to which Services add elements. */
export type ServiceSet = 'cluster-ips' | 'hairpin-connections';

/** The elements that Services add to the maps and sets of the table. */
export interface ServiceElements {
  readonly maps: ReadonlyMap<ServiceMap, ReadonlyMap<string, string>>;
  readonly sets: ReadonlyMap<ServiceSet, ReadonlySet<string>>;
}

/** The part of the table that every node has, with the elements of its Services (upstream: setupNFTables). */
export function baseTable(settings: BaseSettings, { maps, sets }: ServiceElements): Table {
  const { type } = wordsOf(settings.family);
  const port = 'inet_proto . inet_service';
  const set = (keys: string, elements: ReadonlySet<string> = new Set()): NftSet => ({ type: keys, elements });
  const map = (name: ServiceMap, keys: string): [string, NftMap] => [
    name,
    { type: `${keys} : verdict`, elements: maps.get(name) ?? new Map() },
  ];
  const { nodePortIPs } = settings;
  return {
    chains: new Map([...hookChains(), ...filterChains(settings), ...natChains(settings)]),
    sets: new Map<string, NftSet>([
      ...(nodePortIPs === undefined ? [] : [['nodeport-ips', set(type, new Set(nodePortIPs))] as const]),
      ['cluster-ips', set(type, sets.get('cluster-ips'))],
      ['hairpin-connections', set(`${type} . ${type} . ${port}`, sets.get('hairpin-connections'))],
    ]),
    maps: new Map([
      map('service-ips', `${type} . ${port}`),
      map('service-nodeports', port),
      map('no-endpoint-services', `${type} . ${port}`),
      map('no-endpoint-nodeports', port),
      map('firewall-ips', `${type} . ${port}`),
    ]),
  };
}

const base = (type: Hook['type'], hook: Hook['hook'], priority: number, rules: readonly string[]): Chain => ({
  hook: { type, hook, priority },
  rules,
});

const NEW = 'ct state new jump';

/**
 * The base chains, which dispatch to the other chains. The sources of load balancer traffic are checked before DNAT. Rejects only work in
 * input, forward and output.
 */
const hookChains = (): [string, Chain][] => [
  ['filter-prerouting-pre-dnat', base('filter', 'prerouting', DNAT - 10, [`${NEW} firewall-check`])],
  ['filter-output-pre-dnat', base('filter', 'output', DNAT - 10, [`${NEW} firewall-check`])],
  ['filter-input', base('filter', 'input', 0, [`${NEW} nodeport-endpoints-check`, `${NEW} service-endpoints-check`])],
  ['filter-forward', base('filter', 'forward', 0, [`${NEW} service-endpoints-check`, `${NEW} cluster-ips-check`])],
  ['filter-output', base('filter', 'output', 0, [`${NEW} service-endpoints-check`, `${NEW} cluster-ips-check`])],
  ['nat-prerouting', base('nat', 'prerouting', DNAT, ['jump services'])],
  ['nat-output', base('nat', 'output', DNAT, ['jump services'])],
  ['nat-postrouting', base('nat', 'postrouting', SNAT, ['jump masquerading'])],
];

/** The match of a packet's destination as a key of the Service maps. */
const destination = (ip: string): string => `${ip} daddr . meta l4proto . th dport`;

/** The match of packets to this node's NodePorts. */
function toNodePorts({ family, nodePortIPs }: BaseSettings, local: string): string {
  const { ip, notLoopback } = wordsOf(family);
  const which = nodePortIPs === undefined ? `${local}${notLoopback}` : `${ip} daddr @nodeport-ips`;
  return `${which} meta l4proto . th dport`;
}

function filterChains(settings: BaseSettings): [string, Chain][] {
  const { ip } = wordsOf(settings.family);
  const { serviceCIDRs } = settings;
  // The host's own addresses are excluded, because cluster DNS may listen on one.
  const unallocated = `${ip} daddr { ${serviceCIDRs.join(', ')} } fib daddr type != local drop`;
  return [
    ['firewall-check', { rules: [`${destination(ip)} vmap @firewall-ips`] }],
    ['service-endpoints-check', { rules: [`${destination(ip)} vmap @no-endpoint-services`] }],
    ['nodeport-endpoints-check', { rules: [`${toNodePorts(settings, '')} vmap @no-endpoint-nodeports`] }],
    [
      'cluster-ips-check',
      { rules: [`${ip} daddr @cluster-ips reject`, ...(serviceCIDRs.length === 0 ? [] : [unallocated])] },
    ],
    ['reject-chain', { rules: ['reject'] }],
  ];
}

/** The matches of packets to ClusterIPs to masquerade: all packets, or only non-local ones that may be forwarded to another node. */
function masquerades({ masqueradeAll, localDetector }: BaseSettings): string[] {
  if (masqueradeAll) return [''];
  return localDetector === undefined ? [] : [`${localDetector.isNotLocal} `];
}

function natChains(settings: BaseSettings): [string, Chain][] {
  const { ip } = wordsOf(settings.family);
  const toClusterIPs = `${ip} daddr @cluster-ips`;
  return [
    [
      'services',
      {
        rules: [
          ...masquerades(settings).map((match) => `${toClusterIPs} ${match}${MASQUERADE}`),
          `${destination(ip)} vmap @service-ips`,
          `${toNodePorts(settings, 'fib daddr type local ')} vmap @service-nodeports`,
        ],
      },
    ],
    [
      'masquerading',
      {
        rules: [
          `meta mark and ${MARK} != 0 meta mark set meta mark xor ${MARK} masquerade fully-random`,
          `ct status dnat ${ip} saddr . ${ip} daddr . meta l4proto . th dport @hairpin-connections masquerade fully-random`,
        ],
      },
    ],
  ];
}
