import type { ServiceReference } from '#lib/api/types/apiregistration.v1.ts';

const keyOf = ({ namespace = '', name = '' }: ServiceReference): string => `${namespace}/${name}`;

/** Which APIServices name a Service, from changes: upstream's cache of the same. */
export class ServicesOfAPIServices {
  readonly #byName = new Map<string, string>();
  readonly #names = new Map<string, Set<string>>();

  /** Takes the Service of an APIService as it is now; undefined where it names none, or is gone. */
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

  /** Whether no APIService names any: then no change of a Service concerns one. */
  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** The names of the APIServices that name the Service. */
  of(namespace: string, name: string): readonly string[] {
    return [...(this.#names.get(`${namespace}/${name}`) ?? [])];
  }
}
