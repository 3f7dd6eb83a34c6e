import type { PersistentVolume, PersistentVolumeClaim, PersistentVolumeClaimStatus } from '#lib/api/types/core.v1.ts';
import {
  annotated,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  isAnnotated,
} from '#lib/helpers/component-helpers/storage/volume/annotations.ts';
import { capacityOf } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import { defined } from '#lib/machinery/defined.ts';
import { equal, ownField } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { compareQuantities, parseQuantity, QuantityError } from '#lib/machinery/resource/quantity.ts';

const PRE_RESIZE = 'volume.alpha.kubernetes.io/pre-resize-capacity';

/** The volume without its claim. A volume that a user reserved for a claim stays reserved. */
export function unboundVolume(volume: PersistentVolume): PersistentVolume {
  const { claimRef, ...spec } = volume.spec;
  if (isAnnotated(volume, BOUND_BY_CONTROLLER))
    return annotated({ ...volume, spec }, { [BOUND_BY_CONTROLLER]: undefined });
  const { uid: _, ...kept } = claimRef ?? {};
  return { ...volume, spec: { ...spec, claimRef: kept } };
}

/** The claim as bound to the volume. Undefined if it already is. */
export function boundClaim(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim | undefined {
  const names = (claim.spec.volumeName ?? '') === nameOf(volume);
  if (names && isAnnotated(claim, BIND_COMPLETED)) return undefined;
  if (names) return annotated(claim, { [BIND_COMPLETED]: 'yes' });
  const bound = { ...claim, spec: { ...claim.spec, volumeName: nameOf(volume) } };
  return annotated(bound, { [BOUND_BY_CONTROLLER]: 'yes', [BIND_COMPLETED]: 'yes' });
}

/** The claim with the status of an unbound claim. Undefined if it already has it. */
export function unboundStatus(claim: PersistentVolumeClaim, phase: string): PersistentVolumeClaim | undefined {
  const { accessModes: _, capacity: __, currentVolumeAttributesClassName: ___, ...status } = claim.status;
  return differing(claim, { ...status, phase });
}

/** The claim with the status of a claim bound to the volume. Undefined if it already has it. */
export function boundStatus(claim: PersistentVolumeClaim, volume: PersistentVolume): PersistentVolumeClaim | undefined {
  const { status } = claim;
  const { accessModes, volumeAttributesClassName } = volume.spec;
  const next: PersistentVolumeClaimStatus = { ...status, phase: 'Bound', ...defined({ accessModes }) };
  // Later, a claim's capacity may differ on purpose until its file system has been expanded.
  if (status.phase !== 'Bound') next.capacity = capacityFor(status, volume);
  if (status.phase === 'Pending') setOrDrop(next, volumeAttributesClassName);
  return differing(claim, next);
}

function setOrDrop(status: PersistentVolumeClaimStatus, name: string | undefined): void {
  if (name === undefined) delete status.currentVolumeAttributesClassName;
  else status.currentVolumeAttributesClassName = name;
}

function capacityFor(
  { capacity: known }: PersistentVolumeClaimStatus,
  volume: PersistentVolume,
): Record<string, string> {
  const before = annotationsOf(volume)[PRE_RESIZE];
  const { capacity = {} } = volume.spec;
  if (before !== undefined)
    return { ...known, storage: isQuantity(before) ? before : (ownField(capacity, 'storage') ?? '') };
  const held = ownField(known, 'storage') ?? '';
  const isSame = held !== '' && compareQuantities(parseQuantity(held), capacityOf(volume)) === 0;
  return isSame ? (known ?? {}) : capacity;
}

function isQuantity(value: string): boolean {
  try {
    return parseQuantity(value) !== undefined;
  } catch (error) {
    if (error instanceof QuantityError) return false;
    throw error;
  }
}

const differing = (
  claim: PersistentVolumeClaim,
  status: PersistentVolumeClaimStatus,
): PersistentVolumeClaim | undefined => (equal(claim.status, status) ? undefined : { ...claim, status });
