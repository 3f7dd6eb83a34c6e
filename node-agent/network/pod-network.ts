import { systemClock as clock } from '#adapters/clock.ts';
import { hostConfFolder } from '#adapters/node/cni/conf-folder.ts';
import { isRegularFile } from '#adapters/node/cni/files.ts';
import { RenderedConf } from '#adapters/node/cni/rendered-conf.ts';
import { filterBridges } from '#adapters/node/host/network/bridge-filter.ts';
import { linksUp } from '#adapters/node/host/network/links.ts';
import { runProgram } from '#adapters/node/host/programs/run-program.ts';
import { nft } from '#adapters/node/nftables/nft.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { firstNetwork } from '#lib/node/cni/folder.ts';
import { findInPath, type Invocation, supportedVersions } from '#lib/node/cni/invoke.ts';
import { isAtLeast } from '#lib/node/cni/version.ts';
import { usesPodCIDR, withPodCIDRs } from '#lib/node/kubelet/network/cni/use-pod-cidr.ts';
import { kubenetConfList, missingPlugins, type OptionalPlugin } from '#lib/node/kubelet/network/kubenet/conf-list.ts';
import { MASQUERADE_TABLE, masqueradeTable } from '#lib/node/kubelet/network/kubenet/masquerade.ts';
import { podMTU } from '#lib/node/kubelet/network/kubenet/mtu.ts';
import { effectivePodCIDRs } from '#lib/node/kubelet/network/pod-cidrs.ts';
import { TableSync } from '#lib/node/nftables/table-sync.ts';
import { nodeReference } from '../pods/context.ts';
import type { NetworkContext } from './context.ts';

/** The configuration that the agent writes. Its name sorts before all others. */
const OWN = '00-davit-node-agent.conflist';
/** The minimum CNI version that the loopback plugin must support. */
const LOOPBACK = '0.2.0';

/** The host's plugins in the folders from the options. */
export const pluginsOf = ({ options }: Pick<NetworkContext, 'options'>): Invocation => ({
  path: options.podNetwork.binDirs,
  run: runProgram,
  isFile: isRegularFile,
  clock,
});

/**
 * The pod network of this node with a network plugin. Manages the configuration that containerd reads, and the plugin's requirements on the
 * host.
 */
export class PodNetwork {
  readonly #context: NetworkContext;
  readonly #conf: RenderedConf;
  readonly #masquerade: TableSync;
  /** Plugins that were missing at the last check. */
  #missing = '';

  constructor(context: NetworkContext) {
    this.#context = context;
    const onCleanupFault = context.log.fault('cannot remove rules of the pod network');
    this.#masquerade = new TableSync({ nftables: nft, table: MASQUERADE_TABLE, clock, onCleanupFault });
    this.#conf = new RenderedConf(context.options.podNetwork.confDir, OWN);
  }

  /**
   * Applies the options and the Node to the host. It can be repeated safely. Rejects with an Error with the reason if pods have no network.
   */
  async sync(): Promise<void> {
    const { plugin } = this.#context.options.podNetwork;
    if (plugin === undefined) return;
    if (plugin !== 'cni')
      for (const { setting, error } of await filterBridges())
        this.#context.log.debug(`${setting} cannot be set: ${messageOfError(error)}`);
    if (plugin === 'noop') return;
    await this.#checkLoopback();
    await (plugin === 'cni' ? this.#cni() : this.#kubenet());
  }

  /** The pod CIDRs of the node. Throws Error if it has none. */
  podCIDRs(): readonly string[] {
    const { node, options } = this.#context;
    const found = effectivePodCIDRs(node.latest, options.configuration.podCIDR);
    if ('fault' in found) throw new Error(found.fault);
    return found.cidrs;
  }

  /**
   * Uses the administrator's configuration as it is, unless it has placeholders for the node's pod CIDRs. In that case the agent writes a
   * copy with the CIDRs, which takes precedence.
   */
  async #cni(): Promise<void> {
    const { confDir } = this.#context.options.podNetwork;
    const { network, skipped } = await firstNetwork(confDir, hostConfFolder, (name) => name !== OWN);
    for (const line of skipped) this.#context.log.debug(`no network: ${line}`);
    if (network === undefined) {
      await this.#conf.remove();
      throw new Error(`no networks found in ${confDir}`);
    }
    if (usesPodCIDR(network)) await this.#write(withPodCIDRs(network, this.podCIDRs()));
    else await this.#conf.remove();
  }

  async #kubenet(): Promise<void> {
    const { options } = this.#context;
    const { mtu, nonMasqueradeCIDR } = options.podNetwork;
    const podCIDRs = this.podCIDRs();
    const plugins = pluginsOf(this.#context);
    const has = async (name: string): Promise<boolean> => findInPath(name, plugins).then(Boolean, () => false);
    for (const name of ['bridge', 'host-local']) await findInPath(name, plugins);
    const there = { portmap: await has('portmap'), bandwidth: await has('bandwidth') };
    const hasPlugin = (name: OptionalPlugin): boolean => there[name];
    this.#tellMissing(missingPlugins(hasPlugin).join('; '));
    if ((await nft.list(MASQUERADE_TABLE)) === undefined) this.#masquerade.reset();
    await this.#masquerade.sync(masqueradeTable(podCIDRs, nonMasqueradeCIDR));
    await this.#write(
      kubenetConfList({
        podCIDRs,
        mtu: podMTU(mtu, await linksUp()),
        hairpinMode: options.configuration.hairpinMode,
        hasPlugin,
      }),
    );
  }

  #tellMissing(missing: string): void {
    if (missing === this.#missing) return;
    this.#missing = missing;
    if (missing === '') return;
    const { log, recorder, node } = this.#context;
    log.info(missing);
    recorder.event(nodeReference(node.latest), 'Warning', 'MissingNetworkPlugin', missing);
  }

  async #write(bytes: Uint8Array): Promise<void> {
    const { log, options } = this.#context;
    if (await this.#conf.write(bytes)) log.info(`wrote the network of pods to ${options.podNetwork.confDir}/${OWN}`);
  }

  async #checkLoopback(): Promise<void> {
    const versions = await supportedVersions(pluginsOf(this.#context), 'loopback');
    if (!versions.some((version) => isAtLeast(version, LOOPBACK)))
      throw new Error(`the plugin loopback speaks ${versions.join(', ')} alone; it has to speak ${LOOPBACK} or newer`);
  }
}
