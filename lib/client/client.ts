import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

/** Names one object. An empty namespace is the cluster scope. */
export interface ObjectRef {
  readonly resource: GroupVersionResource;
  readonly namespace: string;
  readonly name: string;
}

/** Preconditions and options of a delete. */
export interface DeleteRequest {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

/** The namespace and selectors of a list. */
export interface ListOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** As of `get`. */
  readonly cached?: boolean;
}

/** Options of a server-side apply. */
export interface ApplyOptions {
  readonly fieldManager: string;
  /** Takes fields over from other managers. */
  readonly force?: boolean;
  readonly subresource?: string;
}

/**
 * The API as controllers use it: upstream's dynamic client. Every method throws StatusError with the server's answer;
 * `get` returns undefined if the object does not exist, and throws NotFound if nothing serves its resource.
 */
export interface Client {
  /** `cached`: what the server proved within seconds will do (`resourceVersion=0`). */
  get(ref: ObjectRef, options?: { readonly cached?: boolean }): Promise<JsonObject | undefined>;
  list(resource: GroupVersionResource, options?: ListOptions): Promise<JsonObject[]>;
  /** Through a subresource: of the object that has the name of this one, such as a pod's binding. */
  create(resource: GroupVersionResource, object: JsonObject, subresource?: string): Promise<JsonObject>;
  /** Replaces the object, or through a subresource the part of it that the subresource owns. */
  update(ref: ObjectRef, object: JsonObject, subresource?: string): Promise<JsonObject>;
  /** A JSON merge patch (RFC 7386). */
  patch(ref: ObjectRef, patch: JsonObject, subresource?: string): Promise<JsonObject>;
  /** Server-side apply: creates the object, or makes these fields of it the manager's. */
  apply(ref: ObjectRef, object: JsonObject, options: ApplyOptions): Promise<JsonObject>;
  delete(ref: ObjectRef, request?: DeleteRequest): Promise<void>;
  /** A document at a path that is no resource: discovery, version; in the media type `accept`, JSON where absent. */
  document(path: string, accept?: string): Promise<JsonObject>;
}
