import type { PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { roundResources } from '#lib/machinery/resource/quantities.ts';
import { type FieldError, FieldPath } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../../strategy.ts';
import { claimSpecWarnings, defaultClaimSpec, validateClaimSpec } from '../../shared/persistent-volume-claim-spec.ts';
import { keepField, statusStrategy } from '../../shared/status.ts';
import { normalizeDataSources } from './data-sources.ts';
import { validateClaimStatus } from './status.ts';
import { validateClaimChange } from './update.ts';

const SPEC = FieldPath.of('spec');
const CLASS = 'volume.beta.kubernetes.io/storage-class';

const SOURCES = ['dataSource', 'dataSourceRef'] as const;
const GROUPS: readonly string[] = SOURCES.map((source) => SPEC.child(source, 'apiGroup').toString());

const validate = (claim: PersistentVolumeClaim): FieldError[] => validateClaimSpec(claim.spec, SPEC);

/** Validates the API groups of data sources. Older servers did not, so a group in the stored claim disables the check. */
function validateAgain(claim: PersistentVolumeClaim, old: PersistentVolumeClaim): FieldError[] {
  const errors = validate(claim);
  const hadGroup = SOURCES.some((source) => typeof old.spec[source]?.apiGroup === 'string');
  return hadGroup ? errors.filter(({ field }) => !GROUPS.includes(field)) : errors;
}

function warnings(claim: PersistentVolumeClaim): string[] {
  const annotated = ownField(claim.metadata.annotations, CLASS) !== undefined;
  return [
    ...(annotated
      ? [`metadata.annotations[${CLASS}]: deprecated since v1.8; use "storageClassName" attribute instead`]
      : []),
    ...claimSpecWarnings(claim.spec, SPEC),
  ];
}

/** Upstream's pkg/registry/core/persistentvolumeclaim. */
export const persistentVolumeClaimStrategy: KindStrategy<PersistentVolumeClaim> = {
  hasGeneration: false,
  default(claim) {
    const { spec, status } = claim;
    defaultClaimSpec(spec);
    roundResources(spec.resources, 'limits', 'requests');
    status.phase ||= 'Pending';
    roundResources(status, 'capacity', 'allocatedResources');
  },
  prepareForCreate(claim) {
    claim.status = { phase: 'Pending' };
    normalizeDataSources(claim.spec);
  },
  prepareForUpdate(claim, old) {
    keepField(claim, old, 'status');
    normalizeDataSources(claim.spec, old.spec);
  },
  validate,
  validateUpdate: (claim, old) => [...validateAgain(claim, old), ...validateClaimChange(claim, old)],
  warnings,
  subresources: { status: statusStrategy(validateClaimStatus) },
};
