import type {
  AllocatedDeviceStatus,
  DeviceRequestAllocationResult,
  ResourceClaim,
  ResourceClaimConsumerReference,
  ResourceClaimStatus,
} from '#lib/api/types/resource.v1.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import {
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  tooMany,
} from '#lib/machinery/validation/field.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { isDNS1123Label } from '#lib/machinery/validation/names.ts';
import { validateCSIDriverName } from '../core/persistent-volume/sources.ts';
import { validateNodeSelector } from '../core/pod/validation/node-selector.ts';
import { validateConditions } from '../shared/conditions.ts';
import { immutable } from '../shared/semantic.ts';
import { checked, requiredText } from '../shared/validate.ts';
import { referenceError, referenceErrors, requestNames } from './claim-spec.ts';
import { bindingErrors, bounded, boundedSet, opaqueErrors, poolNameErrors, rawErrors } from './shared.ts';

const STATUS = FieldPath.of('status');
const RESERVED = STATUS.child('reservedFor');
const ALLOCATION = STATUS.child('allocation');
const MAX_CONSUMERS = 256;
const MAX_CONDITIONS = 8;

/** Upstream's ValidateResourceClaimStatusUpdate. */
export function validateClaimStatus(claim: ResourceClaim, old: ResourceClaim): FieldError[] {
  const [status, before] = [claim.status, old.status];
  const allocated = new Set((status.allocation?.devices.results ?? []).map(deviceId));
  return [
    ...boundedSet(status.reservedFor ?? [], MAX_CONSUMERS, RESERVED, (one) => one.uid, consumerErrors),
    ...boundedSet(status.devices ?? [], Number.POSITIVE_INFINITY, STATUS.child('devices'), deviceId, (device, path) =>
      deviceErrors(device, path, allocated),
    ),
    ...reservations(claim, old),
    ...allocationErrors(claim, status, before),
  ];
}

type DeviceKey = Pick<DeviceRequestAllocationResult, 'driver' | 'pool' | 'device'>;

const deviceId = ({ driver, pool, device, shareID = '' }: DeviceKey & { shareID?: string }): string =>
  [driver, pool, device, ...(shareID === '' ? [] : [shareID])].join('/');

const consumerErrors = (consumer: ResourceClaimConsumerReference, path: FieldPath): FieldError[] =>
  (['resource', 'name', 'uid'] as const).flatMap((field) => requiredText(consumer, field, path));

/** The ID in the form of upstream's struct. */
const shownId = (device: AllocatedDeviceStatus): ReadonlyMap<string, string> =>
  new Map([
    ['Driver', device.driver],
    ['Pool', device.pool],
    ['Device', device.device],
    ['ShareID', device.shareID ?? ''],
  ]);

const HEX = '[0-9A-Fa-f]';
const PLAIN = `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`;
/** The UUID forms that upstream's parser accepts, by length. */
const UID_FORMS: Readonly<Record<number, RegExp>> = {
  32: new RegExp(`^${HEX}{32}$`),
  36: new RegExp(`^${PLAIN}$`),
  38: new RegExp(`^.${PLAIN}.$`),
  45: new RegExp(`^urn:uuid:${PLAIN}$`, 'i'),
};
const NORMALIZED =
  'uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters';

function shareErrors(uid: string, path: FieldPath): FieldError[] {
  const length = byteLength(uid);
  const form = UID_FORMS[length];
  if (form === undefined) return [invalid(path, uid, `error validating uid: invalid UUID length: ${length}`)];
  if (!form.test(uid)) return [invalid(path, uid, 'error validating uid: invalid UUID format')];
  return length === 36 && uid === uid.toLowerCase() ? [] : [invalid(path, uid, NORMALIZED)];
}

function deviceErrors(device: AllocatedDeviceStatus, path: FieldPath, allocated: ReadonlySet<string>): FieldError[] {
  const id = deviceId(device);
  const conditions = device.conditions ?? [];
  const where = path.child('conditions');
  return [
    ...placeErrors(device, path),
    ...(device.shareID !== undefined ? shareErrors(device.shareID ?? '', path.child('shareID')) : []),
    ...(allocated.has(id) ? [] : [invalid(path, shownId(device), 'must be an allocated device in the claim')]),
    ...(conditions.length > MAX_CONDITIONS ? [tooMany(where, conditions.length, MAX_CONDITIONS)] : []),
    ...validateConditions(conditions, where),
    ...(device.data !== undefined && device.data !== null ? rawErrors(device.data, path.child('data')) : []),
  ];
}

function placeErrors(device: DeviceKey, path: FieldPath): FieldError[] {
  return [
    ...validateCSIDriverName(device.driver, path.child('driver')),
    ...poolNameErrors(device.pool, path.child('pool')),
    ...checked(device.device, path.child('device'), isDNS1123Label),
  ];
}

/** A claim can be reserved only while allocated. It gets no new consumers during deletion. */
function reservations(claim: ResourceClaim, old: ResourceClaim): FieldError[] {
  const consumers = claim.status.reservedFor ?? [];
  if (consumers.length === 0) return [];
  if (claim.status.allocation === undefined) {
    return [forbidden(RESERVED, 'may not be specified when `allocated` is not set')];
  }
  const known = new Set((old.status.reservedFor ?? []).map((one) => one.uid));
  if (!isDeleting(claim) || consumers.every((one) => known.has(one.uid))) return [];
  const late = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return [forbidden(RESERVED, late)];
}

/** An allocation can only be set or removed as a whole. */
function allocationErrors(
  claim: ResourceClaim,
  status: ResourceClaimStatus,
  before: ResourceClaimStatus,
): FieldError[] {
  const allocation = status.allocation;
  if (allocation === undefined) return [];
  if (before.allocation !== undefined)
    return immutable(status, before, 'allocation', STATUS, 'resource.v1.ResourceClaimStatus');
  const devices = allocation.devices;
  const names = requestNames(claim.spec.devices);
  const where = ALLOCATION.child('devices');
  const selector = allocation.nodeSelector;
  return [
    ...bounded(devices.results ?? [], 32, where.child('results'), (result, path) => [
      ...referenceError(result.request, path.child('request'), names),
      ...placeErrors(result, path),
      ...bindingErrors(result, path),
    ]),
    ...bounded(devices.config ?? [], 64, where.child('config'), (config, path) => [
      ...sourceErrors(config.source, path.child('source')),
      ...referenceErrors(config.requests ?? [], path.child('requests'), names),
      ...opaqueErrors(config, path),
    ]),
    ...(selector === undefined ? [] : validateNodeSelector(selector, ALLOCATION.child('nodeSelector'), false)),
  ];
}

function sourceErrors(source: string, path: FieldPath): FieldError[] {
  if (source === '') return [required(path)];
  return ['FromClaim', 'FromClass'].includes(source) ? [] : [notSupported(path, source, ['FromClaim', 'FromClass'])];
}
