import type { DeviceRequestAllocationResult, ResourceClaim } from '#lib/api/types/resource.v1.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { immutable } from '../shared/semantic.ts';
import { keepField } from '../shared/status.ts';
import { keepMetadata } from '../shared/status-metadata.ts';
import { defaultClaimSpec, validateClaimSpec } from './claim-spec.ts';
import { validateClaimStatus } from './claim-status.ts';

const SPEC = FieldPath.of('spec');

type Device = Pick<DeviceRequestAllocationResult, 'driver' | 'pool' | 'device'> & { shareID?: string };

/** Removes the status of devices that are deallocated. */
function dropDeallocated(claim: ResourceClaim, old: ResourceClaim): void {
  const { status } = claim;
  if ((status.devices ?? []).length === 0 || old.status.allocation === undefined) return;
  const id = ({ driver, pool, device, shareID = '' }: Device): string => [driver, pool, device, shareID].join('/');
  const idsOf = (one: ResourceClaim): string[] => (one.status.allocation?.devices.results ?? []).map(id);
  const now = new Set(idsOf(claim));
  const gone = new Set(idsOf(old).filter((device) => !now.has(device)));
  const kept = (status.devices ?? []).filter((device) => !gone.has(id(device)));
  if (kept.length > 0) status.devices = kept;
  else delete status.devices;
}

/** Upstream's pkg/registry/resource/resourceclaim. The registry also authorizes requests for admin access. */
export const resourceClaimStrategy: KindStrategy<ResourceClaim> = {
  hasGeneration: false,
  default: (claim) => defaultClaimSpec(claim.spec),
  prepareForCreate(claim) {
    claim.status = {};
  },
  prepareForUpdate: (claim, old) => keepField(claim, old, 'status'),
  validate: (claim) => validateClaimSpec(claim.spec, SPEC),
  validateUpdate: (claim, old) => immutable(claim, old, 'spec', FieldPath.of(''), 'resource.v1.ResourceClaim'),
  subresources: {
    status: {
      prepareForUpdate(claim, old) {
        keepField(claim, old, 'spec');
        keepMetadata(claim, old);
        dropDeallocated(claim, old);
      },
      validateUpdate: validateClaimStatus,
    },
  },
};
