import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import type { Lister } from '../../objects.ts';

const keyOf = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

/**
 * A lister with assumed states that are not written yet: upstream's passiveAssumeCache. Drops an assumed state as soon as the lister has
 * another version of the object.
 */
export class AssumeCache<T extends JsonObject> {
  readonly #lister: () => Lister<T>;
  readonly #assumed = new Map<string, T>();

  constructor(lister: () => Lister<T>) {
    this.#lister = lister;
  }

  get(namespace: string, name: string): T | undefined {
    const stored = this.#lister().get(namespace, name);
    if (stored === undefined) this.#assumed.delete(`${namespace}/${name}`);
    return stored && this.#latest(stored);
  }

  list(): T[] {
    return Array.from(this.#lister().list(), (stored) => this.#latest(stored));
  }

  /** Assumes a state. Returns a reason if the lister has another version than the one that the state is based on. */
  assume(object: T): string | undefined {
    const stored = this.#lister().get(namespaceOf(object), nameOf(object));
    if (stored === undefined) return `"${keyOf(object)}" is not there any more`;
    const [known, mine] = [resourceVersionOf(stored), resourceVersionOf(object)];
    if (known !== mine) return `"${keyOf(object)}" is out of sync (stored: ${known}, assume: ${mine})`;
    this.#forgetOutdated();
    this.#assumed.set(keyOf(object), object);
    return undefined;
  }

  /** Drops states of deleted or changed objects, because `get` may never be called for them again. */
  #forgetOutdated(): void {
    for (const [key, assumed] of this.#assumed) {
      const stored = this.#lister().get(namespaceOf(assumed), nameOf(assumed));
      if (stored === undefined || resourceVersionOf(stored) !== resourceVersionOf(assumed)) this.#assumed.delete(key);
    }
  }

  /** Drops the assumed state that is based on this version. */
  restore(object: T): void {
    const assumed = this.#assumed.get(keyOf(object));
    if (assumed !== undefined && resourceVersionOf(assumed) === resourceVersionOf(object))
      this.#assumed.delete(keyOf(object));
  }

  #latest(stored: T): T {
    const assumed = this.#assumed.get(keyOf(stored));
    if (assumed === undefined) return stored;
    if (resourceVersionOf(assumed) === resourceVersionOf(stored)) return assumed;
    this.#assumed.delete(keyOf(stored));
    return stored;
  }
}
