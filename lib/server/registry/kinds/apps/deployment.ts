import type {
  Deployment,
  DeploymentSpec,
  DeploymentStrategy,
  RollingUpdateDeployment,
} from '#lib/api/types/apps.v1.ts';
import { generationOf } from '#lib/machinery/meta.ts';
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { dropDisabledTemplateFields } from '../core/pod/dropped-fields.ts';
import { generationChanged, podTemplateWarnings } from '../core/pod/warnings.ts';
import { amountOf, notAboveAll, validateIntOrPercent } from '../shared/int-or-percent.ts';
import { labelNameWarnings, POD_NAMES } from '../shared/names.ts';
import { immutable, semanticEqual } from '../shared/semantic.ts';
import { collisionCountKept, keepField, notGreater } from '../shared/status.ts';
import { nonnegative } from '../shared/validate.ts';
import { validateReplicatedTemplate } from './replicated-template.ts';
import { shownStrategy } from './rolling.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const ROLLING = 'RollingUpdate';

function setDefaults({ spec }: Deployment): void {
  defaultPodTemplate(spec.template);
  spec.replicas ??= 1;
  const { strategy } = spec;
  strategy.type ||= ROLLING;
  if (strategy.type === ROLLING) {
    const rolling = (strategy.rollingUpdate ??= {});
    rolling.maxUnavailable ??= '25%';
    rolling.maxSurge ??= '25%';
  }
  spec.revisionHistoryLimit ??= 10;
  spec.progressDeadlineSeconds ??= 600;
}

function validateDeployment({ spec }: Deployment, old?: Deployment): FieldError[] {
  return [
    ...nonnegative(spec, SPEC, 'replicas'),
    ...validateReplicatedTemplate(spec, old?.spec, SPEC),
    ...validateStrategy(spec.strategy, SPEC.child('strategy')),
    ...nonnegative(spec, SPEC, 'minReadySeconds', 'revisionHistoryLimit'),
    ...deadline(spec, SPEC),
  ];
}

function deadline(spec: DeploymentSpec, path: FieldPath): FieldError[] {
  const seconds = spec.progressDeadlineSeconds;
  if (seconds === undefined) return [];
  const message = 'must be greater than minReadySeconds';
  const late = seconds <= (spec.minReadySeconds ?? 0);
  return [
    ...nonnegative(spec, path, 'progressDeadlineSeconds'),
    ...(late ? [invalid(path.child('progressDeadlineSeconds'), seconds, message)] : []),
  ];
}

function validateStrategy(strategy: DeploymentStrategy, path: FieldPath): FieldError[] {
  const rolling = strategy.rollingUpdate;
  const where = path.child('rollingUpdate');
  const type = strategy.type ?? '';
  switch (type) {
    case 'Recreate':
      return rolling === undefined ? [] : [forbidden(where, "may not be specified when strategy `type` is 'Recreate'")];
    case ROLLING:
      if (rolling === undefined) return [required(where, 'this should be defaulted and never be nil')];
      return validateRolling(rolling, where);
    default:
      return [notSupported(path, shownStrategy(type, rolling), ['Recreate', ROLLING])];
  }
}

function validateRolling(rolling: RollingUpdateDeployment, path: FieldPath): FieldError[] {
  const unavailable = rolling.maxUnavailable ?? 0;
  const stuck = amountOf(unavailable) === 0 && amountOf(rolling.maxSurge ?? 0) === 0;
  const message = 'may not be 0 when `maxSurge` is 0';
  return [
    ...validateIntOrPercent(rolling, 'maxUnavailable', path),
    ...validateIntOrPercent(rolling, 'maxSurge', path),
    ...(stuck ? [invalid(path.child('maxUnavailable'), unavailable, message)] : []),
    ...notAboveAll(rolling, 'maxUnavailable', path),
  ];
}

const COUNTS = ['updatedReplicas', 'readyReplicas', 'availableReplicas'] as const;

function validateStatus({ status }: Deployment, old: Deployment): FieldError[] {
  return [
    ...nonnegative(status, STATUS, 'observedGeneration', 'replicas', ...COUNTS),
    ...nonnegative(status, STATUS, 'unavailableReplicas', 'terminatingReplicas', 'collisionCount'),
    ...notGreater(status, STATUS, 'replicas', COUNTS, 'status.replicas'),
    ...notGreater(status, STATUS, 'readyReplicas', ['availableReplicas'], 'readyReplicas'),
    ...collisionCountKept(status, old.status, STATUS),
  ];
}

/** Upstream's pkg/registry/apps/deployment. */
export const deploymentStrategy: KindStrategy<Deployment> = {
  default: setDefaults,
  prepareForCreate(deployment) {
    deployment.status = {};
    dropDisabledTemplateFields(deployment.spec.template, undefined);
  },
  prepareForUpdate(deployment, old) {
    keepField(deployment, old, 'status');
    dropDisabledTemplateFields(deployment.spec.template, old.spec.template);
    // Annotations are copied to replica sets, so changing them bumps the generation.
    if (!semanticEqual(deployment.metadata.annotations, old.metadata.annotations)) {
      deployment.metadata.generation = generationOf(old) + 1;
    }
  },
  validate: (deployment) => validateDeployment(deployment),
  validateUpdate: (deployment, old) => [
    ...validateDeployment(deployment, old),
    ...immutable(deployment.spec, old.spec, 'selector', SPEC),
  ],
  warnings(deployment, old) {
    if (old !== undefined && !generationChanged(deployment, old)) return [];
    const name = old === undefined ? labelNameWarnings(deployment, POD_NAMES) : [];
    return [...name, ...podTemplateWarnings(deployment.spec.template, SPEC.child('template'))];
  },
  subresources: {
    status: {
      prepareForUpdate(deployment, old) {
        keepField(deployment, old, 'spec');
        keepField(deployment.metadata, old.metadata, 'labels');
      },
      validateUpdate: validateStatus,
    },
  },
};
