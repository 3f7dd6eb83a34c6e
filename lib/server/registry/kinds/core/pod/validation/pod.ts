import type { Pod, PodSpec } from '#lib/api/types/core.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { type FieldError, FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import { each } from '../../../shared/validate.ts';
import { validatePodAnnotations } from './annotations.ts';
import { validateImageTrimmed } from './container.ts';
import type { PodValidationOptions } from './options.ts';
import { validateProfileAnnotations } from './profile-annotations.ts';
import { validatePodSpec } from './spec.ts';

const SPEC = FieldPath.of('spec');
const GATED = 'cannot be set until all schedulingGates have been cleared';

/** Upstream's ValidatePodCreate, without generic metadata. */
export function validatePodCreate(pod: Pod, options: PodValidationOptions): FieldError[] {
  const { metadata, spec } = pod;
  const gated = nodeNameOf(pod) !== '' && (spec.schedulingGates ?? []).length > 0;
  return [
    ...validatePod(pod, options),
    ...((spec.ephemeralContainers ?? []).length > 0
      ? [forbidden(SPEC.child('ephemeralContainers'), 'cannot be set on create')]
      : []),
    ...(gated ? [forbidden(SPEC.child('nodeName'), GATED)] : []),
    ...validateProfileAnnotations(metadata, spec, SPEC),
  ];
}

/** Rules for every pod, new or stored: for annotations and spec, including those that do not apply to templates. */
export function validatePod({ metadata, spec }: Pod, options: PodValidationOptions): FieldError[] {
  return [
    ...validatePodAnnotations(metadata, spec, FieldPath.of('metadata', 'annotations'), options),
    ...validatePodSpec(spec, metadata, SPEC, options),
    ...((spec.serviceAccountName ?? '') === '' ? tokensWithoutAccount(spec) : []),
    ...(['containers', 'initContainers'] as const).flatMap((list) =>
      each(spec[list] ?? [], SPEC.child(list), validateImageTrimmed),
    ),
  ];
}

function tokensWithoutAccount(spec: PodSpec): FieldError[] {
  return each(spec.volumes ?? [], SPEC.child('volumes'), ({ projected }, at) =>
    each(projected?.sources ?? [], at.child('projected', 'sources'), ({ serviceAccountToken }, where) =>
      serviceAccountToken !== undefined
        ? [forbidden(where.child('serviceAccountToken'), 'must not be specified when serviceAccountName is not set')]
        : [],
    ),
  );
}
