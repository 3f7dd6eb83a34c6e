import { typedObject } from '#lib/api/typed.ts';
import type { ServiceCIDR } from '#lib/api/types/networking.v1.ts';
import { SERVICE_CIDRS } from '#lib/api/types/resources.ts';
import { findCondition } from '#lib/machinery/conditions.ts';
import { parseStored } from '#lib/machinery/json.ts';
import { isObject } from '#lib/machinery/json-value.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import { keyPrefix } from '#lib/storage/keys.ts';
import type { StorageOf } from '#lib/storage/storage.ts';
import { type AddressRange, addressRange, DEFAULT_CIDR } from './ranges.ts';

const { group, resource } = SERVICE_CIDRS;
const RESOURCE = { group, resource };

/**
 * The networks of service addresses: those of every ready ServiceCIDR that is not being deleted. If no ServiceCIDR exists yet, returns the
 * default one.
 */
export async function serviceRanges(storageOf: StorageOf, cluster: string): Promise<AddressRange[]> {
  const storage = storageOf(RESOURCE);
  const prefix = keyPrefix({ cluster, ...RESOURCE }, '');
  const { objects } = await storage.list({ prefix, at: { kind: 'fresh' }, limit: 0 });
  const stored = objects
    .map(({ body }) => parseStored(body))
    .filter(isObject)
    .map((object) => typedObject(SERVICE_CIDRS, object));
  const cidrs = stored.length === 0 ? [DEFAULT_CIDR] : stored.filter(gives).flatMap(cidrsOf);
  return cidrs.flatMap((cidr) => addressRange(cidr) ?? []);
}

const cidrsOf = (range: ServiceCIDR): string[] => range.spec.cidrs ?? [];

function gives(range: ServiceCIDR): boolean {
  const { metadata, status } = range;
  if (isDeleting(range)) return false;
  const ready = findCondition(status.conditions, 'Ready');
  // The default one counts even before its controller sets a condition. Otherwise a cluster's first services would be rejected.
  return ready === undefined ? (metadata.name ?? '') === 'kubernetes' : ready.status === 'True';
}
