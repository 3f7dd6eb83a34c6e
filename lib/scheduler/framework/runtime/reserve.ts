import { quote } from '#lib/machinery/go.ts';
import type { CycleState } from '../cycle-state.ts';
import type { PodInfo } from '../pod-info.ts';
import { errorStatus, isRejected, messageOf, type Outcome, outcomeOf, withPlugin } from '../status.ts';
import type { ExtensionPoints } from './extension-points.ts';

/** A pod and the node that was chosen for it. */
export interface Placed {
  readonly state: CycleState;
  readonly pod: PodInfo;
  readonly nodeName: string;
}

/** The first refusal ends the run. The caller then unreserves the pod. */
export function runReservePlugins(plugins: ExtensionPoints['reserve'], { state, pod, nodeName }: Placed): Outcome {
  for (const plugin of plugins) {
    const status = outcomeOf(() => plugin.reserve(state, pod, nodeName));
    if (status === undefined) continue;
    if (isRejected(status)) return withPlugin(status, plugin.name);
    return errorStatus(`running Reserve plugin ${quote(plugin.name)}: ${messageOf(status)}`);
  }
  return undefined;
}

/** Runs Unreserve of all plugins in reverse order. */
export function runUnreserve(plugins: ExtensionPoints['reserve'], { state, pod, nodeName }: Placed): void {
  for (const plugin of plugins.toReversed()) plugin.unreserve?.(state, pod, nodeName);
}
