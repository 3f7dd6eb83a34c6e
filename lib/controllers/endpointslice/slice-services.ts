import type { ObjectChange } from '#lib/client/controller/reconciler.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { MANAGED_BY, SERVICE_NAME } from './labels.ts';

/** The service of each slice of one controller, from changes. */
export class SliceServices {
  readonly #controller: string;
  readonly #services = new Map<string, string>();

  constructor(controller: string) {
    this.#controller = controller;
  }

  /** Applies a change of a slice. Returns `namespace/name` of its current service and of its previous one. */
  take(change: ObjectChange): readonly string[] {
    const key = `${change.namespace}/${change.name}`;
    const before = this.#services.get(key);
    const now = change.type === 'DELETED' ? undefined : this.#serviceOf(change);
    if (now === undefined) this.#services.delete(key);
    else this.#services.set(key, now);
    return [...new Set([before, now].filter((one) => one !== undefined))];
  }

  #serviceOf(change: ObjectChange): string | undefined {
    if (!change.mentions(`"${this.#controller}"`)) return undefined;
    const labels = labelsOf(change.object());
    const service = labels[SERVICE_NAME] ?? '';
    return service === '' || labels[MANAGED_BY] !== this.#controller ? undefined : `${change.namespace}/${service}`;
  }
}
