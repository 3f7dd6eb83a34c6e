import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';

export const taintsOf = (node: JsonObject): readonly JsonObject[] => items(objectAt(node, 'spec'), 'taints');

/** Upstream's ToleratesTaint. */
export function tolerates(toleration: JsonObject, taint: JsonObject): boolean {
  const [key, effect, operator] = [text(toleration, 'key'), text(toleration, 'effect'), text(toleration, 'operator')];
  if (effect !== '' && effect !== text(taint, 'effect')) return false;
  if (key !== '' && key !== text(taint, 'key')) return false;
  if (operator === 'Exists') return true;
  return ['', 'Equal'].includes(operator) && text(toleration, 'value') === text(taint, 'value');
}

/** Upstream's TolerationsTolerateTaint. */
export const tolerated = (taint: JsonObject, tolerations: readonly JsonObject[]): boolean =>
  tolerations.some((one) => tolerates(one, taint));

/** The first of the node's taints with one of these effects that is not tolerated: upstream's FindMatchingUntoleratedTaint. */
export function findUntoleratedTaint(
  node: JsonObject,
  tolerations: readonly JsonObject[],
  effects: readonly string[],
): JsonObject | undefined {
  return taintsOf(node).find((taint) => effects.includes(text(taint, 'effect')) && !tolerated(taint, tolerations));
}
