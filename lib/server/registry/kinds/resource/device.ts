import type { Counter, Device, DeviceAttribute, DeviceCounterConsumption } from '#lib/api/types/resource.v1.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  required,
  tooLong,
  tooMany,
} from '#lib/machinery/validation/field.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { isDNS1123Label } from '#lib/machinery/validation/names.ts';
import { validateNodeSelector } from '../core/pod/validation/node-selector.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { checked, objectName } from '../shared/validate.ts';
import { requestPolicyErrors } from './request-policy.ts';
import { bindingErrors, bounded, boundedSet, qualifiedDeviceName, taintErrors } from './shared.ts';

const MAX_PARTS = 32;
const MAX_TAINTS = 16;
const MAX_CONSUMPTIONS = 2;
/** The maximum number of counters in a set. */
export const MAX_COUNTERS = 32;

/** Upstream's validateDevice. Taints that the device already has are not validated again. */
export function deviceErrors(
  device: Device,
  old: Device | undefined,
  path: FieldPath,
  perDevice: boolean,
): FieldError[] {
  const parts = Object.keys(device.attributes ?? {}).length + Object.keys(device.capacity ?? {}).length;
  const many = `the total number of attributes and capacities must not exceed ${MAX_PARTS}`;
  const taints = device.taints ?? [];
  const sameTaints = old !== undefined && semanticEqual(taints, old.taints ?? []);
  return [
    ...checked(device.name, path.child('name'), isDNS1123Label),
    ...(parts > MAX_PARTS ? [invalid(path, parts, many)] : []),
    ...attributes(device, path.child('attributes')),
    ...capacities(device, path.child('capacity')),
    ...(sameTaints ? [] : bounded(taints, MAX_TAINTS, path.child('taints'), taintErrors)),
    ...consumptions(device.consumesCounters ?? [], path.child('consumesCounters')),
    ...(perDevice ? ownNodes(device, path) : noNodes(device, path)),
    ...bindingErrors(device, path),
  ];
}

function attributes(device: Device, path: FieldPath): FieldError[] {
  return sortedEntries(device.attributes).flatMap(([name, attribute]) => [
    ...qualifiedDeviceName(name, path),
    ...attributeErrors(attribute, path.key(name)),
  ]);
}

const VALUES = ['bool', 'int', 'string', 'version'] as const;
const MAX_VALUE = 64;
const PART = '(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const SEMVER = new RegExp(
  `^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)(-${PART}(\\.${PART})*)?(\\+[0-9a-zA-Z-]+(\\.[0-9a-zA-Z-]+)*)?$`,
);

function attributeErrors(attribute: DeviceAttribute, path: FieldPath): FieldError[] {
  const set = VALUES.filter((field) => attribute[field] !== undefined);
  const version = attribute.version ?? '';
  const long = (field: 'string' | 'version'): FieldError[] =>
    byteLength(attribute[field] ?? '') > MAX_VALUE ? [tooLong(path.child(field), MAX_VALUE)] : [];
  const wrong = attribute.version !== undefined && (version.length > 1024 || !SEMVER.test(version));
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

/** The attribute in Go's JSON encoding of its internal type. */
function shown(attribute: DeviceAttribute): ReadonlyMap<string, unknown> {
  const names = ['int', 'bool', 'string', 'version'] as const;
  const title = (name: string): string => name[0]?.toUpperCase() + name.slice(1);
  return new Map<string, unknown>([
    ...names.map((name) => [`${title(name)}Value`, attribute[name] ?? null] as const),
    ...names.map((name) => [`${title(name)}Values`, null] as const),
  ]);
}

/** A request policy requires a device that several claims may share. */
function capacities(device: Device, path: FieldPath): FieldError[] {
  const shared = device.allowMultipleAllocations === true;
  return sortedEntries(device.capacity).flatMap(([name, capacity]) => {
    const policy = capacity.requestPolicy;
    const where = path.key(name).child('requestPolicy');
    const errors = qualifiedDeviceName(name, path);
    if (policy === undefined) return errors;
    if (!shared) return [...errors, forbidden(where, 'allowMultipleAllocations must be true')];
    return [...errors, ...requestPolicyErrors(policy, capacity.value, where)];
  });
}

function consumptions(list: readonly DeviceCounterConsumption[], path: FieldPath): FieldError[] {
  return boundedSet(
    list,
    MAX_CONSUMPTIONS,
    path,
    (one) => one.counterSet,
    (one, where) => {
      const name = one.counterSet;
      const at = where.child('counterSet');
      return [
        ...(name === '' ? [required(at)] : checked(name, at, isDNS1123Label)),
        ...counterErrors(one.counters, where.child('counters')),
      ];
    },
  );
}

/** Validates the counters of a set, by name. */
export function counterErrors(set: Record<string, Counter> | undefined, path: FieldPath): FieldError[] {
  const counters = sortedEntries(set);
  if (counters.length === 0) return [required(path)];
  if (counters.length > MAX_COUNTERS) return [tooMany(path, counters.length, MAX_COUNTERS)];
  return counters.flatMap(([name]) => checked(name, path, isDNS1123Label));
}

const NODE_FIELDS = ['nodeName', 'nodeSelector', 'allNodes'] as const;
const ONE_OF =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';

function ownNodes(device: Device, path: FieldPath): FieldError[] {
  const node = device.nodeName ?? '';
  const selector = device.nodeSelector;
  const unnamed = device.nodeName !== undefined && node === '';
  const none = device.allNodes === false;
  const set = NODE_FIELDS.filter(
    (field) => device[field] !== undefined && !(field === 'nodeName' && unnamed) && !(field === 'allNodes' && none),
  );
  return [
    ...(unnamed ? [invalid(path.child('nodeName'), '', 'must not be empty')] : []),
    ...(node === '' ? [] : objectName(node, path.child('nodeName'))),
    ...(selector === undefined ? [] : validateNodeSelector(selector, path.child('nodeSelector'), false)),
    ...(none ? [invalid(path.child('allNodes'), false, 'must be either unset or set to true')] : []),
    ...(set.length === 0 ? [required(path, ONE_OF)] : []),
    ...(set.length > 1 ? [invalid(path, `{${set.map((field) => `\`${field}\``).join(', ')}}`, ONE_OF)] : []),
  ];
}

function noNodes(device: Device, path: FieldPath): FieldError[] {
  if (NODE_FIELDS.every((field) => device[field] === undefined)) return [];
  const message =
    '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
  return [invalid(path, null, message)];
}
