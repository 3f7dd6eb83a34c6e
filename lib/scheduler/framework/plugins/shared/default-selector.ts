import type { LabelSelector as ApiLabelSelector } from '#lib/api/types/meta.v1.ts';
import { EVERYTHING, type LabelSelector, matches, selectorFromSet } from '#lib/machinery/labels/selector.ts';
import { controllerOf } from '#lib/machinery/meta.ts';
import { parseLabelSelector } from '#lib/server/registry/kinds/shared/label-selector.ts';
import type { Handle } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';

/** A selector for the pods of the pod's services and controller; matches every pod if it has neither. */
export function defaultSelector(pod: PodInfo, lister: Handle['lister']): LabelSelector {
  const sets = Array.from(lister('services').list(pod.namespace), ({ spec }) => spec.selector);
  const set: Record<string, string> = Object.assign({}, ...sets.filter((one) => selectsPod(one, pod)));
  const { apiVersion, kind, name = '' } = controllerOf(pod.pod) ?? {};
  switch (`${apiVersion} ${kind}`) {
    case 'v1 ReplicationController':
      return selectorFromSet({ ...set, ...lister('replicationcontrollers').get(pod.namespace, name)?.spec.selector });
    case 'apps/v1 ReplicaSet':
      return withOwner(set, lister('replicasets').get(pod.namespace, name)?.spec);
    case 'apps/v1 StatefulSet':
      return withOwner(set, lister('statefulsets').get(pod.namespace, name)?.spec);
    default:
      return both(selectorFromSet(set), EVERYTHING);
  }
}

const withOwner = (
  set: Record<string, string>,
  spec: { selector: ApiLabelSelector | null } | undefined,
): LabelSelector =>
  both(selectorFromSet(set), spec === undefined ? EVERYTHING : parseLabelSelector(spec.selector ?? undefined));

/** A service without a selector selects no pods. */
const selectsPod = (selector: Record<string, string> | undefined, pod: PodInfo): boolean =>
  selector !== undefined && matches(selectorFromSet(selector), pod.labels);

/** The intersection of two selectors. Ignores a second one that is absent or selects no pods. */
export function both(selector: LabelSelector, other: LabelSelector | undefined): LabelSelector {
  if (other === undefined || other.nothing === true) return selector;
  return { requirements: [...selector.requirements, ...other.requirements] };
}
