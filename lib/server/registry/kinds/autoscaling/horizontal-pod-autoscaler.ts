import type {
  HorizontalPodAutoscaler,
  HorizontalPodAutoscalerSpec,
  HPAScalingPolicy,
  HPAScalingRules,
} from '#lib/api/types/autoscaling.v2.ts';
import { canonicalQuantity, signOf } from '#lib/machinery/resource/quantities.ts';
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { NEGATIVE } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { keepField, statusStrategy } from '../shared/status.ts';
import { each, NOT_POSITIVE, nonnegative, optionalOneOf } from '../shared/validate.ts';
import { defaultAutoscaler, defaultFirstVersion } from './defaults.ts';
import { validateMetric } from './metrics.ts';
import { type ReferenceOptions, validateReference, versionError } from './reference.ts';

const SPEC = FieldPath.of('spec');
const METRICS = SPEC.child('metrics');

interface Options {
  readonly lowest: number;
  readonly target: ReferenceOptions;
  readonly metrics: ReferenceOptions;
}

/** Allows zero replicas, or an invalid apiVersion of the target, if the stored object already has it. */
function optionsFor(autoscaler: HorizontalPodAutoscaler, old: HorizontalPodAutoscaler | undefined): Options {
  const target = autoscaler.spec.scaleTargetRef;
  const before = old?.spec.scaleTargetRef;
  const same = (field: 'apiVersion' | 'kind'): boolean => (target[field] ?? '') === (before?.[field] ?? '');
  const objects = { allowEmptyGroup: true, allowInvalidVersion: false };
  const wrongBefore = (old?.spec.metrics ?? []).some((metric) => {
    const described = metric.object?.describedObject;
    return metric.type === 'Object' && versionError(described?.apiVersion ?? '', objects) !== undefined;
  });
  return {
    lowest: old?.spec.minReplicas === 0 ? 0 : 1,
    target: {
      allowEmptyGroup: target.kind === 'ReplicationController',
      allowInvalidVersion: old !== undefined && same('apiVersion') && same('kind'),
    },
    metrics: { allowEmptyGroup: true, allowInvalidVersion: wrongBefore },
  };
}

function validate(autoscaler: HorizontalPodAutoscaler, old?: HorizontalPodAutoscaler): FieldError[] {
  const spec = autoscaler.spec;
  const options = optionsFor(autoscaler, old);
  return [
    ...replicaErrors(spec, options.lowest),
    ...validateReference(spec.scaleTargetRef, SPEC.child('scaleTargetRef'), options.target),
    ...each(spec.metrics ?? [], METRICS, (metric, path) => validateMetric(metric, path, options.metrics)),
    ...toZero(spec),
    ...rulesErrors(spec.behavior?.scaleUp, SPEC.child('behavior', 'scaleUp')),
    ...rulesErrors(spec.behavior?.scaleDown, SPEC.child('behavior', 'scaleDown')),
  ];
}

function replicaErrors(spec: HorizontalPodAutoscalerSpec, lowest: number): FieldError[] {
  const min = spec.minReplicas;
  const max = spec.maxReplicas;
  const path = SPEC.child('maxReplicas');
  const low = `must be greater than or equal to ${lowest}`;
  return [
    ...(min !== undefined && min < lowest ? [invalid(SPEC.child('minReplicas'), min, low)] : []),
    ...(max === 0 ? [required(path, 'must be set and greater than 0')] : []),
    ...(max < 0 ? [invalid(path, max, 'must be greater than or equal to 1')] : []),
    ...(min !== undefined && max < min ? [invalid(path, max, 'must be greater than or equal to `minReplicas`')] : []),
  ];
}

/** Zero replicas require an object or external metric, because other metrics need pods to scale up again. */
function toZero(spec: HorizontalPodAutoscalerSpec): FieldError[] {
  if (spec.minReplicas !== 0) return [];
  const outside = (spec.metrics ?? []).some((metric) => ['Object', 'External'].includes(metric.type));
  if (outside) return [];
  return [
    forbidden(METRICS, 'must specify at least one Object or External metric to support scaling to zero replicas'),
  ];
}

const MAX_WINDOW = 3600;
const MAX_PERIOD = 1800;

function rulesErrors(rules: HPAScalingRules | undefined, path: FieldPath): FieldError[] {
  if (rules === undefined) return [];
  const window = rules.stabilizationWindowSeconds ?? 0;
  const where = path.child('stabilizationWindowSeconds');
  const policies = rules.policies ?? [];
  return [
    ...(window < 0 ? [invalid(where, window, 'must be greater than or equal to zero')] : []),
    ...(window > MAX_WINDOW ? [invalid(where, window, `must be less than or equal to ${MAX_WINDOW}`)] : []),
    ...optionalOneOf(rules, 'selectPolicy', path, ['Disabled', 'Max', 'Min']),
    ...(policies.length === 0 ? [required(path.child('policies'), 'must specify at least one Policy')] : []),
    ...each(policies, path.child('policies'), policyErrors),
    ...toleranceErrors(rules, path.child('tolerance')),
  ];
}

function toleranceErrors(rules: HPAScalingRules, path: FieldPath): FieldError[] {
  const value = rules.tolerance;
  if (value === undefined || signOf(value) >= 0) return [];
  return [invalid(path, canonicalQuantity(value), NEGATIVE)];
}

function policyErrors(policy: HPAScalingPolicy, path: FieldPath): FieldError[] {
  const type = policy.type;
  const [value, period] = [policy.value, policy.periodSeconds];
  const where = path.child('periodSeconds');
  return [
    ...(type === 'Pods' || type === 'Percent' ? [] : [notSupported(path.child('type'), type, ['Percent', 'Pods'])]),
    ...(value <= 0 ? [invalid(path.child('value'), value, NOT_POSITIVE)] : []),
    ...(period <= 0 ? [invalid(where, period, NOT_POSITIVE)] : []),
    ...(period > MAX_PERIOD ? [invalid(where, period, `must be less than or equal to ${MAX_PERIOD}`)] : []),
  ];
}

/** Upstream's pkg/registry/autoscaling/horizontalpodautoscaler. Objects are in autoscaling/v2. */
export const horizontalPodAutoscalerStrategy: KindStrategy<HorizontalPodAutoscaler> = {
  hasGeneration: false,
  default: defaultAutoscaler,
  defaultAs: { v1: defaultFirstVersion },
  prepareForCreate(autoscaler) {
    autoscaler.status = { desiredReplicas: 0, currentMetrics: null };
  },
  prepareForUpdate: (autoscaler, old) => keepField(autoscaler, old, 'status'),
  validate: (autoscaler) => validate(autoscaler),
  validateUpdate: validate,
  subresources: {
    status: statusStrategy((autoscaler) =>
      nonnegative(autoscaler.status, FieldPath.of('status'), 'currentReplicas', 'desiredReplicas'),
    ),
  },
};
