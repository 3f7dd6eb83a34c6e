import type { Service } from '#lib/api/types/core.v1.ts';
import { IP_ADDRESSES, SERVICE_CIDRS, SERVICES } from '#lib/api/types/resources.ts';
import type { Client, ObjectRef } from '#lib/client/client.ts';
import { type Clientset, clientset } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignore, ignoreNotFound } from '#lib/client/ignore.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import { splitKey } from '#lib/machinery/namespaced-name.ts';
import type { Pool } from '#lib/server/registry/kinds/core/service/allocator/pool.ts';
import { isNodePort, PORT_RANGE } from '#lib/server/registry/kinds/core/service/allocator/ranges.ts';
import { networksOf } from '../service-cidrs/decide.ts';
import {
  addressFor,
  decideAddress,
  decideServiceAddress,
  GRACE,
  holdings,
  isGiven,
  keyOf,
  ofPort,
  outOfRange,
  parentOf,
  parentUnreadable,
  unreadable,
} from './decide.ts';
import { recordWarning, type Warning } from './record-event.ts';
import { Relations } from './relations.ts';

/** The ports of the repair. */
export interface RepairPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** The allocated node ports at this time. */
  nodePorts(): Pool;
}

/**
 * Reconciles the allocated addresses and node ports with the services: upstream's repair loops of cluster IPs and node ports. Services
 * are the source of truth. A value leaked by a crash is released when no write can use it any more.
 */
export function serviceRepair(given: RepairPorts): Reconciler {
  const ports: Ports = { ...given, client: clientset(given.client) };
  const relations = new Relations();
  return {
    name: 'service-repair',
    keys: (change) => relations.take(change),
    async reconcile(key) {
      if (relations.isSettled(key)) return undefined;
      const slash = key.indexOf('/');
      const name = key.slice(slash + 1);
      if (key.startsWith('service/')) return repairService(ports, name);
      return key.startsWith('address/') ? cleanAddress(ports, name) : cleanPort(ports, name);
    },
  };
}

interface Ports extends RepairPorts {
  readonly client: Clientset;
}

function serviceAt(client: Clientset, key: string): Promise<Service | undefined> {
  return client.get({ resource: SERVICES, ...splitKey(key) });
}

async function repairService(ports: Ports, key: string): Promise<Result> {
  const service = await serviceAt(ports.client, key);
  if (service === undefined) return undefined;
  const { clusterIPs, nodePorts } = holdings(service);
  const networks = clusterIPs.length === 0 ? [] : (await ports.client.list(SERVICE_CIDRS)).flatMap(networksOf);
  for (const ip of clusterIPs) {
    // Addresses are assigned before the first ServiceCIDR object exists.
    if (networks.length > 0 && !isGiven(ip, networks)) await warnService(ports, service, outOfRange(ip));
    else await repairAddress(ports, service, ip);
  }
  let again: Result;
  for (const port of nodePorts) again = (await repairPort(ports, service, port)) ?? again;
  return again;
}

async function repairAddress(ports: Ports, service: Service, ip: string): Promise<void> {
  const { client } = ports;
  const ref = { resource: IP_ADDRESSES, namespace: '', name: ip };
  const address = await client.get(ref).catch(async (error: unknown) => {
    await warnService(ports, service, unreadable(ip));
    throw error;
  });
  const parent = address === undefined ? undefined : parentOf(address);
  const other = parent === undefined || parent === keyOf(service) ? undefined : await serviceAt(client, parent);
  const [repair, warning] = decideServiceAddress({ service, ip, address, other });
  if (warning !== undefined) await warnService(ports, service, warning);
  if (repair === 'keep') return;
  if (address !== undefined) await deleteState(client, ref, address);
  await client.create(IP_ADDRESSES, addressFor(ip, service)).catch(ignore('AlreadyExists'));
}

async function repairPort(ports: Ports, service: Service, port: number): Promise<Result> {
  if (!isNodePort(port)) {
    const note = `Port ${port} is not within the port range ${PORT_RANGE}; please recreate service`;
    return warnService(ports, service, ofPort('PortOutOfRange', note));
  }
  const pool = ports.nodePorts();
  const holder = await pool.holder(String(port)).catch(async (error: unknown) => {
    await warnService(
      ports,
      service,
      ofPort('UnknownError', `Unable to allocate port ${port} due to an unknown error`),
    );
    throw error;
  });
  if (holder !== undefined) {
    const parent = `${holder.namespace}/${holder.name}`;
    if (parent === keyOf(service)) return undefined;
    const other = await serviceAt(ports.client, parent);
    if (other !== undefined && holdings(other).nodePorts.includes(port)) {
      const note = `Port ${port} was assigned to multiple services; please recreate service`;
      return warnService(ports, service, ofPort('PortAlreadyAllocated', note));
    }
    const left = holder.since + GRACE - ports.clock.now();
    if (left > 0) return { requeueAfter: left };
  }
  await warnService(ports, service, ofPort('PortNotAllocated', `Port ${port} is not allocated; repairing`));
  if (holder !== undefined) await pool.end(String(port), holder.uid);
  await pool.claim(String(port), { namespace: namespaceOf(service), name: nameOf(service) });
  return undefined;
}

async function cleanAddress(ports: Ports, ip: string): Promise<Result> {
  const { client, clock } = ports;
  const ref = { resource: IP_ADDRESSES, namespace: '', name: ip };
  const address = await client.get(ref);
  if (address === undefined) return undefined;
  const parent = parentOf(address);
  const warn = (warning: Warning): Promise<void> =>
    recordWarning({ ...ports, reporter: 'ipallocator-repair-controller' }, { ...address, ...IP_ADDRESS }, warning);
  const read = parent === undefined ? undefined : serviceAt(client, parent);
  const service = await read?.catch(async (error: unknown) => {
    await warn(parentUnreadable(ip));
    throw error;
  });
  const cleaning = decideAddress(address, service, clock.now());
  if (cleaning.do === 'wait') return { requeueAfter: cleaning.for };
  if (cleaning.do === 'keep') return undefined;
  await warn(cleaning.warning);
  await deleteState(client, ref, address);
  return undefined;
}

/** Releases a leaked port. Like upstream, it records no event. */
async function cleanPort({ client, clock, nodePorts }: Ports, port: string): Promise<Result> {
  const pool = nodePorts();
  const holder = await pool.holder(port);
  if (holder === undefined) return undefined;
  const service = await serviceAt(client, `${holder.namespace}/${holder.name}`);
  if (service !== undefined && holdings(service).nodePorts.includes(Number(port))) return undefined;
  const left = holder.since + GRACE - clock.now();
  if (left > 0) return { requeueAfter: left };
  await pool.end(port, holder.uid);
  return undefined;
}

async function warnService(ports: Ports, service: Service, warning: Warning): Promise<undefined> {
  const which = warning.action === 'PortAllocation' ? 'portallocator' : 'ipallocator';
  await recordWarning({ ...ports, reporter: `${which}-repair-controller` }, { ...service, ...SERVICE }, warning);
  return undefined;
}

const SERVICE = { apiVersion: 'v1', kind: 'Service' };
const IP_ADDRESS = { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress' };

/** Deletes only the state that was read. */
async function deleteState(client: Client, ref: ObjectRef, object: JsonObject): Promise<void> {
  const state = { uid: uidOf(object), resourceVersion: resourceVersionOf(object) };
  await client.delete(ref, state).catch(ignoreNotFound);
}
