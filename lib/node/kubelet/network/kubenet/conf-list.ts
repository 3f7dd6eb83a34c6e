import { marshal } from '#lib/machinery/go.ts';

/** The bridge that pods of kubenet are on. */
export const BRIDGE = 'cbr0';
/** The name of the network, upstream's. */
export const NETWORK = 'kubenet';

/** The settings of kubenet's network. */
export interface KubenetSettings {
  /** The ranges of the node's pods, one of each family. */
  readonly podCIDRs: readonly string[];
  readonly mtu: number;
  /** `hairpin-veth`, `promiscuous-bridge` or `none` (upstream: hairpinMode). */
  readonly hairpinMode: string;
  /** Whether the plugin is installed. */
  hasPlugin(name: OptionalPlugin): boolean;
}

/** Plugins that kubenet goes on without, and what pods lack then. */
const LACK = {
  portmap: 'pods have no ports of the host',
  bandwidth: 'annotations do not limit the bandwidth of pods',
} as const;

/** A plugin that kubenet goes on without. */
export type OptionalPlugin = keyof typeof LACK;

/** Says what pods lack because plugins are not installed, a line each. */
export const missingPlugins = (hasPlugin: KubenetSettings['hasPlugin']): string[] =>
  (['portmap', 'bandwidth'] as const)
    .filter((name) => !hasPlugin(name))
    .map((name) => `the CNI plugin ${name} is not installed: ${LACK[name]}`);

/** The CNI configuration of pods on a bridge, with the plugins for ports of the host and for bandwidth behind it where they are installed. */
export function kubenetConfList({ podCIDRs, mtu, hairpinMode, hasPlugin }: KubenetSettings): Uint8Array {
  const bridge = {
    type: 'bridge',
    bridge: BRIDGE,
    mtu,
    isGateway: true,
    forceAddress: true, // the node may get another range
    ipMasq: false,
    hairpinMode: hairpinMode === 'hairpin-veth',
    promiscMode: hairpinMode === 'promiscuous-bridge',
    ipam: {
      type: 'host-local',
      ranges: podCIDRs.map((subnet) => [{ subnet }]),
      routes: podCIDRs.map((cidr) => ({ dst: cidr.includes(':') ? '::/0' : '0.0.0.0/0' })),
    },
  };
  const chained = [
    ...(hasPlugin('portmap') ? [{ type: 'portmap', capabilities: { portMappings: true } }] : []),
    ...(hasPlugin('bandwidth') ? [{ type: 'bandwidth', capabilities: { bandwidth: true } }] : []),
  ];
  return Buffer.from(`${marshal({ cniVersion: '0.4.0', name: NETWORK, plugins: [bridge, ...chained] })}\n`);
}
