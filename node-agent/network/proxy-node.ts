import { networkInterfaces } from 'node:os';
import type { Node } from '#lib/api/types/core.v1.ts';
import { podCIDRsOf } from '#lib/helpers/component-helpers/node/pod-cidrs.ts';
import { networkText } from '#lib/machinery/net/prefix.ts';
import { nodeHostIPs } from '#lib/node/kubelet/kubelet-pods/host-ips.ts';
import { addressOf, isInPrefix, prefixesOf } from '#lib/node/proxy/ip.ts';
import { localDetector } from '#lib/node/proxy/local-detector.ts';
import type { NodeSettings } from '#lib/node/proxy/nftables/proxier.ts';
import { isEligible, zoneOf } from '#lib/node/proxy/node.ts';
import type { IPFamily } from '#lib/node/proxy/types.ts';
import type { NetworkContext } from './context.ts';
import type { ServiceProxySettings } from './proxy-options.ts';

/** The properties of the node that the rules of Services depend on. */
export class ProxyNode {
  readonly #context: NetworkContext;
  readonly #given: ServiceProxySettings;
  readonly #serviceCIDRs = new Map<string, readonly string[]>();
  #known: string;

  constructor(context: NetworkContext, given: ServiceProxySettings) {
    this.#context = context;
    this.#given = given;
    this.#known = this.#text();
  }

  /** Whether the node may receive external packets. */
  get isEligible(): boolean {
    return isEligible(this.#context.node.latest);
  }

  /** Sets the Service networks of a ServiceCIDR. Returns true if the settings have changed. */
  setServiceCIDRs(name: string, networks: readonly string[]): boolean {
    this.#serviceCIDRs.set(name, networks);
    return this.look();
  }

  /** Returns true if the settings have changed since the last call. */
  look(): boolean {
    const text = this.#text();
    const isOther = text !== this.#known;
    this.#known = text;
    return isOther;
  }

  /** The current settings of an IP family. */
  settings(family: IPFamily): NodeSettings {
    const node = this.#context.node.latest;
    const { masqueradeAll, local } = this.#given;
    const detector = localDetector(local, podCIDRsOf(node), family);
    const nodeIP = nodeIPsOf(node).flatMap((address) => addressOf(address, family) ?? [])[0];
    return {
      node: this.#context.options.node,
      zone: zoneOf(node),
      masqueradeAll,
      ...(detector !== undefined && { localDetector: detector }),
      serviceCIDRs: prefixesOf([...this.#serviceCIDRs.values()].flat(), family)
        .map(networkText)
        .toSorted(),
      nodePortIPs: this.#nodePortIPs(family, nodeIP),
      nodeIP,
    };
  }

  /** The addresses of this machine that accept NodePorts. Undefined means all. */
  #nodePortIPs(family: IPFamily, nodeIP: string | undefined): readonly string[] | undefined {
    const { nodePortAddresses } = this.#given;
    if (nodePortAddresses === 'primary') return nodeIP === undefined ? undefined : [nodeIP];
    const networks = prefixesOf(nodePortAddresses, family);
    if (networks.length === 0 || networks.some(({ length }) => length === 0)) return undefined;
    return hostAddresses(family)
      .filter((address) => networks.some((network) => isInPrefix(address, network)))
      .toSorted();
  }

  #text(): string {
    return JSON.stringify([this.settings('IPv4'), this.settings('IPv6')]);
  }
}

/** Addresses of interfaces, except loopback. */
const hostAddresses = (family: IPFamily): string[] =>
  Object.values(networkInterfaces())
    .flat()
    .flatMap((one) => (one === undefined || one.internal ? [] : (addressOf(one.address, family) ?? [])));

/** Empty if the Node has no address yet. */
function nodeIPsOf(node: Node): readonly string[] {
  try {
    return nodeHostIPs(node);
  } catch {
    return []; // the Node has no address yet
  }
}
