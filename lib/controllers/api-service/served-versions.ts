import type { CustomResourceDefinition } from '#lib/api/types/apiextensions.v1.ts';
import { servedNames } from './decide.ts';

/** The definitions that serve each group version, built from changes. A group version is identified by the name of its API service. */
export class ServedVersions {
  readonly #byDefinition = new Map<string, readonly string[]>();
  readonly #definitions = new Map<string, Set<string>>();

  isServed(service: string): boolean {
    return this.#definitions.has(service);
  }

  /** Records the current state of a definition, undefined if it was deleted. Returns the affected group versions. */
  put(definition: string, crd: CustomResourceDefinition | undefined): readonly string[] {
    const before = this.#byDefinition.get(definition) ?? [];
    const now = crd === undefined ? [] : servedNames(crd);
    for (const service of before) this.#remove(service, definition);
    for (const service of now) {
      this.#definitions.set(service, (this.#definitions.get(service) ?? new Set()).add(definition));
    }
    if (now.length === 0) this.#byDefinition.delete(definition);
    else this.#byDefinition.set(definition, now);
    return [...new Set([...before, ...now])];
  }

  #remove(service: string, definition: string): void {
    const definitions = this.#definitions.get(service);
    definitions?.delete(definition);
    if (definitions?.size === 0) this.#definitions.delete(service);
  }
}
