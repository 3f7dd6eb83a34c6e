import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { DiscoveredVersion } from './resource-list.ts';

/**
 * Returns a `metav1.APIGroup` with its versions in the given order. The first is preferred. Sets kind and apiVersion only if the group is
 * the whole response.
 */
export function apiGroup(name: string, versions: readonly DiscoveredVersion[], alone: boolean): JsonObject {
  const listed = versions.map((v) => ({ groupVersion: apiVersion(v), version: v.version }));
  return {
    ...(alone ? { kind: 'APIGroup', apiVersion: 'v1' } : {}),
    name,
    versions: listed,
    preferredVersion: listed[0] ?? {},
  };
}

/** Returns a `metav1.APIGroupList` of every named group. */
export function apiGroupList(versions: readonly DiscoveredVersion[]): JsonObject {
  const groups = Map.groupBy(
    versions.filter(({ group }) => group !== ''),
    ({ group }) => group,
  );
  return {
    kind: 'APIGroupList',
    apiVersion: 'v1',
    groups: [...groups].map(([name, served]) => apiGroup(name, served, false)),
  };
}

/** Returns `metav1.APIVersions`: the versions of the core group, and this server's address. */
export function apiVersions(serverAddress: string): JsonObject {
  return {
    kind: 'APIVersions',
    versions: ['v1'],
    serverAddressByClientCIDRs: [{ clientCIDR: '0.0.0.0/0', serverAddress }],
  };
}
