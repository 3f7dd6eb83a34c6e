import type { ServiceReference } from '#lib/api/types/apiregistration.v1.ts';

const keyOf = ({ namespace = '', name = '' }: ServiceReference): string => `${namespace}/${name}`;

/** Maps Services to the APIServices that name them, from changes: upstream's equivalent cache. */
export class ServicesOfAPIServices {
  readonly #byName = new Map<string, string>();
  readonly #names = new Map<string, Set<string>>();

  /** Records the current Service of an APIService. Undefined if it names none or was deleted. */
  put(name: string, service: ServiceReference | undefined): void {
    const before = this.#byName.get(name);
    if (before !== undefined) {
      const names = this.#names.get(before);
      names?.delete(name);
      if (names?.size === 0) this.#names.delete(before);
      this.#byName.delete(name);
    }
    if (service === undefined) return;
    const key = keyOf(service);
    this.#byName.set(name, key);
    this.#names.set(key, (this.#names.get(key) ?? new Set()).add(name));
  }

  /** Whether no APIService names a Service. If so, no change of a Service concerns an APIService. */
  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** The names of the APIServices that name the Service. */
  of(namespace: string, name: string): readonly string[] {
    return [...(this.#names.get(`${namespace}/${name}`) ?? [])];
  }
}
