import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, ensure } from '#lib/machinery/unstructured.ts';
import { FieldPath, type FieldError } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { dropDisabledTemplateFields } from '../core/pod/dropped-fields.ts';
import { generationChanged, podTemplateWarnings } from '../core/pod/warnings.ts';
import { POD_NAMES, labelNameWarnings } from '../shared/names.ts';
import { immutable } from '../shared/semantic.ts';
import { keepField, notGreater, statusStrategy } from '../shared/status.ts';
import { nonnegative } from '../shared/validate.ts';
import { validateReplicatedTemplate } from './replicated-template.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

function validateReplicaSet(set: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectAt(set, 'spec') ?? {};
  return [
    ...nonnegative(spec, SPEC, 'replicas', 'minReadySeconds'),
    ...validateReplicatedTemplate(spec, objectAt(old, 'spec'), SPEC),
  ];
}

const COUNTS = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'];

function validateStatus(set: JsonObject): FieldError[] {
  const status = objectAt(set, 'status');
  return [
    ...nonnegative(status, STATUS, 'replicas', ...COUNTS, 'observedGeneration', 'terminatingReplicas'),
    ...notGreater(status, STATUS, 'replicas', COUNTS, 'status.replicas'),
    ...notGreater(status, STATUS, 'readyReplicas', ['availableReplicas'], 'readyReplicas'),
  ];
}

/** Upstream's pkg/registry/apps/replicaset. */
export const replicaSetStrategy: KindStrategy = {
  default(set) {
    const spec = ensure(set, 'spec');
    spec['replicas'] ??= 1;
    defaultPodTemplate(ensure(spec, 'template'));
  },
  prepareForCreate(set) {
    set['status'] = { replicas: 0 };
    dropDisabledTemplateFields(at(set, 'spec', 'template'), undefined);
  },
  prepareForUpdate(set, old) {
    keepField(set, old, 'status');
    dropDisabledTemplateFields(at(set, 'spec', 'template'), at(old, 'spec', 'template'));
  },
  validate: (set) => validateReplicaSet(set),
  validateUpdate: (set, old) => [
    ...validateReplicaSet(set, old),
    ...immutable(objectAt(set, 'spec'), objectAt(old, 'spec'), 'selector', SPEC),
  ],
  warnings(set, old) {
    if (old !== undefined && !generationChanged(set, old)) return [];
    const name = old === undefined ? labelNameWarnings(set, POD_NAMES) : [];
    return [...name, ...podTemplateWarnings(at(set, 'spec', 'template'), SPEC.child('template'))];
  },
  subresources: { status: statusStrategy(validateStatus) },
};
