import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden, type FieldError } from '#lib/machinery/validation/field.ts';
import { each } from '../../../shared/validate.ts';
import type { PodValidationOptions } from './options.ts';
import { validatePodAnnotations } from './annotations.ts';
import { validateImageTrimmed } from './container.ts';
import { validateProfileAnnotations } from './profile-annotations.ts';
import { validatePodSpec } from './spec.ts';

const SPEC = FieldPath.of('spec');
const GATED = 'cannot be set until all schedulingGates have been cleared';

/** Upstream's ValidatePodCreate, generic metadata apart. */
export function validatePodCreate(pod: JsonObject, options: PodValidationOptions): FieldError[] {
  const spec = objectAt(pod, 'spec') ?? {};
  const gated = text(spec, 'nodeName') !== '' && items(spec, 'schedulingGates').length > 0;
  return [
    ...validatePod(pod, options),
    ...(items(spec, 'ephemeralContainers').length > 0
      ? [forbidden(SPEC.child('ephemeralContainers'), 'cannot be set on create')]
      : []),
    ...(gated ? [forbidden(SPEC.child('nodeName'), GATED)] : []),
    ...validateProfileAnnotations(objectAt(pod, 'metadata'), spec, SPEC),
  ];
}

/** What every pod must be, new or stored: its annotations and its spec, with the rules that templates are spared. */
export function validatePod(pod: JsonObject, options: PodValidationOptions): FieldError[] {
  const metadata = objectAt(pod, 'metadata') ?? {};
  const spec = objectAt(pod, 'spec') ?? {};
  return [
    ...validatePodAnnotations(metadata, spec, FieldPath.of('metadata', 'annotations'), options),
    ...validatePodSpec(spec, metadata, SPEC, options),
    ...(text(spec, 'serviceAccountName') === '' ? tokensWithoutAccount(spec) : []),
    ...['containers', 'initContainers'].flatMap((list) =>
      each(items(spec, list), SPEC.child(list), validateImageTrimmed),
    ),
  ];
}

function tokensWithoutAccount(spec: JsonObject): FieldError[] {
  return each(items(spec, 'volumes'), SPEC.child('volumes'), (volume, at) =>
    each(items(objectAt(volume, 'projected'), 'sources'), at.child('projected', 'sources'), (source, where) =>
      has(source, 'serviceAccountToken')
        ? [forbidden(where.child('serviceAccountToken'), 'must not be specified when serviceAccountName is not set')]
        : [],
    ),
  );
}
