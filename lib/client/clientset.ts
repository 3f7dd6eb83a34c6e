import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { Client, ListOptions, ObjectRef } from './client.ts';

/** Identifies one object of a resource with a known type. */
export interface RefOf<T extends JsonObject> extends ObjectRef {
  readonly resource: ResourceOf<T>;
}

/**
 * A client that derives the types of objects from their resource (`lib/api/types/resources.ts`): upstream's clientset. With a subresource,
 * `create` returns the subresource's response.
 */
export interface Clientset extends Client {
  get<T extends JsonObject>(ref: RefOf<T>, options?: { readonly cached?: boolean }): Promise<T | undefined>;
  list<T extends JsonObject>(resource: ResourceOf<T>, options?: ListOptions): Promise<T[]>;
  create<T extends JsonObject>(resource: ResourceOf<T>, object: JsonObject): Promise<T>;
  create(resource: ResourceOf<JsonObject>, object: JsonObject, subresource: string | undefined): Promise<JsonObject>;
  update<T extends JsonObject>(ref: RefOf<T>, object: JsonObject, subresource?: string): Promise<T>;
  patch<T extends JsonObject>(ref: RefOf<T>, patch: JsonObject, subresource?: string): Promise<T>;
}

/** Casts a client to one with types. The API server decoded its responses, so they have the type of their resource. */
export const clientset = (client: Client): Clientset => client as Clientset;
