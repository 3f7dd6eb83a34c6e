import { stat } from 'node:fs/promises';
import { systemClock as clock } from '#adapters/clock.ts';
import { hostConfFolder } from '#adapters/node/cni/conf-folder.ts';
import { addressLeases } from '#adapters/node/cni/leases.ts';
import { ResultCache } from '#adapters/node/cni/result-cache.ts';
import { socketOf } from '#adapters/node/grpc/cri/endpoint.ts';
import { connectRuntime } from '#adapters/node/grpc/cri/runtime-services.ts';
import { isNamespaceInUse, removeSandboxNamespace } from '#adapters/node/host/network/network-namespace.ts';
import { cachedAttachments } from '#lib/node/cni/cache.ts';
import { firstNetwork } from '#lib/node/cni/folder.ts';
import { CNIConfig } from '#lib/node/cni/network-list.ts';
import type { NetworkConfigList, RuntimeConf } from '#lib/node/cni/types.ts';
import {
  type AddressLease,
  isStale,
  isStaleLease,
  type KnownSandboxes,
  leaseFolder,
} from '#lib/node/kubelet/network/cni/stale-attachments.ts';
import type { NetworkContext } from './context.ts';
import { pluginsOf } from './pod-network.ts';

/** Interval in ms between collections, which is the maximum time that a stale host port blocks the next pod. */
const PERIOD = 20_000;
/** The network to which containerd attaches the loopback interface. */
const LOOPBACK = 'cni-loopback';

/**
 * Detaches sandboxes that the container runtime no longer lists, until the signal aborts. The runtime never detaches them itself, so their
 * ports and addresses would stay in use.
 */
export async function collectAttachments(context: NetworkContext, signal: AbortSignal): Promise<void> {
  const { plugin } = context.options.podNetwork;
  if (plugin !== 'cni' && plugin !== 'kubenet') return;
  const onFault = context.log.fault('cannot detach what the container runtime has forgotten');
  while (!signal.aborted) {
    await collect(context).catch(onFault);
    await clock.sleep(PERIOD, signal);
  }
}

async function collect(context: NetworkContext): Promise<void> {
  const cache = new ResultCache();
  const cni = new CNIConfig(pluginsOf(context), cache);
  const { network } = await firstNetwork(context.options.podNetwork.confDir, hostConfFolder);
  if (network === undefined) return;
  const attachments = await cachedAttachments(cache);
  const leases = await leasesOf(network);
  const known = await knownSandboxes(context, new Set([network.name, LOOPBACK]));
  const cached = new Set(attachments.map(({ containerId }) => containerId));
  const detach = async (what: RuntimeConf, work: () => Promise<void>): Promise<void> => {
    if (what.netns !== '' && (await isNamespaceInUse(what.netns))) return;
    await work();
    context.log.info(`detached the sandbox ${what.containerId}, which the container runtime has forgotten`);
  };
  for (const one of attachments.filter((attachment) => isStale(attachment, known, clock.now())))
    await detach(one, async () => {
      await cni.delAttachment(one);
      // The loopback of a sandbox is attached first, so at this point all other attachments have been removed.
      if (one.network === network.name) await removeSandboxNamespace(one.netns);
    });
  for (const one of leases.filter((lease) => isStaleLease(lease, cached, known, clock.now()))) {
    const attachment = { ...one, netns: '' };
    await detach(attachment, () => cni.delNetworkList(network, attachment));
  }
}

/** The leases of all plugins of a network. */
async function leasesOf({ name, plugins }: NetworkConfigList): Promise<AddressLease[]> {
  const folders = plugins.flatMap(({ config }) => leaseFolder(config, name) ?? []);
  return (await Promise.all(folders.map((folder) => addressLeases(folder, name)))).flat();
}

/**
 * The sandboxes of the container runtime. The modification time of its socket is the start time of its process. Rejects if the runtime does
 * not respond.
 */
async function knownSandboxes({ options }: NetworkContext, networks: ReadonlySet<string>): Promise<KnownSandboxes> {
  const { containerRuntimeEndpoint: endpoint, runtimeRequestTimeout: timeout } = options.configuration;
  const { mtimeMs: runtimeSince } = await stat(socketOf(endpoint));
  using services = await connectRuntime({ endpoint, timeout });
  const { items } = await services.runtime.listPodSandbox({});
  return { ids: new Set(items.map(({ id }) => id)), runtimeSince, networks };
}
