import { networkText } from '#lib/machinery/net/prefix.ts';
import { prefixesOf } from './ip.ts';
import type { IPFamily } from './types.ts';

/** kube-proxy's modes for detecting traffic from this node's pods. */
export const LOCAL_MODES = ['ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix'] as const;

/** A mode for detecting traffic from this node's pods. */
export type LocalMode = (typeof LOCAL_MODES)[number];

/** The settings for detecting traffic from this node's pods. */
export interface LocalSettings {
  readonly mode: LocalMode;
  /** The pod networks of the whole cluster. */
  readonly clusterCIDRs: readonly string[];
  /** The bridge of the pods, or the prefix of their interface names. '' if the mode needs neither. */
  readonly interfaceName: string;
}

/** The nft matches for packets from this node's pods and for all other packets (upstream: LocalTrafficDetector). */
export interface LocalDetector {
  readonly isLocal: string;
  readonly isNotLocal: string;
}

/** Whether the text is an interface name that needs no escaping in nft. */
export const isInterfaceName = (text: string): boolean => /^[A-Za-z0-9_.@-]{1,15}$/.test(text);

/** The detector of a family. Undefined if the networks or the interface are unknown: then no packet counts as local. */
export function localDetector(
  { mode, clusterCIDRs, interfaceName }: LocalSettings,
  podCIDRs: readonly string[],
  family: IPFamily,
): LocalDetector | undefined {
  switch (mode) {
    case 'ClusterCIDR':
      return byNetwork(clusterCIDRs, family);
    case 'NodeCIDR':
      return byNetwork(podCIDRs, family);
    case 'BridgeInterface':
      return byInterface(interfaceName, interfaceName);
    case 'InterfaceNamePrefix':
      return byInterface(interfaceName, `${interfaceName}*`);
    default:
      return mode;
  }
}

/** Detects by source network. Only the first network of the family counts, as in upstream. */
function byNetwork(texts: readonly string[], family: IPFamily): LocalDetector | undefined {
  const [network] = prefixesOf(texts, family);
  if (network === undefined) return undefined;
  const source = family === 'IPv4' ? 'ip saddr' : 'ip6 saddr';
  return { isLocal: `${source} ${networkText(network)}`, isNotLocal: `${source} != ${networkText(network)}` };
}

const byInterface = (name: string, pattern: string): LocalDetector | undefined =>
  isInterfaceName(name) ? { isLocal: `iifname "${pattern}"`, isNotLocal: `iifname != "${pattern}"` } : undefined;
