import type { PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import { validateLabels } from '#lib/machinery/validation/labels.ts';
import { validateAnnotations } from '#lib/machinery/validation/object-meta.ts';
import { validatePodAnnotations } from './annotations.ts';
import type { PodValidationOptions } from './options.ts';
import { validateProfileAnnotations } from './profile-annotations.ts';
import { validatePodSpec } from './spec.ts';

/** Upstream's ValidatePodTemplateSpec: errors of labels and annotations are at the template's path. */
export function validatePodTemplateSpec(
  { metadata, spec }: PodTemplateSpec,
  path: FieldPath,
  options: PodValidationOptions,
): FieldError[] {
  const annotations = path.child('annotations');
  return [
    ...validateLabels(metadata.labels, path.child('labels')),
    ...validateAnnotations(metadata.annotations, annotations),
    ...validatePodAnnotations(metadata, spec, annotations, options),
    ...validatePodSpec(spec, undefined, path.child('spec'), options),
    ...validateProfileAnnotations(metadata, spec, path.child('spec')),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden(path.child('spec', 'ephemeralContainers'), 'ephemeral containers not allowed in pod template')]
      : []),
  ];
}
