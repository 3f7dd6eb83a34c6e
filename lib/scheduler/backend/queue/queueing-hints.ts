import type { Pod } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import {
  type ClusterEvent,
  type ClusterEventWithHint,
  type IncomingEvent,
  isWildcard,
  matchesEvent,
  type ObjectChange,
} from '../../framework/events.ts';
import type { Plugin } from '../../framework/interface.ts';
import type { ClusterChange } from './in-flight-events.ts';
import { hasNoRejector, type QueuedPod } from './queued-pod.ts';

/** The action for an unschedulable pod after a change. */
export type Strategy = 'skip' | 'afterBackoff' | 'immediately';

/** An event of any resource. Its hint runs only for changes of that resource, so the objects have the hint's type. */
interface Registered {
  readonly event: ClusterEvent;
  readonly plugin: string;
  hint?(pod: Pod, change: ObjectChange<JsonObject>): boolean;
}

/** The changes that may help pods refused by a plugin of their profile: upstream's QueueingHintMap. */
export class QueueingHints {
  readonly #registered: readonly Registered[];

  constructor(plugins: readonly Plugin[]) {
    this.#registered = plugins.flatMap((plugin) => eventsOf(plugin).map((one) => ({ ...one, plugin: plugin.name })));
  }

  /** Whether any plugin registered for such changes. */
  concern(event: IncomingEvent): boolean {
    return isWildcard(event) || this.#registered.some((one) => matchesEvent(one.event, event));
  }

  /** Whether this plugin registered for such changes. */
  concernPlugin(plugin: string, event: IncomingEvent): boolean {
    return this.#registered.some((one) => one.plugin === plugin && matchesEvent(one.event, event));
  }

  strategyFor(pod: QueuedPod, change: ClusterChange): Strategy {
    if (hasNoRejector(pod)) return 'afterBackoff';
    if (isWildcard(change.event))
      return change.after === undefined || isSame(pod, change.after) ? 'afterBackoff' : 'skip';
    let strategy: Strategy = 'skip';
    for (const one of this.#registered) {
      if (!isRejector(pod, one.plugin) || !matchesEvent(one.event, change.event) || !hints(one, pod, change)) continue;
      if (pod.pendingPlugins.has(one.plugin)) return 'immediately';
      strategy = 'afterBackoff';
      if (pod.pendingPlugins.size === 0) return strategy;
    }
    return strategy;
  }
}

/** If a plugin registers no events, any change may help a pod that it refused. */
function eventsOf(plugin: Plugin): readonly ClusterEventWithHint[] {
  if (plugin.eventsToRegister !== undefined) return plugin.eventsToRegister();
  const { preEnqueue, preFilter, filter, reserve, permit } = plugin;
  const refuses = [preEnqueue, preFilter, filter, reserve, permit].some((member) => member !== undefined);
  return refuses ? [{ event: { resource: '*', actions: ['Add', 'Update', 'Delete'] } }] : [];
}

const isRejector = ({ unschedulablePlugins, pendingPlugins }: QueuedPod, plugin: string): boolean =>
  unschedulablePlugins.has(plugin) || pendingPlugins.has(plugin);

const isSame = ({ podInfo }: QueuedPod, object: JsonObject): boolean => uidOf(object) === podInfo.uid;

/** A hint that throws counts as a hint to queue the pod. */
function hints({ hint }: Registered, { podInfo }: QueuedPod, { before, after }: ClusterChange): boolean {
  if (hint === undefined) return true;
  try {
    return hint(podInfo.pod, defined({ before, after }));
  } catch {
    return true;
  }
}
