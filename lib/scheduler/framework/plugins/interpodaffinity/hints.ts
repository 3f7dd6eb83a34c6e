import type { Node, Pod } from '#lib/api/types/core.v1.ts';
import { labelsOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { ObjectChange } from '../../events.ts';
import { isPlaced } from '../../places.ts';
import type { AffinityTerm } from '../../pod-info.ts';
import { matchesAll, matchesTerm, type Subject } from './terms.ts';

/** The required terms of a pod, with namespaces resolved to names. */
export interface Terms {
  readonly affinity: readonly AffinityTerm[];
  readonly antiAffinity: readonly AffinityTerm[];
}

const subject = (pod: Pod): Subject => ({ namespace: namespaceOf(pod), labels: labelsOf(pod) });

/** Whether a change of another pod, or of the pod's own labels, may satisfy its terms or the terms of other pods. */
export function podChangeHelps(pod: Pod, { before, after }: ObjectChange<Pod>, termsOf: (pod: Pod) => Terms): boolean {
  if (before !== undefined && after !== undefined && uidOf(pod) === uidOf(after)) return true;
  if ([before, after].some((one) => one !== undefined && !isPlaced(one))) return false;
  const { affinity, antiAffinity } = termsOf(pod);
  const [was, is] = [before, after].map((one) => one && subject(one));
  const isWanted = (one: Subject | undefined): boolean => one !== undefined && matchesAll(affinity, one);
  const isAvoided = (one: Subject | undefined): boolean =>
    one !== undefined && antiAffinity.some((term) => matchesTerm(term, one));
  if ((!isWanted(was) && isWanted(is)) || (isAvoided(was) && !isAvoided(is))) return true;
  if (before === undefined || after !== undefined) return false;
  return termsOf(before).antiAffinity.some((term) => matchesTerm(term, subject(pod)));
}

/** Whether an added or changed node may satisfy the pod's terms. */
export function nodeChangeHelps({ before, after }: ObjectChange<Node>, { affinity, antiAffinity }: Terms): boolean {
  const [old, now] = [before, after].map((one) => (one === undefined ? undefined : labelsOf(one)));
  const hasMovedTo = ({ topologyKey: key }: AffinityTerm): boolean =>
    now?.[key] !== undefined && now[key] !== old?.[key];
  // A node without the topology label satisfies anti-affinity.
  const hasLeft = ({ topologyKey: key }: AffinityTerm): boolean =>
    old === undefined || (old[key] !== undefined && old[key] !== now?.[key]);
  return affinity.some(hasMovedTo) || antiAffinity.some(hasLeft);
}
