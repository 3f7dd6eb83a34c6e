import type { GroupVersionKind } from '#lib/machinery/schema.ts';

/** Served kinds that are views of another version's store: upstream's storage versions. */
const STORES: Readonly<Record<string, GroupVersionKind>> = {
  'autoscaling/v1/HorizontalPodAutoscaler': { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
  'events.k8s.io/v1/Event': { group: '', version: 'v1', kind: 'Event' },
};

/** The version in which a kind is kept; most served kinds are kept as they are. */
export function storageVersion(gvk: GroupVersionKind): GroupVersionKind {
  return STORES[`${gvk.group}/${gvk.version}/${gvk.kind}`] ?? gvk;
}
