import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

/** Names one object. An empty namespace is the cluster scope. */
export interface ObjectRef {
  readonly resource: GroupVersionResource;
  readonly namespace: string;
  readonly name: string;
}

export interface DeleteRequest {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
}

/**
 * What controllers do to the API: upstream's dynamic client. Every method throws StatusError with the server's answer;
 * `get` gives undefined where the object is not there, and throws NotFound where nothing serves its resource.
 */
export interface Client {
  get(ref: ObjectRef): Promise<JsonObject | undefined>;
  list(
    resource: GroupVersionResource,
    options?: { namespace?: string; labelSelector?: string; fieldSelector?: string },
  ): Promise<JsonObject[]>;
  create(resource: GroupVersionResource, object: JsonObject): Promise<JsonObject>;
  /** Replaces the object, or through a subresource the part of it that the subresource owns. */
  update(ref: ObjectRef, object: JsonObject, subresource?: string): Promise<JsonObject>;
  /** A JSON merge patch (RFC 7386). */
  patch(ref: ObjectRef, patch: JsonObject, subresource?: string): Promise<JsonObject>;
  delete(ref: ObjectRef, request?: DeleteRequest): Promise<void>;
  /** A document at a path that is no resource: discovery, version; in the media type `accept`, JSON where absent. */
  document(path: string, accept?: string): Promise<JsonObject>;
}
