import { parseStored } from '#lib/machinery/json.ts';
import { isObject, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, items, text, texts } from '#lib/machinery/unstructured.ts';
import { keyPrefix } from '#lib/storage/keys.ts';
import type { StorageOf } from '#lib/storage/storage.ts';
import { addressRange, DEFAULT_CIDR, type AddressRange } from './ranges.ts';

const SERVICE_CIDRS = { group: 'networking.k8s.io', resource: 'servicecidrs' };

/**
 * The networks from which services are given addresses: those of every ServiceCIDR that is ready and stays. Before the first
 * is there, the default one.
 */
export async function serviceRanges(storageOf: StorageOf, cluster: string): Promise<AddressRange[]> {
  const storage = storageOf(SERVICE_CIDRS);
  const prefix = keyPrefix({ cluster, ...SERVICE_CIDRS }, '');
  const { objects } = await storage.list({ prefix, at: { kind: 'fresh' }, limit: 0 });
  const stored = objects.map(({ body }) => parseStored(body)).filter(isObject);
  const cidrs = stored.length === 0 ? [DEFAULT_CIDR] : stored.filter(gives).flatMap(cidrsOf);
  return cidrs.flatMap((cidr) => addressRange(cidr) ?? []);
}

const cidrsOf = (range: JsonObject): string[] => texts(objectAt(range, 'spec'), 'cidrs');

function gives(range: JsonObject): boolean {
  const metadata = objectAt(range, 'metadata');
  if (has(metadata, 'deletionTimestamp')) return false;
  const ready = items(objectAt(range, 'status'), 'conditions').find((condition) => text(condition, 'type') === 'Ready');
  // The default one counts before its controller has looked at it, or a cluster's first services would be refused.
  return ready === undefined ? text(metadata, 'name') === 'kubernetes' : text(ready, 'status') === 'True';
}
