import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { podValidationOptions } from '../core/pod/options.ts';
import { validatePodTemplateSpec } from '../core/pod/validation/template.ts';
import { runsForever, templateMatches } from '../shared/controller-template.ts';
import { parseLabelSelector, shownSelector, validateOwnSelector } from '../shared/label-selector.ts';

/** Selector and template of deployments and replica sets. Upstream's texts speak of the former in both. */
export function validateReplicatedTemplate(
  spec: JsonObject,
  oldSpec: JsonObject | undefined,
  path: FieldPath,
): FieldError[] {
  const selector = objectAt(spec, 'selector');
  const errors = validateOwnSelector(selector, path.child('selector'), 'deployment');
  const parsed = parseLabelSelector(selector);
  if (parsed === undefined) {
    return [...errors, invalid(path.child('selector'), shownSelector(selector), 'invalid label selector')];
  }
  const template = objectAt(spec, 'template') ?? {};
  const where = path.child('template');
  return [
    ...errors,
    ...templateMatches(template, parsed, where),
    ...validatePodTemplateSpec(template, where, podValidationOptions(objectAt(oldSpec, 'template'), false)),
    ...runsForever(template, where, 'ReplicaSet'),
  ];
}
