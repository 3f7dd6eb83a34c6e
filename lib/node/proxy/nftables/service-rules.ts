import type { Chain, NftSet } from '#lib/node/nftables/table.ts';
import type { Endpoint } from '../endpoint.ts';
import { isInPrefix, prefixesOf } from '../ip.ts';
import { isExternallyAccessible, type ServicePort, usesClusterEndpoints, usesLocalEndpoints } from '../service-port.ts';
import type { CategorizedEndpoints } from '../topology.ts';
import { type BaseSettings, MASQUERADE, REJECT, type ServiceMap, type ServiceSet, wordsOf } from './base-rules.ts';
import { hashedName } from './names.ts';

/** The rules of one Service port. */
export interface ServiceRules {
  readonly chains: ReadonlyMap<string, Chain>;
  readonly sets: ReadonlyMap<string, NftSet>;
  /** Elements of the maps that all Services share: map, key, verdict. */
  readonly mapElements: readonly (readonly [ServiceMap, string, string])[];
  /** Elements of the sets that all Services share. */
  readonly setElements: readonly (readonly [ServiceSet, string])[];
}

/** The node settings for the rules of Services. */
export interface RuleSettings extends BaseSettings {
  /** The node's first address of the family. Undefined if the node has none. */
  readonly nodeIP: string | undefined;
}

/** The rules that forward packets from a Service port to its endpoints (upstream: syncProxyRules, for one port). */
export function serviceRules(port: ServicePort, endpoints: CategorizedEndpoints, settings: RuleSettings): ServiceRules {
  const { cluster, local, reachable, hasAny } = endpoints;
  const names = namesOf(port);
  const chains = new Map<string, Chain>();
  const policy = policyChain(port, settings);
  if (cluster.length > 0 && usesClusterEndpoints(port)) chains.set(names.cluster, policy(cluster));
  if (local.length > 0 && usesLocalEndpoints(port)) chains.set(names.local, policy(local));
  if (hasAny && isExternallyAccessible(port)) chains.set(names.external, externalChain(port, local, settings));
  if (isFiltered(port)) chains.set(names.firewall, firewallChain(port, settings));
  const sets = new Map<string, NftSet>();
  for (const endpoint of port.stickySeconds === undefined ? [] : reachable) {
    chains.set(endpointName('endpoint', port, endpoint), stickyChain(port, endpoint, settings));
    sets.set(endpointName('affinity', port, endpoint), affinitySet(port, settings));
  }
  return { chains, sets, mapElements: elementsOf(port, endpoints), setElements: setElementsOf(port, reachable) };
}

const namesOf = ({ service, port, protocol }: ServicePort) => {
  const name = (prefix: string): string => hashedName(prefix, service, protocol.toLowerCase(), port);
  return { cluster: name('service'), local: name('local'), external: name('external'), firewall: name('firewall') };
};

/** The name of an endpoint's chain or affinity set. The name includes the timeout, because nftables cannot change the timeout of a set. */
function endpointName(prefix: 'endpoint' | 'affinity', port: ServicePort, { text }: Endpoint): string {
  const { service, protocol, stickySeconds } = port;
  return hashedName(prefix, service, protocol.toLowerCase(), port.port, text, String(stickySeconds));
}

const isFiltered = ({ loadBalancerVIPs, sourceRanges }: ServicePort): boolean =>
  loadBalancerVIPs.length > 0 && sourceRanges.length > 0;

/** Chooses a random endpoint, or with affinity the client's previous endpoint. */
function policyChain(port: ServicePort, settings: RuleSettings): (endpoints: readonly Endpoint[]) => Chain {
  const { ip } = wordsOf(settings.family);
  const protocol = port.protocol.toLowerCase();
  if (port.stickySeconds === undefined)
    return (endpoints) => {
      const targets = endpoints.map((endpoint, i) => `${i} : ${endpoint.ip} . ${endpoint.port}`).join(', ');
      const chosen = `numgen random mod ${endpoints.length} map { ${targets} }`;
      return { rules: [`meta l4proto ${protocol} dnat ${ip} addr . port to ${chosen}`] };
    };
  return (endpoints) => {
    const chain = (endpoint: Endpoint): string => endpointName('endpoint', port, endpoint);
    const targets = endpoints.map((endpoint, i) => `${i} : goto ${chain(endpoint)}`).join(', ');
    const known = endpoints.map(
      (endpoint) => `${ip} saddr @${endpointName('affinity', port, endpoint)} goto ${chain(endpoint)}`,
    );
    return { rules: [...known, `numgen random mod ${endpoints.length} vmap { ${targets} }`] };
  };
}

const affinitySet = ({ stickySeconds }: ServicePort, { family }: RuleSettings): NftSet => ({
  type: wordsOf(family).type,
  flags: ['dynamic', 'timeout'],
  ...(stickySeconds !== undefined && { timeout: stickySeconds }),
});

function stickyChain(port: ServicePort, endpoint: Endpoint, { family }: RuleSettings): Chain {
  const remember = `update @${endpointName('affinity', port, endpoint)} { ${wordsOf(family).ip} saddr }`;
  return { rules: [remember, `meta l4proto ${port.protocol.toLowerCase()} dnat to ${endpoint.text}`] };
}

/**
 * The chain for external packets. With the policy Local they keep their source. Packets from this node and its pods may go to any endpoint,
 * as if they had left the node and come back.
 */
function externalChain(port: ServicePort, local: readonly Endpoint[], settings: RuleSettings): Chain {
  const { cluster, local: localChain } = namesOf(port);
  if (!port.externalPolicyLocal) return { rules: [MASQUERADE, `goto ${cluster}`] };
  const fromPods = settings.localDetector?.isLocal;
  return {
    rules: [
      ...(fromPods === undefined ? [] : [`${fromPods} goto ${cluster}`]),
      `fib saddr type local ${MASQUERADE}`,
      `fib saddr type local goto ${cluster}`,
      ...(local.length > 0 ? [`goto ${localChain}`] : []),
    ],
  };
}

/** The load balancer's addresses may be local to this node. Its packets then have one of them as their source. */
function firewallChain({ sourceRanges, loadBalancerVIPs }: ServicePort, { family, nodeIP }: RuleSettings): Chain {
  const hasNode = nodeIP !== undefined && prefixesOf(sourceRanges, family).some((prefix) => isInPrefix(nodeIP, prefix));
  const sources = hasNode ? [...sourceRanges, ...loadBalancerVIPs] : sourceRanges;
  return { rules: [`${wordsOf(family).ip} saddr != { ${sources.join(', ')} } drop`] };
}

/** Packets are rejected if no node has an endpoint. They are dropped if only the policy Local finds no endpoint. */
function elementsOf(port: ServicePort, { local, hasAny }: CategorizedEndpoints): ServiceRules['mapElements'] {
  const names = namesOf(port);
  const protocol = port.protocol.toLowerCase();
  const hasInternal = hasAny && (!port.internalPolicyLocal || local.length > 0);
  const hasExternal = hasAny && (!port.externalPolicyLocal || local.length > 0);
  const none = hasAny ? 'drop' : REJECT;
  const at = (address: string): string => `${address} . ${protocol} . ${port.number}`;
  const internalChain = port.internalPolicyLocal ? names.local : names.cluster;
  const external = (key: string, to: ServiceMap, without: ServiceMap): ServiceRules['mapElements'] => [
    ...(hasAny ? [[to, key, `goto ${names.external}`] as const] : []),
    ...(hasExternal ? [] : [[without, key, none] as const]),
  ];
  const { nodePort } = port;
  return [
    hasInternal
      ? ['service-ips', at(port.clusterIP), `goto ${internalChain}`]
      : ['no-endpoint-services', at(port.clusterIP), none],
    ...[...port.externalIPs, ...port.loadBalancerVIPs].flatMap((address) =>
      external(at(address), 'service-ips', 'no-endpoint-services'),
    ),
    ...(isFiltered(port) ? port.loadBalancerVIPs : []).map(
      (address) => ['firewall-ips', at(address), `goto ${names.firewall}`] as const,
    ),
    ...(nodePort === 0 ? [] : external(`${protocol} . ${nodePort}`, 'service-nodeports', 'no-endpoint-nodeports')),
  ];
}

/** The hairpin connections. A connection of an endpoint to itself needs another source, or its replies never leave the endpoint. */
const setElementsOf = (port: ServicePort, reachable: readonly Endpoint[]): ServiceRules['setElements'] => [
  ['cluster-ips', port.clusterIP],
  ...reachable
    .filter(({ isLocal }) => isLocal)
    .map(
      (endpoint) =>
        [
          'hairpin-connections',
          `${endpoint.ip} . ${endpoint.ip} . ${port.protocol.toLowerCase()} . ${endpoint.port}`,
        ] as const,
    ),
];
