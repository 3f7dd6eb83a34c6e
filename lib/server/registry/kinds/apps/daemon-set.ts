import { internalForm } from '#lib/api/internal-form.ts';
import type {
  DaemonSet,
  DaemonSetSpec,
  DaemonSetUpdateStrategy,
  RollingUpdateDaemonSet,
} from '#lib/api/types/apps.v1.ts';
import type { PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import { badRequest } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { type Json, ownField } from '#lib/machinery/json-value.ts';
import { matches } from '#lib/machinery/labels/selector.ts';
import { type FieldError, FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import type { KindStrategy } from '../../strategy.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { dropDisabledTemplateFields } from '../core/pod/dropped-fields.ts';
import { podValidationOptions } from '../core/pod/options.ts';
import { validatePodTemplateSpec } from '../core/pod/validation/template.ts';
import { podTemplateWarnings } from '../core/pod/warnings.ts';
import { runsForever } from '../shared/controller-template.ts';
import { amountOf, notAboveAll, validateIntOrPercent } from '../shared/int-or-percent.ts';
import { hasInvalidValue, notEmpty, parseLabelSelector, shownLabels } from '../shared/label-selector.ts';
import { immutable, internallyEqual } from '../shared/semantic.ts';
import { collisionCountKept, keepField, statusStrategy } from '../shared/status.ts';
import { nonnegative } from '../shared/validate.ts';
import { shownStrategy } from './rolling.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const ROLLING = 'RollingUpdate';
/** The annotation that counts changes of the template. It was a field in older API versions. */
const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';

function setDefaults(set: DaemonSet): void {
  checkTemplateGeneration(set);
  if (templateGeneration(set) === 0) setTemplateGeneration(set, 0);
  const { spec } = set;
  defaultPodTemplate(spec.template);
  const strategy = spec.updateStrategy;
  strategy.type ||= ROLLING;
  if (strategy.type === ROLLING) {
    const rolling = (strategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= 1;
    rolling.maxSurge ??= 0;
  }
  spec.revisionHistoryLimit ??= 10;
}

/** Upstream parses the annotation into a field. Throws 400 if it is not a number. */
function checkTemplateGeneration(set: DaemonSet): void {
  const value = ownField(set.metadata.annotations, TEMPLATE_GENERATION);
  if (value === undefined || /^[+-]?[0-9]{1,18}$/.test(value)) return;
  const why = `strconv.ParseInt: parsing ${quote(value)}: invalid syntax`;
  throw badRequest(`DaemonSet in version "v1" cannot be handled as a DaemonSet: ${why}`);
}

function templateGeneration(set: DaemonSet): number {
  return Number(ownField(set.metadata.annotations, TEMPLATE_GENERATION) ?? '0') || 0;
}

function setTemplateGeneration(set: DaemonSet, generation: number): void {
  (set.metadata.annotations ??= {})[TEMPLATE_GENERATION] = String(generation);
}

function validateDaemonSet(set: DaemonSet, old?: DaemonSet): FieldError[] {
  const { spec } = set;
  const where = SPEC.child('template');
  const generation = templateGeneration(set);
  return [
    ...validateSelector(spec, old?.spec),
    ...validatePodTemplateSpec(spec.template, where, podValidationOptions(old?.spec.template, false)),
    ...runsForever(spec.template, where, 'DaemonSet'),
    ...nonnegative(spec, SPEC, 'minReadySeconds'),
    ...nonnegative({ templateGeneration: generation }, SPEC, 'templateGeneration'),
    ...validateUpdateStrategy(spec.updateStrategy, SPEC.child('updateStrategy')),
    ...nonnegative(spec, SPEC, 'revisionHistoryLimit'),
  ];
}

function validateSelector(spec: DaemonSetSpec, old: DaemonSetSpec | undefined): FieldError[] {
  const selector = spec.selector ?? undefined;
  const path = SPEC.child('selector');
  const labels = shownLabels(spec.template);
  const parsed = parseLabelSelector(selector);
  const allowInvalidValues = hasInvalidValue(old?.selector ?? undefined);
  const mismatch = parsed !== undefined && !matches(parsed, labels ?? undefined);
  const message = '`selector` does not match template `labels`';
  return [
    ...validateLabelSelector(selector, path, { allowInvalidValues }),
    ...(mismatch ? [invalid(SPEC.child('template', 'metadata', 'labels'), labels, message)] : []),
    ...(selector === undefined ? [] : notEmpty(selector, path, 'daemonset')),
  ];
}

function validateUpdateStrategy(strategy: DaemonSetUpdateStrategy, path: FieldPath): FieldError[] {
  const rolling = strategy.rollingUpdate;
  const type = strategy.type ?? '';
  if (type === 'OnDelete') return [];
  if (type !== ROLLING) return [notSupported(path, shownStrategy(type, rolling), [ROLLING, 'OnDelete'])];
  if (rolling === undefined) return [required(path.child('rollingUpdate'))];
  return validateRolling(rolling, path.child('rollingUpdate'));
}

const AMOUNTS = ['maxUnavailable', 'maxSurge'] as const;

function validateRolling(rolling: RollingUpdateDaemonSet, path: FieldPath): FieldError[] {
  const surge = rolling.maxSurge ?? 0;
  const unavailable = amountOf(rolling.maxUnavailable ?? 0) !== 0;
  const both = unavailable && amountOf(surge) !== 0;
  const none = !unavailable && amountOf(surge) === 0;
  return [
    ...AMOUNTS.flatMap((field) => validateIntOrPercent(rolling, field, path)),
    ...AMOUNTS.flatMap((field) => notAboveAll(rolling, field, path)),
    ...(both ? [invalid(path.child('maxSurge'), surge, 'may not be set when maxUnavailable is non-zero')] : []),
    ...(none ? [required(path.child('maxUnavailable'), 'cannot be 0 when maxSurge is 0')] : []),
  ];
}

const COUNTS = ['currentNumberScheduled', 'numberMisscheduled', 'desiredNumberScheduled', 'numberReady'] as const;

function validateStatus({ status }: DaemonSet, old: DaemonSet): FieldError[] {
  return [
    ...nonnegative(status, STATUS, ...COUNTS, 'observedGeneration', 'updatedNumberScheduled'),
    ...nonnegative(status, STATUS, 'numberAvailable', 'numberUnavailable', 'collisionCount'),
    ...collisionCountKept(status, old.status, STATUS),
  ];
}

const form = (pods: PodTemplateSpec): Json => internalForm('core.v1.PodTemplateSpec', pods);

/** Upstream's pkg/registry/apps/daemonset. */
export const daemonSetStrategy: KindStrategy<DaemonSet> = {
  default: setDefaults,
  prepareForCreate(set) {
    set.status = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };
    setTemplateGeneration(set, Math.max(templateGeneration(set), 1));
    dropDisabledTemplateFields(set.spec.template, undefined);
  },
  prepareForUpdate(set, old) {
    keepField(set, old, 'status');
    dropDisabledTemplateFields(set.spec.template, old.spec.template);
    const changed = !internallyEqual(form(set.spec.template), form(old.spec.template));
    setTemplateGeneration(set, templateGeneration(old) + (changed ? 1 : 0));
  },
  validate: (set) => validateDaemonSet(set),
  validateUpdate: (set, old) => [...immutable(set.spec, old.spec, 'selector', SPEC), ...validateDaemonSet(set, old)],
  warnings(set, old) {
    if (old !== undefined && templateGeneration(set) === templateGeneration(old)) return [];
    return podTemplateWarnings(set.spec.template, SPEC.child('template'));
  },
  subresources: { status: statusStrategy(validateStatus) },
};
