import { decodedAs } from '#lib/api/testing.ts';
import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** The pod `web` in the namespace `shop` with the given spec, and an empty security context like the API server's. */
export const podOf = (spec: JsonObject, metadata: JsonObject = {}): Pod =>
  decodedAs(PODS, {
    metadata: { name: 'web', namespace: 'shop', uid: 'u-1', ...metadata },
    spec: { securityContext: {}, containers: [], ...spec },
  });

/** The container of a pod with this name, or else the first one. Throws TypeError if it does not exist. */
export function containerOf({ spec }: Pod, name?: string): Container {
  const all = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const found = all.find((one) => name === undefined || one.name === name);
  if (found === undefined) throw new TypeError(`no container ${name ?? ''}`);
  return found;
}
