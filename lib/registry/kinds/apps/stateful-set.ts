import { clone, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, ensure, has, integer, items, text, unlessText } from '#lib/machinery/unstructured.ts';
import { FieldPath, forbidden, type FieldError } from '#lib/machinery/validation/field.ts';
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

function setDefaults(set: JsonObject): void {
  const spec = ensure(set, 'spec');
  defaultPodTemplate(ensure(spec, 'template'));
  unlessText(spec, 'podManagementPolicy', 'OrderedReady');
  defaultUpdateStrategy(ensure(spec, 'updateStrategy'));
  const retention = ensure(spec, 'persistentVolumeClaimRetentionPolicy');
  unlessText(retention, 'whenDeleted', 'Retain');
  unlessText(retention, 'whenScaled', 'Retain');
  spec['replicas'] ??= 1;
  spec['revisionHistoryLimit'] ??= 10;
  for (const claim of items(spec, 'volumeClaimTemplates')) defaultClaim(claim);
}

function defaultUpdateStrategy(strategy: JsonObject): void {
  if (text(strategy, 'type') === '') {
    strategy['type'] = ROLLING;
    ensure(strategy, 'rollingUpdate');
  }
  const rolling = objectAt(strategy, 'rollingUpdate');
  if (rolling !== undefined && text(strategy, 'type') === ROLLING) rolling['partition'] ??= 0;
}

/** Claim templates are whole claims, which upstream lets name their kind. */
function defaultClaim(claim: JsonObject): void {
  Object.assign(claim, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' });
  ensure(claim, 'metadata');
  defaultClaimSpec(ensure(claim, 'spec'));
  unlessText(ensure(claim, 'status'), 'phase', 'Pending');
}

/** Off by default: dropped unless it is in use. */
function dropMaxUnavailable(set: JsonObject, old: JsonObject | undefined): void {
  const path = ['spec', 'updateStrategy', 'rollingUpdate'];
  if (has(at(old, ...path), 'maxUnavailable')) return;
  const rolling = at(set, ...path);
  if (rolling !== undefined) delete rolling['maxUnavailable'];
}

const MUTABLE = [
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'ordinals',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
];
const FORBIDDEN =
  "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden";

function validateUpdate(set: JsonObject, old: JsonObject): FieldError[] {
  const spec = objectAt(set, 'spec') ?? {};
  const oldSpec = objectAt(old, 'spec') ?? {};
  const fixed = (of: JsonObject): JsonObject => {
    const rest = clone(of);
    for (const field of MUTABLE) delete rest[field];
    return rest;
  };
  const options = { old: objectAt(oldSpec, 'template'), isUpdate: true, skipTemplate: false };
  const skipTemplate = validateStatefulSetSpec(oldSpec, SPEC, options).length > 0;
  return [
    ...validateStatefulSetSpec(spec, SPEC, { ...options, skipTemplate }),
    ...(semanticEqual(fixed(spec), fixed(oldSpec)) ? [] : [forbidden(SPEC, FORBIDDEN)]),
  ];
}

const COUNTS = ['readyReplicas', 'currentReplicas', 'updatedReplicas', 'availableReplicas'];

function validateStatus(set: JsonObject, old: JsonObject): FieldError[] {
  const status = objectAt(set, 'status');
  return [
    ...nonnegative(status, STATUS, 'replicas', ...COUNTS, 'observedGeneration', 'collisionCount'),
    ...notGreater(status, STATUS, 'replicas', COUNTS, 'status.replicas'),
    ...notGreater(status, STATUS, 'readyReplicas', ['availableReplicas'], 'status.readyReplicas'),
    ...collisionCountKept(status, objectAt(old, 'status'), STATUS),
  ];
}

const HISTORY =
  'spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended';

function warnings(set: JsonObject, old?: JsonObject): string[] {
  const spec = objectAt(set, 'spec');
  const template = objectAt(spec, 'template');
  const changed = old === undefined || generationChanged(set, old);
  const claims = items(spec, 'volumeClaimTemplates').flatMap((claim, i) => {
    const where = SPEC.child('volumeClaimTemplates').index(i);
    return claimSpecWarnings(objectAt(claim, 'spec') ?? {}, old === undefined ? where : where.child('Spec'));
  });
  return [
    ...(changed ? podTemplateWarnings(template, SPEC.child('template')) : []),
    ...claims,
    ...((integer(spec, 'revisionHistoryLimit') ?? 0) < 0 ? [HISTORY] : []),
  ];
}

/** Upstream's pkg/registry/apps/statefulset. */
export const statefulSetStrategy: KindStrategy = {
  // The name is part of its pods' host names.
  validateName: nameIsDNSLabel,
  default: setDefaults,
  prepareForCreate(set) {
    set['status'] = { replicas: 0, availableReplicas: 0 };
    dropMaxUnavailable(set, undefined);
    dropDisabledTemplateFields(at(set, 'spec', 'template'), undefined);
  },
  prepareForUpdate(set, old) {
    keepField(set, old, 'status');
    dropMaxUnavailable(set, old);
    dropDisabledTemplateFields(at(set, 'spec', 'template'), at(old, 'spec', 'template'));
  },
  validate: (set) =>
    validateStatefulSetSpec(objectAt(set, 'spec') ?? {}, SPEC, {
      old: undefined,
      isUpdate: false,
      skipTemplate: false,
    }),
  validateUpdate,
  warnings,
  subresources: { status: statusStrategy(validateStatus) },
};
