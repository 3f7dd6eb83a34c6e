import { typedObject } from '#lib/api/typed.ts';
import { type JsonObject, objectAt, ownField } from '#lib/machinery/json-value.ts';
import { metadataOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { Lister } from './framework/objects.ts';
import type { Watched } from './resources.ts';

/** The objects of one resource in their last known state, without managed fields. */
export class ObjectStore<T extends JsonObject> implements Lister<T> {
  readonly #watched: Watched<T>;
  readonly #namespaces = new Map<string, Map<string, T>>();

  constructor(watched: Watched<T>) {
    this.#watched = watched;
  }

  get(namespace: string, name: string): T | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  *list(namespace?: string): Generator<T> {
    if (namespace !== undefined) yield* this.#namespaces.get(namespace)?.values() ?? [];
    else for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  /** Stores an object as received from the API server. Returns the stored part. */
  set(object: JsonObject): T {
    const kept = typedObject(this.#watched.resource, this.#trimmed(object));
    const namespace = namespaceOf(object);
    const objects = this.#namespaces.get(namespace) ?? new Map<string, T>();
    this.#namespaces.set(namespace, objects.set(nameOf(object), kept));
    return kept;
  }

  delete(object: JsonObject): void {
    const objects = this.#namespaces.get(namespaceOf(object));
    objects?.delete(nameOf(object));
    if (objects?.size === 0) this.#namespaces.delete(namespaceOf(object));
  }

  #trimmed(object: JsonObject): JsonObject {
    const { managedFields: _, ...metadata } = metadataOf(object);
    if (this.#watched.isSelecting !== true) return { ...object, metadata };
    const selector = ownField(objectAt(object, 'spec'), 'selector');
    return { metadata, spec: selector === undefined ? {} : { selector } };
  }
}
