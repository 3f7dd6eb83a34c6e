import { typedPart } from '#lib/api/typed.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, has, items, text, texts } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
  tooMany,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { isDNS1123Label } from '#lib/machinery/validation/names.ts';
import { validateNodeSelector } from '../core/pod/validation/node-selector.ts';
import { validateCSIDriverName } from '../core/persistent-volume/sources.ts';
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
export function validateClaimStatus(claim: JsonObject, old: JsonObject): FieldError[] {
  const [status, before] = [objectAt(claim, 'status'), objectAt(old, 'status')];
  const allocated = new Set(items(at(status, 'allocation', 'devices'), 'results').map(deviceId));
  return [
    ...boundedSet(items(status, 'reservedFor'), MAX_CONSUMERS, RESERVED, (one) => text(one, 'uid'), consumerErrors),
    ...boundedSet(
      items(status, 'devices'),
      Number.POSITIVE_INFINITY,
      STATUS.child('devices'),
      deviceId,
      (device, path) => deviceErrors(device, path, allocated),
    ),
    ...reservations(claim, old),
    ...allocationErrors(claim, status, before),
  ];
}

const deviceId = (device: JsonObject): string => {
  const share = text(device, 'shareID');
  const id = ['driver', 'pool', 'device'].map((field) => text(device, field)).join('/');
  return share === '' ? id : `${id}/${share}`;
};

const consumerErrors = (consumer: JsonObject, path: FieldPath): FieldError[] =>
  ['resource', 'name', 'uid'].flatMap((field) => requiredText(consumer, field, path));

/** The id as upstream's struct. */
const shownId = (device: JsonObject): ReadonlyMap<string, string> =>
  new Map([
    ['Driver', text(device, 'driver')],
    ['Pool', text(device, 'pool')],
    ['Device', text(device, 'device')],
    ['ShareID', text(device, 'shareID')],
  ]);

const HEX = '[0-9A-Fa-f]';
const PLAIN = `${HEX}{8}-${HEX}{4}-${HEX}{4}-${HEX}{4}-${HEX}{12}`;
/** The forms that upstream's parser takes, by their length. */
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

function deviceErrors(device: JsonObject, path: FieldPath, allocated: ReadonlySet<string>): FieldError[] {
  const id = deviceId(device);
  const conditions = items(device, 'conditions');
  const where = path.child('conditions');
  return [
    ...placeErrors(device, path),
    ...(has(device, 'shareID') ? shareErrors(text(device, 'shareID'), path.child('shareID')) : []),
    ...(allocated.has(id) ? [] : [invalid(path, shownId(device), 'must be an allocated device in the claim')]),
    ...(conditions.length > MAX_CONDITIONS ? [tooMany(where, conditions.length, MAX_CONDITIONS)] : []),
    ...validateConditions(conditions, where),
    ...(has(device, 'data') ? rawErrors(ownField(device, 'data'), path.child('data')) : []),
  ];
}

function placeErrors(device: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...validateCSIDriverName(text(device, 'driver'), path.child('driver')),
    ...poolNameErrors(text(device, 'pool'), path.child('pool')),
    ...checked(text(device, 'device'), path.child('device'), isDNS1123Label),
  ];
}

/** Only what is allocated is reserved, and nobody comes anew while the claim goes. */
function reservations(claim: JsonObject, old: JsonObject): FieldError[] {
  const consumers = items(objectAt(claim, 'status'), 'reservedFor');
  if (consumers.length === 0) return [];
  if (!has(objectAt(claim, 'status'), 'allocation')) {
    return [forbidden(RESERVED, 'may not be specified when `allocated` is not set')];
  }
  const known = new Set(items(objectAt(old, 'status'), 'reservedFor').map((one) => text(one, 'uid')));
  const deleting = has(objectAt(claim, 'metadata'), 'deletionTimestamp');
  if (!deleting || consumers.every((one) => known.has(text(one, 'uid')))) return [];
  const late = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return [forbidden(RESERVED, late)];
}

/** An allocation is made and taken back as a whole. */
function allocationErrors(
  claim: JsonObject,
  status: JsonObject | undefined,
  before: JsonObject | undefined,
): FieldError[] {
  const allocation = objectAt(status, 'allocation');
  if (allocation === undefined) return [];
  if (has(before, 'allocation'))
    return immutable(status, before, 'allocation', STATUS, 'resource.v1.ResourceClaimStatus');
  const devices = objectAt(allocation, 'devices');
  const names = requestNames(at(claim, 'spec', 'devices'));
  const where = ALLOCATION.child('devices');
  const selector = objectAt(allocation, 'nodeSelector');
  return [
    ...bounded(items(devices, 'results'), 32, where.child('results'), (result, path) => [
      ...referenceError(text(result, 'request'), path.child('request'), names),
      ...placeErrors(result, path),
      ...bindingErrors(result, path),
    ]),
    ...bounded(items(devices, 'config'), 64, where.child('config'), (config, path) => [
      ...sourceErrors(text(config, 'source'), path.child('source')),
      ...referenceErrors(texts(config, 'requests'), path.child('requests'), names),
      ...opaqueErrors(config, path),
    ]),
    ...(selector === undefined
      ? []
      : validateNodeSelector(typedPart(selector), ALLOCATION.child('nodeSelector'), false)),
  ];
}

function sourceErrors(source: string, path: FieldPath): FieldError[] {
  if (source === '') return [required(path)];
  return ['FromClaim', 'FromClass'].includes(source) ? [] : [notSupported(path, source, ['FromClaim', 'FromClass'])];
}
