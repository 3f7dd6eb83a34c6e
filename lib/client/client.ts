import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

/** Identifies one object. The namespace of a cluster-scoped object is empty. */
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
  /** See `get`. */
  readonly cached?: boolean;
}

/** Options of a server-side apply. */
export interface ApplyOptions {
  readonly fieldManager: string;
  /** Whether to take ownership of fields from other managers. */
  readonly force?: boolean;
  readonly subresource?: string;
}

/**
 * The API as controllers use it: upstream's dynamic client. Every method throws StatusError with the server's response. `get` returns
 * undefined if the object does not exist, but throws NotFound if its resource is not served.
 */
export interface Client {
  /** With `cached`, accepts a state that is a few seconds old (`resourceVersion=0`). */
  get(ref: ObjectRef, options?: { readonly cached?: boolean }): Promise<JsonObject | undefined>;
  list(resource: GroupVersionResource, options?: ListOptions): Promise<JsonObject[]>;
  /** Creates an object. With a subresource, `object` has the name of the existing object, for example the pod of a Binding. */
  create(resource: GroupVersionResource, object: JsonObject, subresource?: string): Promise<JsonObject>;
  /** Replaces the object. With a subresource, replaces only the part of the object that the subresource owns. */
  update(ref: ObjectRef, object: JsonObject, subresource?: string): Promise<JsonObject>;
  /** Applies a JSON merge patch (RFC 7386). */
  patch(ref: ObjectRef, patch: JsonObject, subresource?: string): Promise<JsonObject>;
  /** Server-side apply. Creates the object, or makes the manager the owner of these fields. */
  apply(ref: ObjectRef, object: JsonObject, options: ApplyOptions): Promise<JsonObject>;
  delete(ref: ObjectRef, request?: DeleteRequest): Promise<void>;
  /** Reads a document at a path that is not a resource, such as discovery or version. `accept` is the media type, JSON by default. */
  document(path: string, accept?: string): Promise<JsonObject>;
}
