import { clone, objectAt, ownField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, ensure, items, text } from '#lib/machinery/unstructured.ts';
import type { UpdateStrategy } from '../../../strategy.ts';
import { semanticEqual } from '../../shared/semantic.ts';
import { keepField } from '../../shared/status.ts';
import { dropDisabledFields } from './dropped-fields.ts';
import { podValidationOptions } from './options.ts';
import { validateEphemeralContainersUpdate } from './validation/ephemeral-update.ts';
import { validateResize } from './validation/resize.ts';
import { validateStatusUpdate } from './validation/status.ts';
import { generationOf } from './warnings.ts';

/** Kubelets write status; some old ones corrupt owner references and forget the quality of service. */
export const statusStrategy: UpdateStrategy = {
  prepareForUpdate(pod, old) {
    keepField(pod, old, 'spec');
    const metadata = ensure(pod, 'metadata');
    delete metadata['deletionTimestamp'];
    keepField(metadata, objectAt(old, 'metadata') ?? {}, 'ownerReferences');
    const status = ensure(pod, 'status');
    const before = objectAt(old, 'status');
    if (text(status, 'qosClass') === '' && text(before, 'qosClass') !== '')
      status['qosClass'] = text(before, 'qosClass');
    keepObservedGenerations(status, before);
  },
  validateUpdate: (pod, old) => validateStatusUpdate(pod, old, podValidationOptions(old, true)),
};

/** Clients that do not know `observedGeneration` do not clear it. Conditions of one type are matched in order. */
function keepObservedGenerations(status: JsonObject, before: JsonObject | undefined): void {
  const keep = (target: JsonObject, source: JsonObject | undefined): void => {
    const old = ownField(source, 'observedGeneration');
    if (count(target, 'observedGeneration') === 0 && old !== undefined) target['observedGeneration'] = old;
  };
  keep(status, before);
  const rest = [...items(before, 'conditions')];
  for (const condition of items(status, 'conditions')) {
    const i = rest.findIndex((other) => text(other, 'type') === text(condition, 'type'));
    if (i >= 0) keep(condition, rest.splice(i, 1)[0]);
  }
}

/** Of the metadata only what upstream lets a status write change: nothing but managed fields and the version. */
function keepMetadata(pod: JsonObject, old: JsonObject): void {
  const metadata = ensure(pod, 'metadata');
  const kept = clone(objectAt(old, 'metadata') ?? {});
  for (const field of ['managedFields', 'resourceVersion']) {
    const value = ownField(metadata, field);
    if (value !== undefined) kept[field] = value;
  }
  pod['metadata'] = kept;
}

function bumpGeneration(pod: JsonObject, old: JsonObject): void {
  if (semanticEqual(objectAt(pod, 'spec'), objectAt(old, 'spec'))) return;
  ensure(pod, 'metadata')['generation'] = generationOf(old) + 1;
}

/** Everything but the ephemeral containers stays. */
export const ephemeralContainersStrategy: UpdateStrategy = {
  prepareForUpdate(pod, old) {
    const containers = ownField(objectAt(pod, 'spec'), 'ephemeralContainers');
    for (const field of ['spec', 'status']) keepField(pod, old, field);
    keepMetadata(pod, old);
    const spec = ensure(pod, 'spec');
    if (containers === undefined) delete spec['ephemeralContainers'];
    else spec['ephemeralContainers'] = containers;
    dropDisabledFields(spec, objectAt(old, 'spec'));
    bumpGeneration(pod, old);
  },
  validateUpdate: (pod, old) => validateEphemeralContainersUpdate(pod, old, podValidationOptions(old, true)),
};

const LISTS = ['containers', 'initContainers'];

/** Everything but resources and resize policies stays. Containers that are renamed or counted anew are left for validation. */
export const resizeStrategy: UpdateStrategy = {
  prepareForUpdate(pod, old) {
    const spec = clone(objectAt(pod, 'spec') ?? {});
    const oldSpec = objectAt(old, 'spec') ?? {};
    if (LISTS.some((list) => items(spec, list).length !== items(oldSpec, list).length)) return;
    for (const field of ['spec', 'status']) keepField(pod, old, field);
    keepMetadata(pod, old);
    const resized = ensure(pod, 'spec');
    keepField(resized, spec, 'resources');
    for (const list of LISTS) resizeContainers(resized, spec, list);
    bumpGeneration(pod, old);
  },
  validateUpdate: (pod, old) => validateResize(pod, old, podValidationOptions(old, true)),
};

function resizeContainers(spec: JsonObject, wanted: JsonObject, list: string): void {
  const containers = items(spec, list);
  const changed = items(wanted, list);
  if (containers.length === 0) return;
  const renamed = containers.some((container, i) => text(container, 'name') !== text(changed[i], 'name'));
  if (renamed) {
    spec[list] = clone<Json>(changed);
    return;
  }
  for (const [i, container] of containers.entries()) {
    for (const field of ['resources', 'resizePolicy']) keepField(container, changed[i] ?? {}, field);
  }
}
