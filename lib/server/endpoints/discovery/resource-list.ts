import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';

/** One resource or subresource as discovery lists it: `metav1.APIResource`. */
export interface DiscoveredResource {
  readonly name: string;
  readonly singularName: string;
  readonly namespaced: boolean;
  /** The kind. Its group and version are present only if they differ from the list's. */
  readonly kind: string;
  readonly group?: string;
  readonly version?: string;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly storageVersionHash?: string;
}

/** A served group-version with its resources in discovery's order. Subresources follow their parents. */
export interface DiscoveredVersion {
  readonly group: string;
  readonly version: string;
  readonly resources: readonly DiscoveredResource[];
  /** For another server: its items of `apidiscovery.k8s.io/v2`, which replace the resources. */
  readonly discovery?: readonly JsonObject[];
  /** Whether the other server responded to the latest discovery request. Default Current. */
  readonly freshness?: 'Current' | 'Stale';
}

/** Returns a `metav1.APIResourceList` of one group-version. The list of the core group predates the apiVersion field and has none. */
export function apiResourceList({ group, version, resources }: DiscoveredVersion): JsonObject {
  const groupVersion = group === '' ? version : `${group}/${version}`;
  const typed = group === '' ? {} : { apiVersion: 'v1' };
  return { kind: 'APIResourceList', ...typed, groupVersion, resources: resources.map(apiResource) };
}

function apiResource(resource: DiscoveredResource): JsonObject {
  const {
    name,
    singularName,
    namespaced,
    kind,
    group,
    version,
    verbs,
    shortNames = [],
    categories = [],
    storageVersionHash = '',
  } = resource;
  return {
    name,
    singularName,
    namespaced,
    ...defined({ group, version }),
    kind,
    verbs: [...verbs],
    ...(shortNames.length === 0 ? {} : { shortNames: [...shortNames] }),
    ...(categories.length === 0 ? {} : { categories: [...categories] }),
    ...(storageVersionHash === '' ? {} : { storageVersionHash }),
  };
}
