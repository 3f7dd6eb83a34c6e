import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf, metadataOf, nameOf } from '#lib/machinery/meta.ts';
import { at, count, items, text } from '#lib/machinery/unstructured.ts';
import { REVISION_LABEL } from '../history/revision.ts';
import { podOf } from '../workload/pod-of.ts';

const NAME_LABEL = 'statefulset.kubernetes.io/pod-name';
const INDEX_LABEL = 'apps.kubernetes.io/pod-index';
const MOST = 0x7fffffff;

/** The number in a pod's name; undefined where the name is not one of this set. */
export function ordinalOf(set: JsonObject, pod: JsonObject): number | undefined {
  const [, parent, digits = ''] = /^(.*)-(\d+)$/.exec(nameOf(pod)) ?? [];
  return parent === nameOf(set) && Number(digits) <= MOST ? Number(digits) : undefined;
}

export const startOf = (set: JsonObject): number => Number(count(at(set, 'spec', 'ordinals'), 'start'));

export const podName = (set: JsonObject, ordinal: number): string => `${nameOf(set)}-${ordinal}`;

export const claimName = (set: JsonObject, template: JsonObject, ordinal: number): string =>
  `${nameOf(template)}-${podName(set, ordinal)}`;

export const claimTemplates = (set: JsonObject): readonly JsonObject[] =>
  items(objectAt(set, 'spec'), 'volumeClaimTemplates');

/** The name of the revision that a pod is of. */
export const revisionNameOf = (pod: JsonObject): string => labelsOf(pod)[REVISION_LABEL] ?? '';

/** A pod of the set: its name, its place in the network and its claims stay the same whichever pod it is. */
export function newPod(set: JsonObject, reference: JsonObject, revision: string, ordinal: number): JsonObject {
  const pod = podOf(set, reference);
  const metadata = { ...metadataOf(pod), name: podName(set, ordinal) };
  const spec = {
    ...objectAt(pod, 'spec'),
    hostname: metadata.name,
    subdomain: text(objectAt(set, 'spec'), 'serviceName'),
  };
  const labels = { ...labelsOf(pod), [REVISION_LABEL]: revision };
  return conforming(set, { ...pod, metadata: { ...metadata, labels }, spec }, ordinal);
}

/** The pod with the labels and volumes of its ordinal. */
export function conforming(set: JsonObject, pod: JsonObject, ordinal: number): JsonObject {
  const identity = { [NAME_LABEL]: podName(set, ordinal), [INDEX_LABEL]: String(ordinal) };
  const metadata = { ...metadataOf(pod), labels: { ...labelsOf(pod), ...identity } };
  const spec = objectAt(pod, 'spec');
  const templates = claimTemplates(set);
  if (templates.length === 0) return { ...pod, metadata };
  const names = new Set(templates.map(nameOf));
  const volumes = templates.map((template): JsonObject => {
    const persistentVolumeClaim = { claimName: claimName(set, template, ordinal) };
    return { name: nameOf(template), persistentVolumeClaim };
  });
  const others = items(spec, 'volumes').filter((one) => !names.has(text(one, 'name')));
  return { ...pod, metadata, spec: { ...spec, volumes: [...volumes, ...others] } };
}

/** Whether a pod that is there, maybe adopted, has the label and the volumes that a pod of the set has. */
export function conforms(set: JsonObject, pod: JsonObject, ordinal: number): boolean {
  if (labelsOf(pod)[NAME_LABEL] !== podName(set, ordinal)) return false;
  const volumes = new Map(items(objectAt(pod, 'spec'), 'volumes').map((one) => [text(one, 'name'), one]));
  return claimTemplates(set).every((template) => {
    const source = objectAt(volumes.get(nameOf(template)), 'persistentVolumeClaim');
    return text(source, 'claimName') === claimName(set, template, ordinal);
  });
}
