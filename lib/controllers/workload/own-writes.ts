import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import type { GroupVersionResource } from '#lib/machinery/schema.ts';

/** The number of objects whose last write is remembered. The limit bounds memory for changes that this process never sees. */
const REMEMBERED = 1000;

/**
 * A controller's own writes that left no further work: their changes trigger no reconciliation. This only saves work. The change of a
 * forgotten write, or of another process's write, triggers a reconciliation that writes nothing.
 */
export class OwnWrites {
  readonly #versions = new Map<string, string | undefined>();

  /** Remembers a write of the object that leaves no further work. */
  settled({ group, resource }: GroupVersionResource, written: JsonObject): void {
    const place = placeOf({ group, resource, namespace: namespaceOf(written), name: nameOf(written) });
    this.#versions.delete(place);
    this.#versions.set(place, resourceVersionOf(written));
    const [oldest] = this.#versions.keys();
    if (this.#versions.size > REMEMBERED && oldest !== undefined) this.#versions.delete(oldest);
  }

  /** Whether the change is such a write. Any change of an object discards its remembered write. */
  take(change: ObjectChange): boolean {
    const place = placeOf(change);
    const version = this.#versions.get(place);
    return this.#versions.delete(place) && version === String(change.version) && change.type !== 'DELETED';
  }
}

type ObjectPlace = Pick<ObjectChange, 'group' | 'resource' | 'namespace' | 'name'>;

const placeOf = ({ group, resource, namespace, name }: ObjectPlace): string =>
  `${group}/${resource}/${namespace}/${name}`;
