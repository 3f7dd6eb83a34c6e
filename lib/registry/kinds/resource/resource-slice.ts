import { typedPart } from '#lib/api/typed.ts';
import { shownField } from '#lib/api/internal-form.ts';
import { wasEmpty } from '#lib/machinery/empties.ts';
import { quote } from '#lib/machinery/go.ts';
import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';
import { count, flag, has, items, text } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { isDNS1123Label } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateCSIDriverName } from '../core/persistent-volume/sources.ts';
import { validateNodeSelector } from '../core/pod/validation/node-selector.ts';
import { immutable } from '../shared/semantic.ts';
import { NOT_POSITIVE, checked, objectName } from '../shared/validate.ts';
import { counterErrors, deviceErrors, mapItems } from './device.ts';
import { boundedSet, poolNameErrors } from './shared.ts';

const SPEC = FieldPath.of('spec');
const MAX_DEVICES = 128;
/** Devices with taints or counters are larger. */
const MAX_LARGE_DEVICES = 64;
const MAX_COUNTER_SETS = 8;

const nameOf = (object: JsonObject): string => text(object, 'name');
const devicesOf = (slice: JsonObject | undefined): JsonObject[] => items(objectAt(slice, 'spec'), 'devices');

function validate(slice: JsonObject, old?: JsonObject): FieldError[] {
  const spec = objectAt(slice, 'spec') ?? {};
  const devices = devicesOf(slice);
  const large = devices.some((device) =>
    ['taints', 'consumesCounters'].some((field) => arrayAt(device, field).length > 0),
  );
  const perDevice = flag(spec, 'perDeviceNodeSelection') === true;
  return [
    ...validateCSIDriverName(text(spec, 'driver'), SPEC.child('driver')),
    ...poolErrors(objectAt(spec, 'pool'), SPEC.child('pool')),
    ...(old === undefined ? [] : kept(spec, objectAt(old, 'spec') ?? {})),
    ...nodeErrors(spec),
    ...(isGiven(spec, 'sharedCounters') && isGiven(spec, 'devices')
      ? [invalid(SPEC, '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...boundedSet(devices, large ? MAX_LARGE_DEVICES : MAX_DEVICES, SPEC.child('devices'), nameOf, (device, path) => {
      const before = devicesOf(old).find((one) => nameOf(one) === nameOf(device));
      return deviceErrors(device, before, path, perDevice);
    }),
    ...boundedSet(items(spec, 'sharedCounters'), MAX_COUNTER_SETS, SPEC.child('sharedCounters'), nameOf, counterSet),
  ];
}

const isGiven = (spec: JsonObject, field: string): boolean => has(spec, field) || wasEmpty(spec, field);

function counterSet(set: JsonObject, path: FieldPath): FieldError[] {
  const name = nameOf(set);
  const where = path.child('name');
  return [
    ...(name === '' ? [required(where)] : checked(name, where, isDNS1123Label)),
    ...counterErrors(set, path.child('counters')),
  ];
}

function poolErrors(pool: JsonObject | undefined, path: FieldPath): FieldError[] {
  const [slices, generation] = [count(pool, 'resourceSliceCount'), count(pool, 'generation')];
  return [
    ...poolNameErrors(text(pool, 'name'), path.child('name')),
    ...(slices <= 0 ? [invalid(path.child('resourceSliceCount'), slices, NOT_POSITIVE)] : []),
    ...(generation < 0 ? [invalid(path.child('generation'), generation, 'must be greater than or equal to zero')] : []),
  ];
}

function kept(spec: JsonObject, before: JsonObject): FieldError[] {
  return [
    ...immutable(
      objectAt(spec, 'pool'),
      objectAt(before, 'pool'),
      'name',
      SPEC.child('pool'),
      'resource.v1.ResourcePool',
    ),
    ...immutable(spec, before, 'driver', SPEC, 'resource.v1.ResourceSliceSpec'),
    ...immutable(spec, before, 'nodeName', SPEC, 'resource.v1.ResourceSliceSpec'),
  ];
}

const NODE_FIELDS = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'];
const ONE_OF = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

/** Which nodes reach the devices: said in exactly one way. */
function nodeErrors(spec: JsonObject): FieldError[] {
  const node = text(spec, 'nodeName');
  const selector = objectAt(spec, 'nodeSelector');
  const terms = arrayAt(selector, 'nodeSelectorTerms');
  const where = SPEC.child('nodeSelector');
  const unset = (field: string): boolean => flag(spec, field) === false || (field === 'nodeName' && node === '');
  const set = NODE_FIELDS.filter((field) => has(spec, field) && !unset(field));
  const falses = ['allNodes', 'perDeviceNodeSelection'].filter((field) => flag(spec, field) === false);
  return [
    ...(has(spec, 'nodeName') && node === ''
      ? [invalid(SPEC.child('nodeName'), '', 'must be either unset or set to a non-empty string')]
      : []),
    ...(node === '' ? [] : objectName(node, SPEC.child('nodeName'))),
    ...(selector === undefined ? [] : validateNodeSelector(typedPart(selector), where, false)),
    ...(selector === undefined || terms.length === 1
      ? []
      : [
          invalid(
            where.child('nodeSelectorTerms'),
            shownField('core.v1.NodeSelector', selector, 'nodeSelectorTerms'),
            'must have exactly one node selector term',
          ),
        ]),
    ...falses.map((field) => invalid(SPEC.child(field), false, 'must be either unset or set to true')),
    ...oneOf(set),
  ];
}

function oneOf(set: readonly string[]): FieldError[] {
  if (set.length === 1) return [];
  if (set.length === 0) return [required(SPEC, ONE_OF)];
  return [
    invalid(SPEC, `{${set.map((field) => `\`${field}\``).join(', ')}}`, `${ONE_OF}, but multiple fields are set`),
  ];
}

/** What gates that are off do not let in: lists as attributes, and what of a node's own resources a device takes. */
function dropDisabled(slice: JsonObject): void {
  for (const device of devicesOf(slice)) {
    delete device['nodeAllocatableResourceMappings'];
    for (const [, attribute] of mapItems(device, 'attributes')) {
      for (const field of ['ints', 'bools', 'strings', 'versions']) delete attribute[field];
    }
  }
}

/** Taints say since when they are. */
function stampTaints(slice: JsonObject, now: Date): void {
  const time = timeText(instantOf(now));
  for (const device of devicesOf(slice)) for (const taint of items(device, 'taints')) taint['timeAdded'] ??= time;
}

function driverWarnings(slice: JsonObject): string[] {
  const driver = text(objectAt(slice, 'spec'), 'driver');
  if (driver === driver.toLowerCase()) return [];
  return [`spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`];
}

/** Upstream's pkg/registry/resource/resourceslice. */
export const resourceSliceStrategy: KindStrategy = {
  hasGeneration: true,
  prepareForCreate(slice, { now }) {
    dropDisabled(slice);
    stampTaints(slice, now);
  },
  prepareForUpdate(slice, _old, { now }) {
    dropDisabled(slice);
    stampTaints(slice, now);
  },
  validate: (slice) => validate(slice),
  validateUpdate: validate,
  warnings: driverWarnings,
  selectableFields: (slice) => ({
    'spec.nodeName': text(objectAt(slice, 'spec'), 'nodeName'),
    'spec.driver': text(objectAt(slice, 'spec'), 'driver'),
  }),
};
