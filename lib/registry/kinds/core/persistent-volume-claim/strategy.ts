import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, ensure, has, unlessText } from '#lib/machinery/unstructured.ts';
import { FieldPath, type FieldError } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { claimSpecWarnings, defaultClaimSpec, validateClaimSpec } from '../../shared/persistent-volume-claim-spec.ts';
import { roundResources } from '#lib/machinery/resource/quantities.ts';
import { keepField, statusStrategy } from '../../shared/status.ts';
import { normalizeDataSources } from './data-sources.ts';
import { validateClaimStatus } from './status.ts';
import { validateClaimChange } from './update.ts';

const SPEC = FieldPath.of('spec');
const CLASS = 'volume.beta.kubernetes.io/storage-class';

const SOURCES = ['dataSource', 'dataSourceRef'];
const GROUPS: readonly string[] = SOURCES.map((source) => SPEC.child(source, 'apiGroup').toString());

const validate = (claim: JsonObject): FieldError[] => validateClaimSpec(objectAt(claim, 'spec') ?? {}, SPEC);

/** Groups of sources were not checked once: where the stored claim has one, none is. */
function validateAgain(claim: JsonObject, old: JsonObject): FieldError[] {
  const errors = validate(claim);
  const hadGroup = SOURCES.some((source) => has(at(old, 'spec', source), 'apiGroup'));
  return hadGroup ? errors.filter(({ field }) => !GROUPS.includes(field)) : errors;
}

function warnings(claim: JsonObject): string[] {
  const annotated = has(at(claim, 'metadata', 'annotations'), CLASS);
  return [
    ...(annotated
      ? [`metadata.annotations[${CLASS}]: deprecated since v1.8; use "storageClassName" attribute instead`]
      : []),
    ...claimSpecWarnings(objectAt(claim, 'spec') ?? {}, SPEC),
  ];
}

/** Upstream's pkg/registry/core/persistentvolumeclaim. */
export const persistentVolumeClaimStrategy: KindStrategy = {
  hasGeneration: false,
  default(claim) {
    const spec = ensure(claim, 'spec');
    defaultClaimSpec(spec);
    roundResources(ensure(spec, 'resources'), 'limits', 'requests');
    const status = ensure(claim, 'status');
    unlessText(status, 'phase', 'Pending');
    roundResources(status, 'capacity', 'allocatedResources');
  },
  prepareForCreate(claim) {
    claim['status'] = { phase: 'Pending' };
    normalizeDataSources(ensure(claim, 'spec'));
  },
  prepareForUpdate(claim, old) {
    keepField(claim, old, 'status');
    normalizeDataSources(ensure(claim, 'spec'), objectAt(old, 'spec') ?? {});
  },
  validate,
  validateUpdate: (claim, old) => [...validateAgain(claim, old), ...validateClaimChange(claim, old)],
  warnings,
  subresources: { status: statusStrategy(validateClaimStatus) },
};
