import type { DeploymentSpec, ReplicaSetSpec } from '#lib/api/types/apps.v1.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { podValidationOptions } from '../core/pod/options.ts';
import { validatePodTemplateSpec } from '../core/pod/validation/template.ts';
import { runsForever, templateMatches } from '../shared/controller-template.ts';
import { parseLabelSelector, shownSelector, validateOwnSelector } from '../shared/label-selector.ts';

/** Validates selector and template of deployments and replica sets. Upstream's messages name deployments for both. */
export function validateReplicatedTemplate(
  spec: DeploymentSpec | ReplicaSetSpec,
  oldSpec: DeploymentSpec | ReplicaSetSpec | undefined,
  path: FieldPath,
): FieldError[] {
  const selector = spec.selector ?? undefined;
  const errors = validateOwnSelector(selector, path.child('selector'), 'deployment');
  const parsed = parseLabelSelector(selector);
  if (parsed === undefined) {
    return [...errors, invalid(path.child('selector'), shownSelector(selector), 'invalid label selector')];
  }
  const { template } = spec;
  const where = path.child('template');
  return [
    ...errors,
    ...templateMatches(template, parsed, where),
    ...validatePodTemplateSpec(template, where, podValidationOptions(oldSpec?.template, false)),
    ...runsForever(template, where, 'ReplicaSet'),
  ];
}
