import type { StatefulSet } from '#lib/api/types/apps.v1.ts';
import type { PersistentVolumeClaim, Pod, Volume } from '#lib/api/types/core.v1.ts';
import type { OwnerReference } from '#lib/api/types/meta.v1.ts';
import { MAX_INT32 } from '#lib/machinery/integer-limits.ts';
import { labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { REVISION_LABEL } from '../history/revision.ts';
import { type NewPod, podOf } from '../workload/pod-of.ts';

const NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
const INDEX_LABEL = 'apps.kubernetes.io/pod-index';

/** The ordinal in a pod's name. Undefined if the name does not belong to this set. */
export function ordinalOf(set: StatefulSet, pod: Pod): number | undefined {
  const [, parent, digits = ''] = /^(.*)-(\d+)$/.exec(nameOf(pod)) ?? [];
  return parent === nameOf(set) && Number(digits) <= MAX_INT32 ? Number(digits) : undefined;
}

/** The first ordinal of a set. */
export const startOf = ({ spec }: StatefulSet): number => spec.ordinals?.start ?? 0;

/** The name of the set's pod with this ordinal. */
export const podName = (set: StatefulSet, ordinal: number): string => `${nameOf(set)}-${ordinal}`;

/** The name of an ordinal's claim from a template. */
export const claimName = (set: StatefulSet, template: PersistentVolumeClaim, ordinal: number): string =>
  `${nameOf(template)}-${podName(set, ordinal)}`;

/** The templates of a set's claims. */
export const claimTemplates = ({ spec }: StatefulSet): readonly PersistentVolumeClaim[] =>
  spec.volumeClaimTemplates ?? [];

/** The name of a pod's revision. */
export const revisionNameOf = (pod: Pod): string => labelsOf(pod)[REVISION_LABEL] ?? '';

/** A pod of the set. Its name, network identity and claims survive its replacement. */
export function newPod(set: StatefulSet, reference: OwnerReference, revision: string, ordinal: number): NewPod {
  const pod = podOf(set, reference);
  const metadata = { ...pod.metadata, name: podName(set, ordinal) };
  const spec = { ...pod.spec, hostname: metadata.name, subdomain: set.spec.serviceName };
  const labels = { ...labelsOf(pod), [REVISION_LABEL]: revision };
  return conforming(set, { ...pod, metadata: { ...metadata, labels }, spec }, ordinal);
}

/** The pod with the labels and volumes of its ordinal. */
export function conforming<P extends NewPod>(set: StatefulSet, pod: P, ordinal: number): P {
  const identity = { [NAME_LABEL]: podName(set, ordinal), [INDEX_LABEL]: String(ordinal) };
  const metadata = { ...pod.metadata, labels: { ...labelsOf(pod), ...identity } };
  const templates = claimTemplates(set);
  if (templates.length === 0) return { ...pod, metadata };
  const names = new Set(templates.map(nameOf));
  const volumes = templates.map((template): Volume => {
    const persistentVolumeClaim = { claimName: claimName(set, template, ordinal) };
    return { name: nameOf(template), persistentVolumeClaim };
  });
  const others = (pod.spec.volumes ?? []).filter(({ name }) => !names.has(name));
  return { ...pod, metadata, spec: { ...pod.spec, volumes: [...volumes, ...others] } };
}

/** Whether an existing, perhaps adopted, pod has the labels and volumes that a pod of the set should have. */
export function conforms(set: StatefulSet, pod: Pod, ordinal: number): boolean {
  if (labelsOf(pod)[NAME_LABEL] !== podName(set, ordinal)) return false;
  const volumes = new Map((pod.spec.volumes ?? []).map((one) => [one.name, one]));
  return claimTemplates(set).every((template) => {
    const source = volumes.get(nameOf(template))?.persistentVolumeClaim;
    return source?.claimName === claimName(set, template, ordinal);
  });
}
