import { has } from '#lib/machinery/unstructured.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { EVERYTHING, matches, selectorFromSet, type LabelSelector } from '#lib/machinery/labels/selector.ts';
import { controllerOf } from '#lib/machinery/meta.ts';
import { parseLabelSelector } from '#lib/registry/kinds/shared/label-selector.ts';
import type { Handle, Listed } from '../../interface.ts';
import type { PodInfo } from '../../pod-info.ts';

const OWNERS = new Map<string, Listed>([
  ['v1 ReplicationController', 'replicationcontrollers'],
  ['apps/v1 ReplicaSet', 'replicasets'],
  ['apps/v1 StatefulSet', 'statefulsets'],
]);

/** Selects the pods that belong with this one: by its services and its controller. Selects everything where it has none. */
export function defaultSelector(pod: PodInfo, lister: Handle['lister']): LabelSelector {
  const services = [...lister('services').list(pod.namespace)].map(specOf).filter((spec) => selectsPod(spec, pod));
  const set: JsonObject = Object.assign({}, ...services.map((spec) => objectAt(spec, 'selector')));
  const owner = controllerOf(pod.pod);
  const resource = OWNERS.get(`${owner?.apiVersion} ${owner?.kind}`);
  const spec = specOf(resource && lister(resource).get(pod.namespace, owner?.name ?? ''));
  if (resource === 'replicationcontrollers') return selectorFromSet({ ...set, ...objectAt(spec, 'selector') });
  return both(selectorFromSet(set), spec === undefined ? EVERYTHING : parseLabelSelector(objectAt(spec, 'selector')));
}

const specOf = (object: JsonObject | undefined): JsonObject | undefined => objectAt(object, 'spec');

/** A service without selector selects nothing. */
const selectsPod = (spec: JsonObject | undefined, pod: PodInfo): boolean =>
  has(spec, 'selector') && matches(selectorFromSet(objectAt(spec, 'selector')), pod.labels);

/** Both hold. A second that is none, or selects nothing, adds nothing. */
export function both(selector: LabelSelector, other: LabelSelector | undefined): LabelSelector {
  if (other === undefined || other.nothing === true) return selector;
  return { requirements: [...selector.requirements, ...other.requirements] };
}
