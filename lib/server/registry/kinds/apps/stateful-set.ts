import type { StatefulSet, StatefulSetSpec, StatefulSetUpdateStrategy } from '#lib/api/types/apps.v1.ts';
import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { clone } from '#lib/machinery/json-value.ts';
import { type FieldError, FieldPath, forbidden } from '#lib/machinery/validation/field.ts';
import { nameIsDNSLabel } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { defaultPodTemplate } from '../core/pod/defaults.ts';
import { dropDisabledTemplateFields } from '../core/pod/dropped-fields.ts';
import { generationChanged, podTemplateWarnings } from '../core/pod/warnings.ts';
import { claimSpecWarnings, defaultClaimSpec } from '../shared/persistent-volume-claim-spec.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { collisionCountKept, keepField, notGreater, statusStrategy } from '../shared/status.ts';
import { nonnegative } from '../shared/validate.ts';
import { validateStatefulSetSpec } from './stateful-set-spec.ts';

const SPEC = FieldPath.of('spec');
const STATUS = FieldPath.of('status');
const ROLLING = 'RollingUpdate';

function setDefaults({ spec }: StatefulSet): void {
  defaultPodTemplate(spec.template);
  spec.podManagementPolicy ||= 'OrderedReady';
  defaultUpdateStrategy(spec.updateStrategy);
  const retention = (spec.persistentVolumeClaimRetentionPolicy ??= {});
  retention.whenDeleted ||= 'Retain';
  retention.whenScaled ||= 'Retain';
  spec.replicas ??= 1;
  spec.revisionHistoryLimit ??= 10;
  for (const claim of spec.volumeClaimTemplates ?? []) defaultClaim(claim);
}

function defaultUpdateStrategy(strategy: StatefulSetUpdateStrategy): void {
  if ((strategy.type ?? '') === '') {
    strategy.type = ROLLING;
    strategy.rollingUpdate ??= {};
  }
  if (strategy.rollingUpdate !== undefined && strategy.type === ROLLING) strategy.rollingUpdate.partition ??= 0;
}

/** Defaults a claim template. It is a complete claim and may set its kind, as in upstream. */
function defaultClaim(claim: PersistentVolumeClaim): void {
  claim.kind = 'PersistentVolumeClaim';
  claim.apiVersion = 'v1';
  defaultClaimSpec(claim.spec);
  claim.status.phase ||= 'Pending';
}

/** Removes a field that is off by default, unless the stored set uses it. */
function dropMaxUnavailable(set: StatefulSet, old: StatefulSet | undefined): void {
  if (old?.spec.updateStrategy.rollingUpdate?.maxUnavailable !== undefined) return;
  delete set.spec.updateStrategy.rollingUpdate?.maxUnavailable;
}

const MUTABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
] as const;
const FORBIDDEN =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

function validateUpdate({ spec }: StatefulSet, { spec: oldSpec }: StatefulSet): FieldError[] {
  const fixed = (of: StatefulSetSpec): Partial<StatefulSetSpec> => {
    const rest: Partial<StatefulSetSpec> = clone(of);
    for (const field of MUTABLE) delete rest[field];
    return rest;
  };
  const options = { old: oldSpec.template, isUpdate: true, skipTemplate: false };
  const skipTemplate = validateStatefulSetSpec(oldSpec, SPEC, options).length > 0;
  return [
    ...validateStatefulSetSpec(spec, SPEC, { ...options, skipTemplate }),
    ...(semanticEqual(fixed(spec), fixed(oldSpec)) ? [] : [forbidden(SPEC, FORBIDDEN)]),
  ];
}

const COUNTS = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'] as const;

function validateStatus({ status }: StatefulSet, old: StatefulSet): FieldError[] {
  return [
    ...nonnegative(status, STATUS, 'replicas', ...COUNTS, 'observedGeneration', 'collisionCount'),
    ...notGreater(status, STATUS, 'replicas', COUNTS, 'status.replicas'),
    ...notGreater(status, STATUS, 'readyReplicas', ['availableReplicas'], 'status.readyReplicas'),
    ...collisionCountKept(status, old.status, STATUS),
  ];
}

const HISTORY =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';

function warnings(set: StatefulSet, old?: StatefulSet): string[] {
  const { spec } = set;
  const changed = old === undefined || generationChanged(set, old);
  const claims = (spec.volumeClaimTemplates ?? []).flatMap((claim, i) => {
    const where = SPEC.child('volumeClaimTemplates').index(i);
    return claimSpecWarnings(claim.spec, old === undefined ? where : where.child('Spec'));
  });
  return [
    ...(changed ? podTemplateWarnings(spec.template, SPEC.child('template')) : []),
    ...claims,
    ...((spec.revisionHistoryLimit ?? 0) < 0 ? [HISTORY] : []),
  ];
}

/** Upstream's pkg/registry/apps/statefulset. */
export const statefulSetStrategy: KindStrategy<StatefulSet> = {
  // The name becomes part of the pods' host names.
  validateName: nameIsDNSLabel,
  default: setDefaults,
  prepareForCreate(set) {
    set.status = { replicas: 0, availableReplicas: 0 };
    dropMaxUnavailable(set, undefined);
    dropDisabledTemplateFields(set.spec.template, undefined);
  },
  prepareForUpdate(set, old) {
    keepField(set, old, 'status');
    dropMaxUnavailable(set, old);
    dropDisabledTemplateFields(set.spec.template, old.spec.template);
  },
  validate: (set) =>
    validateStatefulSetSpec(set.spec, SPEC, {
      old: undefined,
      isUpdate: false,
      skipTemplate: false,
    }),
  validateUpdate,
  warnings,
  subresources: { status: statusStrategy(validateStatus) },
};
