import type { JsonObject } from './json-value.ts';

/** Upstream's `runtime/schema`: names of groups, versions, kinds and resources. The core group is the empty string. */
export interface GroupKind {
  readonly group: string;
  readonly kind: string;
}
/** A resource of a group, independent of its version: `apps`, `deployments`. The core group is ''. */
export interface GroupResource {
  readonly group: string;
  readonly resource: string;
}
/** A group and version: `apps`, `v1`. The core group is ''. */
export interface GroupVersion {
  readonly group: string;
  readonly version: string;
}
/** A kind in a version of a group: `apps`, `v1`, `Deployment`. */
export interface GroupVersionKind extends GroupVersion, GroupKind {}
/** A resource in a version of a group: `apps`, `v1`, `deployments`. */
export interface GroupVersionResource extends GroupVersion, GroupResource {}

/** A resource whose objects have a known type, such as those in `lib/api/types/resources.ts`. */
export interface ResourceOf<T extends JsonObject> extends GroupVersionResource {
  /** Never set. Binds the type. */
  readonly type?: T;
}

/** `apps/v1`, or `v1` for the core group: an object's `apiVersion`. */
export function apiVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

/** Parses an `apiVersion`; undefined if it has more than one slash. */
export function parseApiVersion(text: string): GroupVersion | undefined {
  const parts = text.split('/');
  if (parts.length === 1) return { group: '', version: text };
  return parts.length === 2 ? { group: parts[0] as string, version: parts[1] as string } : undefined;
}

/** `deployments.apps`, or `pods` for the core group, as in messages. */
export function qualifiedResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** `Deployment.apps`, or `Pod` for the core group, as in messages. */
export function qualifiedKind({ group, kind }: GroupKind): string {
  return group === '' ? kind : `${kind}.${group}`;
}
