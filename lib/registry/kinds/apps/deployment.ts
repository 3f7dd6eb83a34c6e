import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, count, ensure, integer, text, unlessText } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { generationOf, podTemplateWarnings, generationChanged } from '../core/pod/warnings.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { dropDisabledTemplateFields } from '../core/pod/dropped-fields.ts';
import { amountOf, intOrPercent, notAboveAll, validateIntOrPercent } from '../shared/int-or-percent.ts';
import { POD_NAMES, labelNameWarnings } from '../shared/names.ts';
import { immutable, semanticEqual } from '../shared/semantic.ts';
import { collisionCountKept, keepField, notGreater } from '../shared/status.ts';
import { nonnegative } from '../shared/validate.ts';
import { validateReplicatedTemplate } from './replicated-template.ts';
import { shownStrategy } from './rolling.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const ROLLING = 'RollingUpdate';

function setDefaults(deployment: JsonObject): void {
  const spec = ensure(deployment, 'spec');
  defaultPodTemplate(ensure(spec, 'template'));
  spec['replicas'] ??= 1;
  const strategy = ensure(spec, 'strategy');
  unlessText(strategy, 'type', ROLLING);
  if (text(strategy, 'type') === ROLLING) {
    const rolling = ensure(strategy, 'rollingUpdate');
    rolling['maxUnavailable'] ??= '25%';
    rolling['maxSurge'] ??= '25%';
  }
  spec['revisionHistoryLimit'] ??= 10;
  spec['progressDeadlineSeconds'] ??= 600;
}

function validateDeployment(deployment: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectAt(deployment, 'spec') ?? {};
  return [
    ...nonnegative(spec, SPEC, 'replicas'),
    ...validateReplicatedTemplate(spec, objectAt(old, 'spec'), SPEC),
    ...validateStrategy(objectAt(spec, 'strategy') ?? {}, SPEC.child('strategy')),
    ...nonnegative(spec, SPEC, 'minReadySeconds', 'revisionHistoryLimit'),
    ...deadline(spec, SPEC),
  ];
}

function deadline(spec: JsonObject, path: FieldPath): FieldError[] {
  const seconds = integer(spec, 'progressDeadlineSeconds');
  if (seconds === undefined) return [];
  const message = 'must be greater than minReadySeconds';
  const late = seconds <= count(spec, 'minReadySeconds');
  return [
    ...nonnegative(spec, path, 'progressDeadlineSeconds'),
    ...(late ? [invalid(path.child('progressDeadlineSeconds'), seconds, message)] : []),
  ];
}

function validateStrategy(strategy: JsonObject, path: FieldPath): FieldError[] {
  const rolling = objectAt(strategy, 'rollingUpdate');
  const where = path.child('rollingUpdate');
  const type = text(strategy, 'type');
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

function validateRolling(rolling: JsonObject, path: FieldPath): FieldError[] {
  const unavailable = intOrPercent(rolling, 'maxUnavailable');
  const stuck = amountOf(unavailable) === 0 && amountOf(intOrPercent(rolling, 'maxSurge')) === 0;
  const message = 'may not be 0 when `maxSurge` is 0';
  return [
    ...validateIntOrPercent(rolling, 'maxUnavailable', path),
    ...validateIntOrPercent(rolling, 'maxSurge', path),
    ...(stuck ? [invalid(path.child('maxUnavailable'), unavailable, message)] : []),
    ...notAboveAll(rolling, 'maxUnavailable', path),
  ];
}

const COUNTS = ['updatedReplicas', 'readyReplicas', 'availableReplicas'];

function validateStatus(deployment: JsonObject, old: JsonObject): FieldError[] {
  const status = objectAt(deployment, 'status');
  return [
    ...nonnegative(status, STATUS, 'observedGeneration', 'replicas', ...COUNTS),
    ...nonnegative(status, STATUS, 'unavailableReplicas', 'terminatingReplicas', 'collisionCount'),
    ...notGreater(status, STATUS, 'replicas', COUNTS, 'status.replicas'),
    ...notGreater(status, STATUS, 'readyReplicas', ['availableReplicas'], 'readyReplicas'),
    ...collisionCountKept(status, objectAt(old, 'status'), STATUS),
  ];
}

/** Upstream's pkg/registry/apps/deployment. */
export const deploymentStrategy: KindStrategy = {
  default: setDefaults,
  prepareForCreate(deployment) {
    deployment['status'] = {};
    dropDisabledTemplateFields(at(deployment, 'spec', 'template'), undefined);
  },
  prepareForUpdate(deployment, old) {
    keepField(deployment, old, 'status');
    dropDisabledTemplateFields(at(deployment, 'spec', 'template'), at(old, 'spec', 'template'));
    // Annotations are copied to replica sets, so a change of them counts.
    const annotations = (of: JsonObject) => at(of, 'metadata', 'annotations');
    if (!semanticEqual(annotations(deployment), annotations(old))) {
      ensure(deployment, 'metadata')['generation'] = generationOf(old) + 1;
    }
  },
  validate: (deployment) => validateDeployment(deployment),
  validateUpdate: (deployment, old) => [
    ...validateDeployment(deployment, old),
    ...immutable(objectAt(deployment, 'spec'), objectAt(old, 'spec'), 'selector', SPEC),
  ],
  warnings(deployment, old) {
    if (old !== undefined && !generationChanged(deployment, old)) return [];
    const name = old === undefined ? labelNameWarnings(deployment, POD_NAMES) : [];
    return [...name, ...podTemplateWarnings(at(deployment, 'spec', 'template'), SPEC.child('template'))];
  },
  subresources: {
    status: {
      prepareForUpdate(deployment, old) {
        keepField(deployment, old, 'spec');
        keepField(ensure(deployment, 'metadata'), ensure(old, 'metadata'), 'labels');
      },
      validateUpdate: validateStatus,
    },
  },
};
