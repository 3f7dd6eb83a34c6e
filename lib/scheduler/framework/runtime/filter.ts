import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { Steps } from '#lib/machinery/steps.ts';
import type { CycleState } from '../cycle-state.ts';
import type { NodeInfo } from '../node-info.ts';
import type { PodInfo } from '../pod-info.ts';
import { errorStatus, isRejected, messageOf, type Outcome, type Status, withPlugin } from '../status.ts';
import type { ExtensionPoints, With } from './extension-points.ts';
import { runAddPod } from './pre-filter.ts';

/** Returns the first refusal with its plugin. Pauses whenever a plugin does. */
export function* runFilterPlugins(
  plugins: ExtensionPoints['filter'],
  state: CycleState,
  pod: PodInfo,
  node: NodeInfo,
): Steps<Outcome> {
  for (const plugin of plugins) {
    if (state.skipFilter.has(plugin.name)) continue;
    const steps = plugin.filterSteps?.(state, pod, node);
    const status = steps === undefined ? outcomeOn(plugin, state, pod, node) : yield* outcomeOfSteps(steps);
    if (status !== undefined) return refusalBy(plugin.name, status);
  }
  return undefined;
}

/** Like `runFilterPlugins`, but for plugins that do not pause and are not skipped. */
export function filterWithAll(
  plugins: ExtensionPoints['filter'],
  state: CycleState,
  pod: PodInfo,
  node: NodeInfo,
): Outcome {
  for (const plugin of plugins) {
    const status = outcomeOn(plugin, state, pod, node);
    if (status !== undefined) return refusalBy(plugin.name, status);
  }
  return undefined;
}

/** Like `outcomeOf`, without a closure for each node. */
function outcomeOn(plugin: With<'filter'>, state: CycleState, pod: PodInfo, node: NodeInfo): Outcome {
  try {
    return plugin.filter(state, pod, node);
  } catch (error) {
    return errorStatus(messageOfError(error));
  }
}

const refusalBy = (plugin: string, status: Status): Status =>
  isRejected(status)
    ? withPlugin(status, plugin)
    : errorStatus(`running ${quote(plugin)} filter plugin: ${messageOf(status)}`, plugin);

/** A filter that throws has failed, even between pauses. */
function* outcomeOfSteps(steps: Steps<Outcome>): Steps<Outcome> {
  try {
    return yield* steps;
  } catch (error) {
    return errorStatus(messageOfError(error));
  }
}

/**
 * Filters with the nominated pods of equal or higher priority on the node, and then without them. The pod must fit in both cases. Resources
 * and anti-affinity are more likely to fail with them, affinity without them.
 */
export function* runFilterPluginsWithNominatedPods(
  points: Pick<ExtensionPoints, 'preFilter' | 'filter'>,
  nominated: readonly PodInfo[],
  { state, pod, node }: { readonly state: CycleState; readonly pod: PodInfo; readonly node: NodeInfo },
): Steps<Outcome> {
  const others = nominated.filter(({ priority, uid }) => priority >= pod.priority && uid !== pod.uid);
  if (others.length > 0) {
    const [supposedState, supposedNode] = [state.clone(), node.clone()];
    for (const other of others) {
      supposedNode.addPod(other);
      const fault = runAddPod(points.preFilter, { state: supposedState, pod, other, node: supposedNode });
      if (fault !== undefined) return fault;
    }
    const status = yield* runFilterPlugins(points.filter, supposedState, pod, supposedNode);
    if (status !== undefined) return status;
  }
  return yield* runFilterPlugins(points.filter, state, pod, node);
}
