import { typedPart } from '#lib/api/typed.ts';
import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { flag, has, items, text } from '#lib/machinery/unstructured.ts';
import {
  forbidden,
  invalid,
  required,
  tooLong,
  tooMany,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { isDNS1123Label } from '#lib/machinery/validation/names.ts';
import { validateNodeSelector } from '../core/pod/validation/node-selector.ts';
import { checked, objectName } from '../shared/validate.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { requestPolicyErrors } from './request-policy.ts';
import { bindingErrors, bounded, boundedSet, qualifiedDeviceName, taintErrors } from './shared.ts';

const MAX_PARTS = 32;
const MAX_TAINTS = 16;
const MAX_CONSUMPTIONS = 2;
export const MAX_COUNTERS = 32;

/** The values of the map at `field`, each with its key; sorted, as maps have no order. */
export function mapItems(object: JsonObject, field: string): [string, JsonObject][] {
  const map = objectAt(object, field) ?? {};
  return Object.keys(map)
    .sort()
    .map((key) => [key, objectAt(map, key) ?? {}]);
}

/** Upstream's validateDevice; taints that a device has already are not checked again. */
export function deviceErrors(
  device: JsonObject,
  old: JsonObject | undefined,
  path: FieldPath,
  perDevice: boolean,
): FieldError[] {
  const parts = mapItems(device, 'attributes').length + mapItems(device, 'capacity').length;
  const many = `the total number of attributes and capacities must not exceed ${MAX_PARTS}`;
  const taints = items(device, 'taints');
  const sameTaints = old !== undefined && semanticEqual(taints, items(old, 'taints'));
  return [
    ...checked(text(device, 'name'), path.child('name'), isDNS1123Label),
    ...(parts > MAX_PARTS ? [invalid(path, parts, many)] : []),
    ...attributes(device, path.child('attributes')),
    ...capacities(device, path.child('capacity')),
    ...(sameTaints ? [] : bounded(taints, MAX_TAINTS, path.child('taints'), taintErrors)),
    ...consumptions(items(device, 'consumesCounters'), path.child('consumesCounters')),
    ...(perDevice ? ownNodes(device, path) : noNodes(device, path)),
    ...bindingErrors(device, path),
  ];
}

function attributes(device: JsonObject, path: FieldPath): FieldError[] {
  return mapItems(device, 'attributes').flatMap(([name, attribute]) => [
    ...qualifiedDeviceName(name, path),
    ...attributeErrors(attribute, path.key(name)),
  ]);
}

const VALUES = ['bool', 'int', 'string', 'version'];
const MAX_VALUE = 64;
const PART = '(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const SEMVER = new RegExp(
  `^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-${PART}(\\.${PART})*)?(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?$`,
);

function attributeErrors(attribute: JsonObject, path: FieldPath): FieldError[] {
  const set = VALUES.filter((field) => has(attribute, field));
  const version = text(attribute, 'version');
  const long = (field: string): FieldError[] =>
    byteLength(text(attribute, field)) > MAX_VALUE ? [tooLong(path.child(field), MAX_VALUE)] : [];
  const wrong = has(attribute, 'version') && (version.length > 1024 || !SEMVER.test(version));
  return [
    ...long('string'),
    ...(wrong
      ? [invalid(path.child('version'), version, 'must be a string compatible with semver.org spec 2.0.0')]
      : []),
    ...long('version'),
    ...(set.length === 1
      ? []
      : [invalid(path, set.length === 0 ? '' : shown(attribute), 'exactly one value must be specified')]),
  ];
}

/** As Go's JSON has the attribute's internal type. */
function shown(attribute: JsonObject): ReadonlyMap<string, unknown> {
  const names = ['int', 'bool', 'string', 'version'];
  const title = (name: string): string => name[0]?.toUpperCase() + name.slice(1);
  return new Map<string, unknown>([
    ...names.map((name) => [`${title(name)}Value`, ownField(attribute, name) ?? null] as const),
    ...names.map((name) => [`${title(name)}Values`, null] as const),
  ]);
}

/** How much of a capacity one request takes can be said only where several share the device. */
function capacities(device: JsonObject, path: FieldPath): FieldError[] {
  const shared = flag(device, 'allowMultipleAllocations') === true;
  return mapItems(device, 'capacity').flatMap(([name, capacity]) => {
    const policy = objectAt(capacity, 'requestPolicy');
    const where = path.key(name).child('requestPolicy');
    const errors = qualifiedDeviceName(name, path);
    if (policy === undefined) return errors;
    if (!shared) return [...errors, forbidden(where, 'allowMultipleAllocations must be true')];
    return [...errors, ...requestPolicyErrors(policy, ownField(capacity, 'value') ?? '0', where)];
  });
}

function consumptions(list: readonly JsonObject[], path: FieldPath): FieldError[] {
  return boundedSet(
    list,
    MAX_CONSUMPTIONS,
    path,
    (one) => text(one, 'counterSet'),
    (one, where) => {
      const name = text(one, 'counterSet');
      const at = where.child('counterSet');
      return [
        ...(name === '' ? [required(at)] : checked(name, at, isDNS1123Label)),
        ...counterErrors(one, where.child('counters')),
      ];
    },
  );
}

/** Counters of a set, by name. */
export function counterErrors(object: JsonObject, path: FieldPath): FieldError[] {
  const counters = mapItems(object, 'counters');
  if (counters.length === 0) return [required(path)];
  if (counters.length > MAX_COUNTERS) return [tooMany(path, counters.length, MAX_COUNTERS)];
  return counters.flatMap(([name]) => checked(name, path, isDNS1123Label));
}

const NODE_FIELDS = ['nodeName', 'nodeSelector', 'allNodes'];
const ONE_OF =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';

function ownNodes(device: JsonObject, path: FieldPath): FieldError[] {
  const node = text(device, 'nodeName');
  const selector = objectAt(device, 'nodeSelector');
  const unnamed = has(device, 'nodeName') && node === '';
  const none = flag(device, 'allNodes') === false;
  const set = NODE_FIELDS.filter(
    (field) => has(device, field) && !(field === 'nodeName' && unnamed) && !(field === 'allNodes' && none),
  );
  return [
    ...(unnamed ? [invalid(path.child('nodeName'), '', 'must not be empty')] : []),
    ...(node === '' ? [] : objectName(node, path.child('nodeName'))),
    ...(selector === undefined ? [] : validateNodeSelector(typedPart(selector), path.child('nodeSelector'), false)),
    ...(none ? [invalid(path.child('allNodes'), false, 'must be either unset or set to true')] : []),
    ...(set.length === 0 ? [required(path, ONE_OF)] : []),
    ...(set.length > 1 ? [invalid(path, `{${set.map((field) => `\`${field}\``).join(', ')}}`, ONE_OF)] : []),
  ];
}

function noNodes(device: JsonObject, path: FieldPath): FieldError[] {
  if (!NODE_FIELDS.some((field) => has(device, field))) return [];
  const text =
    '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  return [invalid(path, null, text)];
}
