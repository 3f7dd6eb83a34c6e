import type { JsonObject } from '#lib/machinery/json-value.ts';
import { servedNames } from './decide.ts';

/** Which definitions serve which group versions, from changes. Group versions go by the names of their API services. */
export class ServedVersions {
  readonly #byDefinition = new Map<string, readonly string[]>();
  readonly #definitions = new Map<string, Set<string>>();

  isServed(service: string): boolean {
    return this.#definitions.has(service);
  }

  /** Takes what a definition serves now; undefined where it is gone. Answers which group versions are concerned. */
  put(definition: string, crd: JsonObject | undefined): readonly string[] {
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
