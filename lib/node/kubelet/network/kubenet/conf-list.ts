import { marshal } from '#lib/machinery/go.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';

/** The bridge for kubenet's pods. */
export const BRIDGE = 'cbr0';
/** Upstream's name of the network. */
export const NETWORK = 'kubenet';

/** The settings of kubenet's network. */
export interface KubenetSettings {
  /** The node's pod ranges, one per family. */
  readonly podCIDRs: readonly string[];
  readonly mtu: number;
  /** `hairpin-veth`, `promiscuous-bridge` or `none` (upstream: hairpinMode). */
  readonly hairpinMode: string;
  /** Whether the plugin is installed. */
  hasPlugin(name: OptionalPlugin): boolean;
}

/** Plugins that kubenet can work without, and the features that pods then lack. */
const LACK = {
  portmap: 'pods have no ports of the host',
  bandwidth: 'annotations do not limit the bandwidth of pods',
} as const;

/** A plugin that kubenet can work without. */
export type OptionalPlugin = keyof typeof LACK;

/** Describes the features that pods lack because of missing plugins, one line each. */
export const missingPlugins = (hasPlugin: KubenetSettings['hasPlugin']): string[] =>
  (['portmap', 'bandwidth'] as const)
    .filter((name) => !hasPlugin(name))
    .map((name) => `the CNI plugin ${name} is not installed: ${LACK[name]}`);

/** The CNI configuration for pods on a bridge, followed by the plugins for host ports and bandwidth if they are installed. */
export function kubenetConfList({ podCIDRs, mtu, hairpinMode, hasPlugin }: KubenetSettings): Uint8Array {
  const bridge = {
    type: 'bridge',
    bridge: BRIDGE,
    mtu,
    isGateway: true,
    forceAddress: true, // the node's range may change
    ipMasq: false,
    hairpinMode: hairpinMode === 'hairpin-veth',
    promiscMode: hairpinMode === 'promiscuous-bridge',
    ipam: {
      type: 'host-local',
      ranges: podCIDRs.map((subnet) => [{ subnet }]),
      routes: podCIDRs.map((cidr) => ({ dst: parseCIDRSloppy(cidr)?.addr.family === 6 ? '::/0' : '0.0.0.0/0' })),
    },
  };
  const chained = [
    ...(hasPlugin('portmap') ? [{ type: 'portmap', capabilities: { portMappings: true } }] : []),
    ...(hasPlugin('bandwidth') ? [{ type: 'bandwidth', capabilities: { bandwidth: true } }] : []),
  ];
  return Buffer.from(`${marshal({ cniVersion: '0.4.0', name: NETWORK, plugins: [bridge, ...chained] })}\n`);
}
