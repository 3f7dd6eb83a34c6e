import { equal, objectAt, ownField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { parseQuantity, compareQuantities, QuantityError } from '#lib/machinery/resource/quantity.ts';
import {
  annotated,
  BIND_COMPLETED,
  BOUND_BY_CONTROLLER,
  isAnnotated,
} from '#lib/component-helpers/storage/volume/annotations.ts';
import { capacityOf, claimRefOf, specOf } from '#lib/component-helpers/storage/volume/match.ts';

const PRE_RESIZE = 'volume.alpha.kubernetes.io/pre-resize-capacity';

/** The volume as nobody's; one that the user kept for a claim is kept. */
export function unboundVolume(volume: JsonObject): JsonObject {
  const { claimRef: _, ...spec } = specOf(volume);
  if (isAnnotated(volume, BOUND_BY_CONTROLLER))
    return annotated({ ...volume, spec }, { [BOUND_BY_CONTROLLER]: undefined });
  const { uid: __, ...kept } = claimRefOf(volume) ?? {};
  return { ...volume, spec: { ...spec, claimRef: kept } };
}

/** The claim as bound to the volume; undefined where it is that already. */
export function boundClaim(claim: JsonObject, volume: JsonObject): JsonObject | undefined {
  const names = text(specOf(claim), 'volumeName') === nameOf(volume);
  if (names && isAnnotated(claim, BIND_COMPLETED)) return undefined;
  if (names) return annotated(claim, { [BIND_COMPLETED]: 'yes' });
  const bound = { ...claim, spec: { ...specOf(claim), volumeName: nameOf(volume) } };
  return annotated(bound, { [BOUND_BY_CONTROLLER]: 'yes', [BIND_COMPLETED]: 'yes' });
}

/** The status of a claim without a volume; undefined where it has it. */
export function unboundStatus(claim: JsonObject, phase: string): JsonObject | undefined {
  const {
    accessModes: _,
    capacity: __,
    currentVolumeAttributesClassName: ___,
    ...status
  } = objectAt(claim, 'status') ?? {};
  return differing(claim, { ...status, phase });
}

/** The status of a claim that is the volume's; undefined where it has it. */
export function boundStatus(claim: JsonObject, volume: JsonObject): JsonObject | undefined {
  const status = objectAt(claim, 'status') ?? {};
  const next: JsonObject = { ...status, phase: 'Bound' };
  const accessModes = ownField(specOf(volume), 'accessModes');
  if (accessModes !== undefined) next['accessModes'] = accessModes;
  // Later a claim's capacity may differ on purpose, until its file system has grown.
  if (status['phase'] !== 'Bound') next['capacity'] = capacityFor(status, volume);
  if (status['phase'] === 'Pending') setOrDrop(next, ownField(specOf(volume), 'volumeAttributesClassName'));
  return differing(claim, next);
}

function setOrDrop(status: JsonObject, name: Json | undefined): void {
  if (name === undefined) delete status['currentVolumeAttributesClassName'];
  else status['currentVolumeAttributesClassName'] = name;
}

function capacityFor(status: JsonObject, volume: JsonObject): JsonObject {
  const before = annotationsOf(volume)[PRE_RESIZE];
  const capacity = objectAt(specOf(volume), 'capacity') ?? {};
  const known = objectAt(status, 'capacity');
  if (before !== undefined) return { ...known, storage: isQuantity(before) ? before : text(capacity, 'storage') };
  const isSame =
    text(known, 'storage') !== '' && compareQuantities(parseQuantity(text(known, 'storage')), capacityOf(volume)) === 0;
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

const differing = (claim: JsonObject, status: JsonObject): JsonObject | undefined =>
  equal(objectAt(claim, 'status'), status) ? undefined : { ...claim, status };
