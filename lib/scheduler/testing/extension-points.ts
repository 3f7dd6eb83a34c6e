import type { JsonObject } from '#lib/machinery/json-value.ts';
import { CycleState } from '../framework/cycle-state.ts';
import type { Action, EventResource } from '../framework/events.ts';
import type { NodeScore, Plugin } from '../framework/interface.ts';
import type { NodeInfo } from '../framework/node-info.ts';
import { podInfoOf } from '../framework/pod-info-of.ts';
import type { Outcome, Status } from '../framework/status.ts';

/** What the plugin says of one node, PreFilter first. `Skip` where it has nothing to look at. */
export function filterOn(plugin: Plugin, pod: JsonObject, node: NodeInfo): Outcome {
  const [state, info] = [new CycleState(), podInfoOf(pod)];
  const { status, result } = plugin.preFilter?.(state, info, [node]) ?? {};
  if (status !== undefined) return status;
  if (result !== undefined && !result.nodeNames.has(node.name)) throw new Error(`${node.name} is not among the nodes`);
  return plugin.filter?.(state, info, node);
}

/** The nodes' scores, normalized where the plugin does that. A status where it has none to give. */
export function scoresOn(plugin: Plugin, pod: JsonObject, nodes: readonly NodeInfo[]): number[] | Status {
  const [state, info] = [new CycleState(), podInfoOf(pod)];
  const prepared = plugin.preScore?.(state, info, nodes);
  if (prepared !== undefined) return prepared;
  const scores = nodes.map((node): NodeScore => {
    const score = plugin.score?.(state, info, node);
    if (typeof score !== 'number') throw new Error(`${plugin.name} gives no score: ${JSON.stringify(score)}`);
    return { name: node.name, score };
  });
  plugin.normalizeScore?.(state, info, scores);
  return scores.map(({ score }) => score);
}

/** Whether the plugin has the pod tried again on this change. Throws where it is not told of such. */
export function isQueuedOn(
  plugin: Plugin,
  [resource, action]: readonly [EventResource, Action],
  pod: JsonObject,
  change: { readonly before?: JsonObject; readonly after?: JsonObject },
): boolean {
  const registered = plugin
    .eventsToRegister?.()
    .find(({ event }) => event.resource === resource && event.actions.includes(action));
  if (registered === undefined) throw new Error(`${plugin.name} is not told of ${resource} ${action}`);
  return registered.hint?.(pod, change) ?? true;
}
