import { readFile } from 'node:fs/promises';
import { systemClock as clock } from '#adapters/clock.ts';
import { Forwarder, type Nameserver } from '#adapters/node/dns/forwarder.ts';
import { DnsServer } from '#adapters/node/dns/server.ts';
import { addLocalAddress, removeLocalAddress } from '#adapters/node/host/network/local-address.ts';
import { typedObject } from '#lib/api/typed.ts';
import { ENDPOINT_SLICES, NAMESPACES, SERVICES } from '#lib/api/types/resources.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { ClusterNames } from '#lib/node/dns/cluster-names.ts';
import { ClusterZone } from '#lib/node/dns/cluster-zone.ts';
import { Responder } from '#lib/node/dns/responder.ts';
import { parseResolvConf } from '#lib/node/kubelet/network/dns/resolv-conf.ts';
import type { AgentOptions } from '../options.ts';
import type { NetworkContext } from './context.ts';

const PORT = 53;
/** Time in ms before another attempt to listen. */
const RETRY = 5000;
const FOLLOWED = [NAMESPACES, SERVICES, ENDPOINT_SLICES];

/** Serves DNS at the addresses of `clusterDNS`, which the agent adds to the host while it runs. Resolves when the signal aborts. */
export async function serveClusterDNS(context: NetworkContext, signal: AbortSignal): Promise<void> {
  const { clusterDNS, clusterDomain } = context.options.configuration;
  const names = new ClusterNames();
  const listed = new Set<string>();
  let serial = seconds();
  const zone = new ClusterZone(names, {
    domain: clusterDomain.toLowerCase(),
    servers: clusterDNS,
    serial: () => serial,
    isSynced: () => listed.size === FOLLOWED.length,
  });
  const take = (change: ObjectChange): void => {
    takeChange(names, change);
    serial = seconds();
  };
  for (const resource of FOLLOWED)
    context.objects.listen(resource, { take, listed: () => void listed.add(resource.resource) });
  await listen(context, new Responder(zone, new Forwarder(() => otherServers(context.options))), signal);
}

const seconds = (): number => Math.floor(clock.now() / 1000);

/** Applies a change to a Namespace, a Service or an EndpointSlice. */
function takeChange(names: ClusterNames, change: ObjectChange): void {
  const key = `${change.namespace}/${change.name}`;
  const isGone = change.type === 'DELETED';
  if (change.resource === NAMESPACES.resource) {
    if (isGone) names.removeNamespace(change.name);
    else names.addNamespace(change.name);
  } else if (change.resource === SERVICES.resource) {
    if (isGone) names.removeService(key);
    else names.setService(key, typedObject(SERVICES, change.object()));
  } else if (isGone) names.removeSlice(key);
  else names.setSlice(key, typedObject(ENDPOINT_SLICES, change.object()));
}

/** The host's DNS servers except for this one, which would otherwise query itself in a loop. */
async function otherServers({ configuration: { resolvConf, clusterDNS } }: AgentOptions): Promise<Nameserver[]> {
  if (resolvConf === '') return [];
  const { servers } = parseResolvConf(await readFile(resolvConf, 'utf8'));
  return servers.filter((address) => !clusterDNS.includes(address)).map((address) => ({ address }));
}

async function listen({ options, log }: NetworkContext, responder: Responder, signal: AbortSignal): Promise<void> {
  const { clusterDNS } = options.configuration;
  while (!signal.aborted) {
    await using server = new DnsServer(responder);
    try {
      for (const address of clusterDNS) {
        await addLocalAddress(address);
        await server.listen(address, PORT);
      }
      log.info(`DNS answers at ${clusterDNS.join(', ')}`);
      await clock.sleep(Infinity, signal);
    } catch (error) {
      log.fault('cannot answer DNS')(error);
      await clock.sleep(RETRY, signal);
    }
  }
  await Promise.all(clusterDNS.map((address) => removeLocalAddress(address)));
}
