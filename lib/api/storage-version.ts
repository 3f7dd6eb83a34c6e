import type { GroupVersionKind } from '#lib/machinery/schema.ts';

/** Served kinds that are stored in another version: upstream's storage versions. */
const STORES: Readonly<Record<string, GroupVersionKind>> = {
  'autoscaling/v1/HorizontalPodAutoscaler': { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
  'events.k8s.io/v1/Event': { group: '', version: 'v1', kind: 'Event' },
};

/** The version in which a kind is stored. Most served kinds are stored in their own version. */
export function storageVersion(gvk: GroupVersionKind): GroupVersionKind {
  return STORES[`${gvk.group}/${gvk.version}/${gvk.kind}`] ?? gvk;
}
