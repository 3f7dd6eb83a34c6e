import type { Node, Taint, Toleration } from '#lib/api/types/core.v1.ts';
import type { Json } from '#lib/machinery/json-value.ts';

/** The fields of a toleration and a taint that are compared. An absent field counts as empty. */
type Compared<F extends 'key' | 'operator' | 'value' | 'effect'> = { readonly [K in F]?: Json };

/** The taints of a node. */
export const taintsOf = ({ spec }: Node): readonly Taint[] => spec.taints ?? [];

/** Whether a toleration of a pod or device request matches the taint: upstream's ToleratesTaint. */
export function tolerates(
  { key = '', effect = '', operator = '', value = '' }: Compared<'key' | 'operator' | 'value' | 'effect'>,
  taint: Compared<'key' | 'value' | 'effect'>,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return (operator === '' || operator === 'Equal') && value === (taint.value ?? '');
}

/** Upstream's TolerationsTolerateTaint. */
export const tolerated = (taint: Taint, tolerations: readonly Toleration[]): boolean =>
  tolerations.some((one) => tolerates(one, taint));

/** The first of the node's taints with one of these effects that is not tolerated: upstream's FindMatchingUntoleratedTaint. */
export function findUntoleratedTaint(
  node: Node,
  tolerations: readonly Toleration[],
  effects: readonly string[],
): Taint | undefined {
  return taintsOf(node).find((taint) => effects.includes(taint.effect) && !tolerated(taint, tolerations));
}
