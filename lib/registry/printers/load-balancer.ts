import type { JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';

/** The different addresses of `status.loadBalancer`, sorted. */
export function loadBalancerAddresses(object: JsonObject): string[] {
  const ingress = items(at(object, 'status', 'loadBalancer'), 'ingress');
  const addresses = ingress.map((point) => text(point, 'ip') || text(point, 'hostname'));
  return [...new Set(addresses.filter((address) => address !== ''))].sort();
}
