import type { Pod, Service } from '#lib/api/types/core.v1.ts';
import { podReadyCondition } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { nameOf } from '#lib/machinery/meta.ts';

interface ServicePods {
  readonly service: string;
  readonly pods: ReadonlyMap<string, string>;
}

const createdAt = ({ metadata }: Service): string => metadata.creationTimestamp ?? '';
const readyAt = (pod: Pod): string => podReadyCondition(pod)?.lastTransitionTime ?? '';

/** Records when a service's endpoints began to change, for latency measurements: upstream's TriggerTimeTracker. */
export class TriggerTimes {
  readonly #seen = new Map<string, ServicePods>();

  /** The earliest change since the last call, or the creation time of a service that is new here. Undefined if there is none. */
  next(key: string, service: Service, pods: readonly Pod[]): string | undefined {
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
