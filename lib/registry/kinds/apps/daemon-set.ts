import { internalForm } from '#lib/api/internal-form.ts';
import { objectAt, stringAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { at, ensure, text, unlessText } from '#lib/machinery/unstructured.ts';
import { matches } from '#lib/machinery/labels/selector.ts';
import { FieldPath, invalid, notSupported, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import type { KindStrategy } from '../../strategy.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { dropDisabledTemplateFields } from '../core/pod/dropped-fields.ts';
import { podValidationOptions } from '../core/pod/options.ts';
import { validatePodTemplateSpec } from '../core/pod/validation/template.ts';
import { podTemplateWarnings } from '../core/pod/warnings.ts';
import { runsForever } from '../shared/controller-template.ts';
import { amountOf, intOrPercent, notAboveAll, validateIntOrPercent } from '../shared/int-or-percent.ts';
import { hasInvalidValue, notEmpty, parseLabelSelector, shownLabels } from '../shared/label-selector.ts';
import { immutable, internallyEqual } from '../shared/semantic.ts';
import { collisionCountKept, keepField, statusStrategy } from '../shared/status.ts';
import { nonnegative } from '../shared/validate.ts';
import { shownStrategy } from './rolling.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const ROLLING = 'RollingUpdate';
/** Counts the changes of the template; a field of older API versions that lives on as an annotation. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function setDefaults(set: JsonObject): void {
  checkTemplateGeneration(set);
  if (templateGeneration(set) === 0) setTemplateGeneration(set, 0);
  const spec = ensure(set, 'spec');
  defaultPodTemplate(ensure(spec, 'template'));
  const strategy = ensure(spec, 'updateStrategy');
  unlessText(strategy, 'type', ROLLING);
  if (text(strategy, 'type') === ROLLING) {
    const rolling = ensure(strategy, 'rollingUpdate');
    rolling['maxUnavailable'] ??= 1;
    rolling['maxSurge'] ??= 0;
  }
  spec['revisionHistoryLimit'] ??= 10;
}

const template = (set: JsonObject): JsonObject | undefined => at(set, 'spec', 'template');

/** Upstream reads the annotation into a field. Throws 400 where it is no number. */
function checkTemplateGeneration(set: JsonObject): void {
  const value = stringAt(at(set, 'metadata', 'annotations'), TEMPLATE_GENERATION);
  if (value === undefined || /^[+-]?[0-9]{1,18}$/.test(value)) return;
  const why = `strconv.ParseInt: parsing ${quote(value)}: invalid syntax`;
  throw badRequest(`DaemonSet in version "v1" cannot be handled as a DaemonSet: ${why}`);
}

function templateGeneration(set: JsonObject): number {
  return Number(stringAt(at(set, 'metadata', 'annotations'), TEMPLATE_GENERATION) ?? '0') || 0;
}

function setTemplateGeneration(set: JsonObject, generation: number): void {
  ensure(set, 'metadata', 'annotations')[TEMPLATE_GENERATION] = String(generation);
}

function validateDaemonSet(set: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectAt(set, 'spec') ?? {};
  const where = SPEC.child('template');
  const generation = templateGeneration(set);
  return [
    ...validateSelector(spec, objectAt(old, 'spec')),
    ...validatePodTemplateSpec(template(set) ?? {}, where, podValidationOptions(at(old, 'spec', 'template'), false)),
    ...runsForever(template(set), where, 'DaemonSet'),
    ...nonnegative(spec, SPEC, 'minReadySeconds'),
    ...nonnegative({ templateGeneration: generation }, SPEC, 'templateGeneration'),
    ...validateUpdateStrategy(objectAt(spec, 'updateStrategy') ?? {}, SPEC.child('updateStrategy')),
    ...nonnegative(spec, SPEC, 'revisionHistoryLimit'),
  ];
}

function validateSelector(spec: JsonObject, old: JsonObject | undefined): FieldError[] {
  const selector = objectAt(spec, 'selector');
  const path = SPEC.child('selector');
  const labels = shownLabels(objectAt(spec, 'template'));
  const parsed = parseLabelSelector(selector);
  const allowInvalidValues = hasInvalidValue(objectAt(old, 'selector'));
  const mismatch = parsed !== undefined && !matches(parsed, labels ?? undefined);
  const message = '`selector` does not match template `labels`';
  return [
    ...validateLabelSelector(selector, path, { allowInvalidValues }),
    ...(mismatch ? [invalid(SPEC.child('template', 'metadata', 'labels'), labels, message)] : []),
    ...(selector === undefined ? [] : notEmpty(selector, path, 'daemonset')),
  ];
}

function validateUpdateStrategy(strategy: JsonObject, path: FieldPath): FieldError[] {
  const rolling = objectAt(strategy, 'rollingUpdate');
  const type = text(strategy, 'type');
  if (type === 'OnDelete') return [];
  if (type !== ROLLING) return [notSupported(path, shownStrategy(type, rolling), [ROLLING, 'OnDelete'])];
  if (rolling === undefined) return [required(path.child('rollingUpdate'))];
  return validateRolling(rolling, path.child('rollingUpdate'));
}

function validateRolling(rolling: JsonObject, path: FieldPath): FieldError[] {
  const surge = intOrPercent(rolling, 'maxSurge');
  const unavailable = amountOf(intOrPercent(rolling, 'maxUnavailable')) !== 0;
  const both = unavailable && amountOf(surge) !== 0;
  const none = !unavailable && amountOf(surge) === 0;
  return [
    ...['maxUnavailable', 'maxSurge'].flatMap((field) => validateIntOrPercent(rolling, field, path)),
    ...['maxUnavailable', 'maxSurge'].flatMap((field) => notAboveAll(rolling, field, path)),
    ...(both ? [invalid(path.child('maxSurge'), surge, 'may not be set when maxUnavailable is non-zero')] : []),
    ...(none ? [required(path.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0')] : []),
  ];
}

const COUNTS = ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'];

function validateStatus(set: JsonObject, old: JsonObject): FieldError[] {
  const status = objectAt(set, 'status');
  return [
    ...nonnegative(status, STATUS, ...COUNTS, 'observedGeneration', 'updatedNumberScheduled'),
    ...nonnegative(status, STATUS, 'numberAvailable', 'numberUnavailable', 'collisionCount'),
    ...collisionCountKept(status, objectAt(old, 'status'), STATUS),
  ];
}

const form = (pods: JsonObject | undefined): Json => internalForm('core.v1.PodTemplateSpec', pods);

/** Upstream's pkg/registry/apps/daemonset. */
export const daemonSetStrategy: KindStrategy = {
  default: setDefaults,
  prepareForCreate(set) {
    set['status'] = Object.fromEntries(COUNTS.map((field) => [field, 0]));
    setTemplateGeneration(set, Math.max(templateGeneration(set), 1));
    dropDisabledTemplateFields(template(set), undefined);
  },
  prepareForUpdate(set, old) {
    keepField(set, old, 'status');
    dropDisabledTemplateFields(template(set), template(old));
    const changed = !internallyEqual(form(template(set)), form(template(old)));
    setTemplateGeneration(set, templateGeneration(old) + (changed ? 1 : 0));
  },
  validate: (set) => validateDaemonSet(set),
  validateUpdate: (set, old) => [
    ...immutable(objectAt(set, 'spec'), objectAt(old, 'spec'), 'selector', SPEC),
    ...validateDaemonSet(set, old),
  ],
  warnings(set, old) {
    if (old !== undefined && templateGeneration(set) === templateGeneration(old)) return [];
    return podTemplateWarnings(template(set), SPEC.child('template'));
  },
  subresources: { status: statusStrategy(validateStatus) },
};
