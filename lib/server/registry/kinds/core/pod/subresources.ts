import type { Pod, PodCondition, PodSpec, PodStatus } from '#lib/api/types/core.v1.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import type { UpdateStrategy } from '../../../strategy.ts';
import { semanticEqual } from '../../shared/semantic.ts';
import { keepField } from '../../shared/status.ts';
import { dropDisabledFields } from './dropped-fields.ts';
import { podValidationOptions } from './options.ts';
import { validateEphemeralContainersUpdate } from './validation/ephemeral-update.ts';
import { validateResize } from './validation/resize.ts';
import { validateStatusUpdate } from './validation/status.ts';

/** The status endpoint, which kubelets use. Some old kubelets corrupt owner references and omit the QoS class. */
export const statusStrategy: UpdateStrategy<Pod> = {
  prepareForUpdate(pod, old) {
    keepField(pod, old, 'spec');
    const { metadata, status } = pod;
    delete metadata.deletionTimestamp;
    keepField(metadata, old.metadata, 'ownerReferences');
    if (old.status.qosClass !== undefined) status.qosClass ||= old.status.qosClass;
    keepObservedGenerations(status, old.status);
  },
  validateUpdate: (pod, old) => validateStatusUpdate(pod, old, podValidationOptions(old, true)),
};

/** Keeps `observedGeneration`, so that clients without that field do not clear it. Conditions of the same type are matched in order. */
function keepObservedGenerations(status: PodStatus, before: PodStatus): void {
  keepObservedGeneration(status, before);
  const rest = [...(before.conditions ?? [])];
  for (const condition of status.conditions ?? []) {
    const i = rest.findIndex(({ type }) => type === condition.type);
    const [matched] = i < 0 ? [] : rest.splice(i, 1);
    if (matched !== undefined) keepObservedGeneration(condition, matched);
  }
}

function keepObservedGeneration<T extends PodStatus | PodCondition>(target: T, { observedGeneration }: T): void {
  if (observedGeneration !== undefined) target.observedGeneration ||= observedGeneration;
}

/** Keeps the metadata like upstream: a write changes only managed fields and the resource version. */
function keepMetadata(pod: Pod, old: Pod): void {
  const { managedFields, resourceVersion } = pod.metadata;
  const kept = clone(old.metadata);
  if (managedFields !== undefined) kept.managedFields = managedFields;
  if (resourceVersion !== undefined) kept.resourceVersion = resourceVersion;
  pod.metadata = kept;
}

function bumpGeneration(pod: Pod, old: Pod): void {
  if (!semanticEqual(pod.spec, old.spec)) pod.metadata.generation = generationOf(old) + 1;
}

/** The ephemeralcontainers subresource. Changes only ephemeral containers. */
export const ephemeralContainersStrategy: UpdateStrategy<Pod> = {
  prepareForUpdate(pod, old) {
    const { ephemeralContainers } = pod.spec;
    keepField(pod, old, 'spec');
    keepField(pod, old, 'status');
    keepMetadata(pod, old);
    if (ephemeralContainers === undefined) delete pod.spec.ephemeralContainers;
    else pod.spec.ephemeralContainers = ephemeralContainers;
    dropDisabledFields(pod.spec, old.spec);
    bumpGeneration(pod, old);
  },
  validateUpdate: (pod, old) => validateEphemeralContainersUpdate(pod, old, podValidationOptions(old, true)),
};

const LISTS = ['containers', 'initContainers'] as const;
type List = (typeof LISTS)[number];

/**
 * The resize subresource. Changes only resources and resize policies. If the number or the names of containers differ, validation rejects
 * the write.
 */
export const resizeStrategy: UpdateStrategy<Pod> = {
  prepareForUpdate(pod, old) {
    const spec = clone(pod.spec);
    if (LISTS.some((list) => (spec[list] ?? []).length !== (old.spec[list] ?? []).length)) return;
    keepField(pod, old, 'spec');
    keepField(pod, old, 'status');
    keepMetadata(pod, old);
    keepField(pod.spec, spec, 'resources');
    for (const list of LISTS) resizeContainers(pod.spec, spec, list);
    bumpGeneration(pod, old);
  },
  validateUpdate: (pod, old) => validateResize(pod, old, podValidationOptions(old, true)),
};

/** Copies the resources of the containers of `wanted` to those of `spec`. Both lists have the same length. */
function resizeContainers(spec: PodSpec, wanted: PodSpec, list: List): void {
  const containers = spec[list] ?? [];
  const changed = wanted[list] ?? [];
  if (containers.length === 0) return;
  if (containers.some(({ name }, i) => name !== changed[i]?.name)) {
    spec[list] = clone(changed);
    return;
  }
  for (const [i, resized] of changed.entries()) {
    const container = containers[i];
    if (container === undefined) continue;
    keepField(container, resized, 'resources');
    keepField(container, resized, 'resizePolicy');
  }
}
