import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { metadataOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { Lister } from './framework/interface.ts';
import { WATCHED, type WatchedName } from './resources.ts';

type ByName = Map<string, JsonObject>;

/** Objects of one resource as they were told last, less what nobody looks at. */
export class ObjectStore implements Lister {
  readonly #keeps: readonly string[] | undefined;
  readonly #namespaces = new Map<string, ByName>();

  constructor(name: WatchedName) {
    this.#keeps = WATCHED[name].keeps;
  }

  get(namespace: string, name: string): JsonObject | undefined {
    return this.#namespaces.get(namespace)?.get(name);
  }

  *list(namespace?: string): Generator<JsonObject> {
    if (namespace !== undefined) yield* this.#namespaces.get(namespace)?.values() ?? [];
    else for (const objects of this.#namespaces.values()) yield* objects.values();
  }

  /** What it keeps of the object. */
  set(object: JsonObject): JsonObject {
    const kept = trimmed(object, this.#keeps);
    const namespace = namespaceOf(object);
    const objects = this.#namespaces.get(namespace) ?? new Map<string, JsonObject>();
    this.#namespaces.set(namespace, objects.set(nameOf(object), kept));
    return kept;
  }

  delete(object: JsonObject): void {
    const objects = this.#namespaces.get(namespaceOf(object));
    objects?.delete(nameOf(object));
    if (objects?.size === 0) this.#namespaces.delete(namespaceOf(object));
  }
}

function trimmed(object: JsonObject, keeps: readonly string[] | undefined): JsonObject {
  const { managedFields: _, ...metadata } = metadataOf(object);
  if (keeps === undefined) return { ...object, metadata };
  const spec = objectAt(object, 'spec');
  const kept = keeps.flatMap((field) => {
    const value = ownField(spec, field);
    return value === undefined ? [] : [[field, value] as const];
  });
  return { metadata, spec: Object.fromEntries(kept) };
}
