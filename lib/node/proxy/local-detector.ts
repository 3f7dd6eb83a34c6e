import { prefixesOf, prefixText } from './ip.ts';
import type { IPFamily } from './types.ts';

/** The ways to tell packets of this node's pods from others, by kube-proxy's names. */
export const LOCAL_MODES = ['ClusterCIDR', 'NodeCIDR', 'BridgeInterface', 'InterfaceNamePrefix'] as const;

/** A way to tell packets of this node's pods from others. */
export type LocalMode = (typeof LOCAL_MODES)[number];

/** The settings that tell packets of this node's pods from others. */
export interface LocalSettings {
  readonly mode: LocalMode;
  /** Networks of all pods of the cluster. */
  readonly clusterCIDRs: readonly string[];
  /** The bridge of the pods, or the prefix of their interfaces' names; '' where the mode needs none. */
  readonly interfaceName: string;
}

/** Matches of nft for packets of this node's pods, and for all others (upstream: LocalTrafficDetector). */
export interface LocalDetector {
  readonly isLocal: string;
  readonly isNotLocal: string;
}

/** Whether the text is a name of an interface that nft takes as it is. */
export const isInterfaceName = (text: string): boolean => /^[A-Za-z0-9_.@-]{1,15}$/.test(text);

/** The detector of a family. Undefined where the networks or the interface are not known: all packets count as those of others. */
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

/** The first network of the family counts, as upstream. */
function byNetwork(texts: readonly string[], family: IPFamily): LocalDetector | undefined {
  const [network] = prefixesOf(texts, family);
  if (network === undefined) return undefined;
  const source = family === 'IPv4' ? 'ip saddr' : 'ip6 saddr';
  return { isLocal: `${source} ${prefixText(network)}`, isNotLocal: `${source} != ${prefixText(network)}` };
}

const byInterface = (name: string, pattern: string): LocalDetector | undefined =>
  isInterfaceName(name) ? { isLocal: `iifname "${pattern}"`, isNotLocal: `iifname != "${pattern}"` } : undefined;
