import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { conditionsOf, timeOf } from '../workload/conditions.ts';
import { isReady } from '../workload/pod.ts';
import { readyOf } from './health.ts';

/**
 * The status of a pod whose node is lost or not ready: it is not ready either. Undefined where it is not, or where a node that
 * still speaks said so since.
 */
export function notReady(pod: JsonObject, node: JsonObject, now: number): JsonObject | undefined {
  if (!isReady(pod)) return undefined;
  const conditions = conditionsOf(pod);
  const ready = conditions.find((one) => text(one, 'type') === 'Ready');
  const since = (condition: JsonObject | undefined): number => Date.parse(text(condition, 'lastTransitionTime')) || 0;
  if (text(readyOf(node), 'status') !== 'Unknown' && since(ready) > since(readyOf(node))) return undefined;
  const changed = conditions.map((one) =>
    one === ready ? { ...one, status: 'False', lastTransitionTime: timeOf(now) } : one,
  );
  return { ...objectAt(pod, 'status'), conditions: changed };
}
