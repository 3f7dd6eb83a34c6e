import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { Client, ListOptions, ObjectRef } from './client.ts';

/** Names one object of a resource whose type is known. */
export interface RefOf<T extends JsonObject> extends ObjectRef {
  readonly resource: ResourceOf<T>;
}

/**
 * A client that knows the types of objects by their resource (`lib/api/types/resources.ts`): upstream's clientset. Through a subresource
 * `create` answers what the subresource does.
 */
export interface Clientset extends Client {
  get<T extends JsonObject>(ref: RefOf<T>, options?: { readonly cached?: boolean }): Promise<T | undefined>;
  list<T extends JsonObject>(resource: ResourceOf<T>, options?: ListOptions): Promise<T[]>;
  create<T extends JsonObject>(resource: ResourceOf<T>, object: JsonObject): Promise<T>;
  create(resource: ResourceOf<JsonObject>, object: JsonObject, subresource: string | undefined): Promise<JsonObject>;
  update<T extends JsonObject>(ref: RefOf<T>, object: JsonObject, subresource?: string): Promise<T>;
  patch<T extends JsonObject>(ref: RefOf<T>, patch: JsonObject, subresource?: string): Promise<T>;
}

/** The same client. What it answers is what the API server has decoded, and so of the type of its resource. */
export const clientset = (client: Client): Clientset => client as Clientset;
