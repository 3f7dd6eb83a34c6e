import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import type { Lister } from '../../interface.ts';

const keyOf = (object: JsonObject): string => `${namespaceOf(object)}/${nameOf(object)}`;

/**
 * A lister with what is to be written, as if it had been: upstream's passiveAssumeCache. What is assumed gives way as soon as the lister
 * has another version of the object.
 */
export class AssumeCache {
  readonly #lister: () => Lister;
  readonly #assumed = new Map<string, JsonObject>();

  constructor(lister: () => Lister) {
    this.#lister = lister;
  }

  get(namespace: string, name: string): JsonObject | undefined {
    const stored = this.#lister().get(namespace, name);
    if (stored === undefined) this.#assumed.delete(`${namespace}/${name}`);
    return stored && this.#latest(stored);
  }

  list(): JsonObject[] {
    return Array.from(this.#lister().list(), (stored) => this.#latest(stored));
  }

  /** Why not, where the lister has another version than this was made from. */
  assume(object: JsonObject): string | undefined {
    const stored = this.#lister().get(namespaceOf(object), nameOf(object));
    if (stored === undefined) return `"${keyOf(object)}" is not there any more`;
    const [known, mine] = [resourceVersionOf(stored), resourceVersionOf(object)];
    if (known !== mine) return `"${keyOf(object)}" is out of sync (stored: ${known}, assume: ${mine})`;
    this.#forgetOutdated();
    this.#assumed.set(keyOf(object), object);
    return undefined;
  }

  /** Nobody may ever ask again for what is gone, or has changed. */
  #forgetOutdated(): void {
    for (const [key, assumed] of this.#assumed) {
      const stored = this.#lister().get(namespaceOf(assumed), nameOf(assumed));
      if (stored === undefined || resourceVersionOf(stored) !== resourceVersionOf(assumed)) this.#assumed.delete(key);
    }
  }

  /** Forgets what was assumed from this version. */
  restore(object: JsonObject): void {
    const assumed = this.#assumed.get(keyOf(object));
    if (assumed !== undefined && resourceVersionOf(assumed) === resourceVersionOf(object))
      this.#assumed.delete(keyOf(object));
  }

  #latest(stored: JsonObject): JsonObject {
    const assumed = this.#assumed.get(keyOf(stored));
    if (assumed === undefined) return stored;
    if (resourceVersionOf(assumed) === resourceVersionOf(stored)) return assumed;
    this.#assumed.delete(keyOf(stored));
    return stored;
  }
}
