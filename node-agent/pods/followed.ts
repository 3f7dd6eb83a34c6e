import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ListWatch } from '#lib/client/list-watch.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { typedObject } from '#lib/api/typed.ts';
import { Reflector } from '#lib/controller/reflector.ts';
import { systemClock } from '#adapters/clock.ts';

/** The objects of a resource, as a watch tells them. */
export class Followed<T extends JsonObject> {
  readonly #objects = new Map<string, T>();
  readonly #resource: ResourceOf<T>;
  #isListed = false;

  constructor(resource: ResourceOf<T>) {
    this.#resource = resource;
  }

  /** The objects; undefined until they were listed once. */
  all(): readonly T[] | undefined {
    return this.#isListed ? [...this.#objects.values()] : undefined;
  }

  /** Follows the resource until the signal aborts. */
  run(from: ListWatch, onFault: (error: unknown) => void, signal: AbortSignal): Promise<void> {
    const reflector = new Reflector({
      resource: this.#resource,
      from,
      clock: systemClock,
      random: () => Math.random(),
      deliver: (change) => {
        const key = `${change.namespace}/${change.name}`;
        if (change.type === 'DELETED') this.#objects.delete(key);
        else this.#objects.set(key, typedObject(this.#resource, change.object()));
      },
      listed: () => {
        this.#isListed = true;
      },
      onFault,
      signal,
    });
    return reflector.run();
  }
}
