import { internalForm } from '#lib/api/internal-form.ts';
import { objectAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { quote } from '#lib/machinery/go.ts';
import { at, has, items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden, type FieldError } from '#lib/machinery/validation/field.ts';
import { semanticEqual } from '../../../shared/semantic.ts';
import { unifiedDiff } from '../../../shared/unified-diff.ts';
import { MIRROR_POD } from './annotations.ts';
import type { PodValidationOptions } from './options.ts';
import { validatePod } from './pod.ts';
import { validateAnnotationUpdate } from './update.ts';

const PATH = FieldPath.of('spec', 'ephemeralContainers');

/** Ephemeral containers are only ever added. */
const shown = (container: JsonObject): Json => internalForm('core.v1.EphemeralContainer', container);

export function validateEphemeralContainersUpdate(
  pod: JsonObject,
  old: JsonObject,
  options: PodValidationOptions,
): FieldError[] {
  if (has(at(old, 'metadata', 'annotations'), MIRROR_POD)) {
    return [forbidden('[]', 'static pods do not support ephemeral containers')];
  }
  const now = new Map(items(objectAt(pod, 'spec'), 'ephemeralContainers').map((one) => [text(one, 'name'), one]));
  const changed = items(objectAt(old, 'spec'), 'ephemeralContainers').flatMap((container) => {
    const name = text(container, 'name');
    const next = now.get(name);
    if (next === undefined) {
      return [forbidden(PATH, `existing ephemeral containers ${quote(name)} may not be removed\n`)];
    }
    if (semanticEqual(next, container)) return [];
    const diff = unifiedDiff(shown(container), shown(next));
    return [forbidden(PATH, `existing ephemeral containers ${quote(name)} may not be changed\n${diff}`)];
  });
  return [...validatePod(pod, options), ...validateAnnotationUpdate(pod, old, options), ...changed];
}
