import type { Client, ObjectRef } from '#lib/client/client.ts';
import { splitKey } from '#lib/client/split-key.ts';
import { ignore, ignoreNotFound } from '#lib/client/ignore.ts';
import type { Reconciler, Result } from '#lib/controller/reconciler.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf, uidOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';
import type { Pool } from '#lib/registry/kinds/core/service/allocator/pool.ts';
import { isNodePort, PORT_RANGE } from '#lib/registry/kinds/core/service/allocator/ranges.ts';
import {
  addressFor,
  decideAddress,
  decideServiceAddress,
  GRACE,
  holdings,
  isGiven,
  keyOf,
  networksOf,
  ofPort,
  outOfRange,
  parentOf,
} from './decide.ts';
import { recordWarning, type Warning } from './record-event.ts';
import { Relations } from './relations.ts';

const SERVICES: GroupVersionResource = { group: '', version: 'v1', resource: 'services' };
const networking = (resource: string): GroupVersionResource => ({
  group: 'networking.k8s.io',
  version: 'v1',
  resource,
});
const ADDRESSES = networking('ipaddresses');
const RANGES = networking('servicecidrs');

export interface RepairPorts {
  readonly client: Client;
  readonly clock: Clock;
  /** The node ports that are taken, as of now. */
  nodePorts(): Pool;
}

/**
 * Makes the pools of services agree with the services: upstream's repair loops of cluster addresses and node ports. What
 * services say is what counts; what a crash left taken is given back when no write can still be using it.
 */
export function serviceRepair(ports: RepairPorts): Reconciler {
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

function serviceAt(client: Client, key: string): Promise<JsonObject | undefined> {
  return client.get({ resource: SERVICES, ...splitKey(key) });
}

async function repairService(ports: RepairPorts, key: string): Promise<Result> {
  const service = await serviceAt(ports.client, key);
  if (service === undefined) return undefined;
  const { clusterIPs, nodePorts } = holdings(service);
  const networks = clusterIPs.length === 0 ? [] : (await ports.client.list(RANGES)).flatMap(networksOf);
  for (const ip of clusterIPs) {
    // Before the first network is there, its addresses are given already.
    if (networks.length > 0 && !isGiven(ip, networks)) await warnService(ports, service, outOfRange(ip));
    else await repairAddress(ports, service, ip);
  }
  let again: Result;
  for (const port of nodePorts) again = (await repairPort(ports, service, port)) ?? again;
  return again;
}

async function repairAddress(ports: RepairPorts, service: JsonObject, ip: string): Promise<void> {
  const { client } = ports;
  const ref: ObjectRef = { resource: ADDRESSES, namespace: '', name: ip };
  const address = await client.get(ref);
  const parent = address === undefined ? undefined : parentOf(address);
  const other = parent === undefined || parent === keyOf(service) ? undefined : await serviceAt(client, parent);
  const [repair, warning] = decideServiceAddress({ service, ip, address, other });
  if (warning !== undefined) await warnService(ports, service, warning);
  if (repair === 'keep') return;
  if (address !== undefined) await deleteState(client, ref, address);
  await client.create(ADDRESSES, addressFor(ip, service)).catch(ignore('AlreadyExists'));
}

async function repairPort(ports: RepairPorts, service: JsonObject, port: number): Promise<Result> {
  if (!isNodePort(port)) {
    const note = `Port ${port} is not within the port range ${PORT_RANGE}; please recreate service`;
    return warnService(ports, service, ofPort('PortOutOfRange', note));
  }
  const pool = ports.nodePorts();
  const holder = await pool.holder(String(port));
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

async function cleanAddress(ports: RepairPorts, ip: string): Promise<Result> {
  const { client, clock } = ports;
  const ref: ObjectRef = { resource: ADDRESSES, namespace: '', name: ip };
  const address = await client.get(ref);
  if (address === undefined) return undefined;
  const parent = parentOf(address);
  const service = parent === undefined ? undefined : await serviceAt(client, parent);
  const cleaning = decideAddress(address, service, clock.now());
  if (cleaning.do === 'wait') return { requeueAfter: cleaning.for };
  if (cleaning.do === 'keep') return undefined;
  const from = { ...ports, reporter: 'ipallocator-repair-controller' };
  await recordWarning(from, { ...IP_ADDRESS, object: address }, cleaning.warning);
  await deleteState(client, ref, address);
  return undefined;
}

/** Upstream tells nobody of a port that leaked. */
async function cleanPort({ client, clock, nodePorts }: RepairPorts, port: string): Promise<Result> {
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

async function warnService(ports: RepairPorts, service: JsonObject, warning: Warning): Promise<undefined> {
  const which = warning.action === 'PortAllocation' ? 'portallocator' : 'ipallocator';
  await recordWarning({ ...ports, reporter: `${which}-repair-controller` }, { ...SERVICE, object: service }, warning);
  return undefined;
}

const SERVICE = { apiVersion: 'v1', kind: 'Service' };
const IP_ADDRESS = { apiVersion: 'networking.k8s.io/v1', kind: 'IPAddress' };

/** Deletes what was read and nothing newer. */
async function deleteState(client: Client, ref: ObjectRef, object: JsonObject): Promise<void> {
  const state = { uid: uidOf(object), resourceVersion: resourceVersionOf(object) };
  await client.delete(ref, state).catch(ignoreNotFound);
}
