import { typedObject } from '#lib/api/typed.ts';
import type { Pod } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { Reflector } from '#lib/client/controller/reflector.ts';
import type { ListWatch } from '#lib/client/list-watch.ts';
import type { Clock } from '#lib/machinery/clock.ts';

/** The ports of the source. */
export interface ApiserverSourceOptions {
  /** Lists and watches only the pods of this node. */
  readonly from: ListWatch;
  readonly clock: Clock;
  random(): number;
  /** Called with all pods of the node, after the first complete list and after each change. */
  set(pods: readonly Pod[]): void;
  /** Called when the API does not respond. The request is retried. */
  onFault(error: unknown): void;
}

/**
 * Follows the pods that are bound to the node until the signal aborts (upstream: NewSourceApiserver). While the API is unavailable, the
 * last known pods stay in effect.
 */
export function runApiserverSource(options: ApiserverSourceOptions, signal: AbortSignal): Promise<void> {
  const pods = new Map<string, Pod>();
  let isComplete = false;
  const reflector = new Reflector({
    resource: PODS,
    from: options.from,
    clock: options.clock,
    random: () => options.random(),
    deliver(change) {
      const key = `${change.namespace}/${change.name}`;
      if (change.type === 'DELETED') pods.delete(key);
      else pods.set(key, typedObject(PODS, change.object()));
      if (isComplete) options.set([...pods.values()]);
    },
    listed() {
      isComplete = true;
      options.set([...pods.values()]);
    },
    onFault: (error) => options.onFault(error),
    signal,
  });
  return reflector.run();
}
