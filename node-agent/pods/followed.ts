import { typedObject } from '#lib/api/typed.ts';
import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { ObjectListener } from '../network/cluster-objects.ts';

/** The objects of a resource, updated from its changes. */
export class Followed<T extends JsonObject> implements ObjectListener {
  readonly #objects = new Map<string, T>();
  readonly #resource: ResourceOf<T>;
  #isListed = false;

  constructor(resource: ResourceOf<T>) {
    this.#resource = resource;
  }

  /** The objects. Undefined before the first list. */
  all(): readonly T[] | undefined {
    return this.#isListed ? [...this.#objects.values()] : undefined;
  }

  take(change: ObjectChange): void {
    const key = `${change.namespace}/${change.name}`;
    if (change.type === 'DELETED') this.#objects.delete(key);
    else this.#objects.set(key, typedObject(this.#resource, change.object()));
  }

  listed(): void {
    this.#isListed = true;
  }
}
