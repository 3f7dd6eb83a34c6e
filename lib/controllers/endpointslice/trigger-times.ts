import { type JsonObject } from '#lib/machinery/json-value.ts';
import { metadataOf, nameOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { conditionOf, conditionsOf } from '../workload/conditions.ts';

interface Seen {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

const createdAt = (service: JsonObject): string => text(metadataOf(service), 'creationTimestamp');
const readyAt = (pod: JsonObject): string => text(conditionOf(conditionsOf(pod), 'Ready'), 'lastTransitionTime');

/** When a service's endpoints began to change, for what measures how long that took: upstream's TriggerTimeTracker. */
export class TriggerTimes {
  readonly #seen = new Map<string, Seen>();

  /** The earliest change since the last call; of a service that is new here, its creation. Undefined where there is none. */
  next(key: string, service: JsonObject, pods: readonly JsonObject[]): string | undefined {
    const before = this.#seen.get(key);
    const times = new Map(pods.map((pod) => [nameOf(pod), readyAt(pod)]));
    this.#seen.set(key, { service: createdAt(service), pods: times });
    if (before === undefined) return createdAt(service);
    const changed = [...times].filter(([pod, time]) => time > (before.pods.get(pod) ?? '')).map(([, time]) => time);
    if (createdAt(service) > before.service) changed.push(createdAt(service));
    return changed.sort()[0];
  }

  delete(key: string): void {
    this.#seen.delete(key);
  }
}
