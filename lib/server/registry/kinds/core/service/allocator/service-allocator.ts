import { typedObject } from '#lib/api/typed.ts';
import type { Service } from '#lib/api/types/core.v1.ts';
import { SERVICES } from '#lib/api/types/resources.ts';
import { internalError, invalid, unclassified } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { type FieldError, FieldPath, invalid as invalidField } from '#lib/machinery/validation/field.ts';
import type { StorageOf } from '#lib/storage/storage.ts';
import type { AllocationContext, Allocator } from '../../../../allocator.ts';
import { type Allocation, allocationRequest, change, shareNodePorts } from '../allocation.ts';
import { type IPFamily, initIPFamilies } from '../ip-families.ts';
import { servicePools } from './pools.ts';
import { Transaction } from './transaction.ts';

/** The IP families of the cluster's service addresses, default first. */
const FAMILIES: readonly IPFamily[] = ['IPv4'];
const CLUSTER_IPS = FieldPath.of('spec', 'clusterIPs');
const PORTS = FieldPath.of('spec', 'ports');

/** Allocates cluster IPs and node ports of services: upstream's pkg/registry/core/service/storage/alloc.go. */
export function serviceAllocator(storageOf: StorageOf): Allocator {
  const begin = (service: JsonObject, context: AllocationContext): Transaction =>
    new Transaction({
      pools: servicePools(storageOf, context),
      owner: { namespace: context.namespace, name: nameOf(service) },
      dryRun: context.dryRun,
    });
  return {
    async allocate(object, stored, context) {
      const service = typedObject(SERVICES, object);
      const old = stored && typedObject(SERVICES, stored);
      const errors = initIPFamilies(service, old, FAMILIES);
      if (errors.length > 0) throw refused(service, errors);
      const transaction = begin(service, context);
      try {
        await take(transaction, service, old);
      } catch (error) {
        await transaction.undo();
        throw error;
      }
      const { release } = change(service, old);
      return { commit: () => transaction.release(release), revert: () => transaction.undo() };
    },
    release: (object, context) =>
      begin(object, context).release(change(undefined, typedObject(SERVICES, object)).release),
  };
}

const refused = (service: Service, errors: readonly FieldError[]) =>
  invalid({ group: '', kind: 'Service' }, nameOf(service), errors);

/** Allocates the values that the client chose first, so that generated values cannot collide with them. */
async function take(transaction: Transaction, service: Service, old: Service | undefined): Promise<void> {
  shareNodePorts(service);
  await takeChosen(transaction, service, change(service, old).claim);
  const missing = allocationRequest(service);
  if (missing.clusterIPs.length > 0) await drawAddresses(transaction, service, missing.clusterIPs);
  const ports = service.spec.ports ?? [];
  for (const group of missing.nodePorts) {
    const nodePort = await transaction.anyPort();
    if (nodePort === undefined) throw internalError('failed to allocate a nodePort: range is full');
    for (const [index, port] of ports.entries()) if (group.includes(index)) port.nodePort = nodePort;
  }
  if (missing.healthCheckNodePort) {
    const port = await transaction.anyPort();
    if (port === undefined) throw unclassified('failed to allocate a HealthCheck NodePort 0: range is full');
    service.spec.healthCheckNodePort = port;
  }
}

async function takeChosen(transaction: Transaction, service: Service, { clusterIPs, nodePorts }: Allocation) {
  const spec = service.spec;
  for (const ip of clusterIPs) {
    const why = await transaction.takeAddress(ip);
    if (why === undefined) continue;
    const shown = spec.clusterIPs ?? null;
    throw refused(service, [invalidField(CLUSTER_IPS, shown, `failed to allocate IP ${ip}: ${why}`)]);
  }
  for (const port of nodePorts) {
    const why = await transaction.takePort(port);
    if (why === undefined) continue;
    const index = (spec.ports ?? []).findIndex((one) => (one.nodePort ?? 0) === port);
    if (index === -1) throw unclassified(`failed to allocate requested HealthCheck NodePort ${port}: ${why}`);
    throw refused(service, [invalidField(PORTS.index(index).child('nodePort'), port, why)]);
  }
}

async function drawAddresses(
  transaction: Transaction,
  service: Service,
  missing: readonly { readonly index: number }[],
): Promise<void> {
  const spec = service.spec;
  const ips = [...(spec.clusterIPs ?? [])];
  for (const { index } of missing) {
    const address = await transaction.anyAddress();
    if (address === undefined) {
      const why = `failed to allocate a serviceIP for Service ${quote(nameOf(service))}: range is full`;
      throw internalError(why);
    }
    ips[index] = address;
  }
  spec.clusterIPs = ips;
  spec.clusterIP = ips[0] ?? '';
}
