import { internalForm } from '#lib/api/internal-form.ts';
import type { EphemeralContainer, Pod } from '#lib/api/types/core.v1.ts';
import { isMirrorPod } from '#lib/helpers/component-helpers/pod/mirror.ts';
import { quote } from '#lib/machinery/go.ts';
import { type Json } from '#lib/machinery/json-value.ts';
import { type FieldError, FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import { semanticEqual } from '../../../shared/semantic.ts';
import { unifiedDiff } from '../../../shared/unified-diff.ts';
import type { PodValidationOptions } from './options.ts';
import { validatePod } from './pod.ts';
import { validateAnnotationUpdate } from './update.ts';

const PATH = FieldPath.of('spec', 'ephemeralContainers');

const shown = (container: EphemeralContainer): Json => internalForm('core.v1.EphemeralContainer', container);

/** Upstream's ValidatePodEphemeralContainersUpdate: ephemeral containers can only be added. */
export function validateEphemeralContainersUpdate(pod: Pod, old: Pod, options: PodValidationOptions): FieldError[] {
  if (isMirrorPod(old)) {
    return [forbidden('[]', 'static pods do not support ephemeral containers')];
  }
  const now = new Map((pod.spec.ephemeralContainers ?? []).map((one) => [one.name, one]));
  const changed = (old.spec.ephemeralContainers ?? []).flatMap((container) => {
    const { name } = container;
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
