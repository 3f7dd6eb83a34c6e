import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, ensure, has, items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import type { KindStrategy } from '../../strategy.ts';
import { immutable } from '../shared/semantic.ts';
import { keepMetadata } from '../shared/status-metadata.ts';
import { keepField } from '../shared/status.ts';
import { defaultClaimSpec, validateClaimSpec } from './claim-spec.ts';
import { validateClaimStatus } from './claim-status.ts';

const SPEC = FieldPath.of('spec');

/** What drivers say of devices goes with the devices when they are taken back. */
function dropDeallocated(claim: JsonObject, old: JsonObject): void {
  const status = ensure(claim, 'status');
  if (arrayAt(status, 'devices').length === 0 || !has(objectAt(old, 'status'), 'allocation')) return;
  const id = (device: JsonObject): string =>
    ['driver', 'pool', 'device', 'shareID'].map((field) => text(device, field)).join('/');
  const idsOf = (one: JsonObject): string[] => items(at(one, 'status', 'allocation', 'devices'), 'results').map(id);
  const now = new Set(idsOf(claim));
  const gone = new Set(idsOf(old).filter((device) => !now.has(device)));
  const kept = items(status, 'devices').filter((device) => !gone.has(id(device)));
  if (kept.length > 0) status['devices'] = kept;
  else delete status['devices'];
}

/** Upstream's pkg/registry/resource/resourceclaim. Who may ask for admin access is its storage's to decide. */
export const resourceClaimStrategy: KindStrategy = {
  hasGeneration: false,
  default: (claim) => defaultClaimSpec(objectAt(claim, 'spec')),
  prepareForCreate(claim) {
    claim['status'] = {};
  },
  prepareForUpdate: (claim, old) => keepField(claim, old, 'status'),
  validate: (claim) => validateClaimSpec(objectAt(claim, 'spec'), SPEC),
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
