import type { ReplicaSet } from '#lib/api/types/apps.v1.ts';
import { type FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { dropDisabledTemplateFields } from '../core/pod/dropped-fields.ts';
import { generationChanged, podTemplateWarnings } from '../core/pod/warnings.ts';
import { labelNameWarnings, POD_NAMES } from '../shared/names.ts';
import { immutable } from '../shared/semantic.ts';
import { keepField, notGreater, statusStrategy } from '../shared/status.ts';
import { nonnegative } from '../shared/validate.ts';
import { validateReplicatedTemplate } from './replicated-template.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');

function validateReplicaSet(set: ReplicaSet, old?: ReplicaSet): FieldError[] {
  const { spec } = set;
  return [
    ...nonnegative(spec, SPEC, 'replicas', 'minReadySeconds'),
    ...validateReplicatedTemplate(spec, old?.spec, SPEC),
  ];
}

const COUNTS = ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'] as const;

function validateStatus({ status }: ReplicaSet): FieldError[] {
  return [
    ...nonnegative(status, STATUS, 'replicas', ...COUNTS, 'observedGeneration', 'terminatingReplicas'),
    ...notGreater(status, STATUS, 'replicas', COUNTS, 'status.replicas'),
    ...notGreater(status, STATUS, 'readyReplicas', ['availableReplicas'], 'readyReplicas'),
  ];
}

/** Upstream's pkg/registry/apps/replicaset. */
export const replicaSetStrategy: KindStrategy<ReplicaSet> = {
  default(set) {
    set.spec.replicas ??= 1;
    defaultPodTemplate(set.spec.template);
  },
  prepareForCreate(set) {
    set.status = { replicas: 0 };
    dropDisabledTemplateFields(set.spec.template, undefined);
  },
  prepareForUpdate(set, old) {
    keepField(set, old, 'status');
    dropDisabledTemplateFields(set.spec.template, old.spec.template);
  },
  validate: (set) => validateReplicaSet(set),
  validateUpdate: (set, old) => [...validateReplicaSet(set, old), ...immutable(set.spec, old.spec, 'selector', SPEC)],
  warnings(set, old) {
    if (old !== undefined && !generationChanged(set, old)) return [];
    const name = old === undefined ? labelNameWarnings(set, POD_NAMES) : [];
    return [...name, ...podTemplateWarnings(set.spec.template, SPEC.child('template'))];
  },
  subresources: { status: statusStrategy(validateStatus) },
};
