import { shownField } from '#lib/api/internal-form.ts';
import type { CounterSet, Device, ResourcePool, ResourceSlice, ResourceSliceSpec } from '#lib/api/types/resource.v1.ts';
import { wasEmpty } from '#lib/machinery/empties.ts';
import { quote } from '#lib/machinery/go.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import { type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { isDNS1123Label } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateCSIDriverName } from '../core/persistent-volume/sources.ts';
import { validateNodeSelector } from '../core/pod/validation/node-selector.ts';
import { immutable } from '../shared/semantic.ts';
import { checked, NOT_POSITIVE, objectName } from '../shared/validate.ts';
import { counterErrors, deviceErrors } from './device.ts';
import { boundedSet, poolNameErrors } from './shared.ts';

const SPEC = FieldPath.of('spec');
const MAX_DEVICES = 128;
/** The maximum number of devices if any of them has taints or counters, which make it larger. */
const MAX_LARGE_DEVICES = 64;
const MAX_COUNTER_SETS = 8;

const nameOf = ({ name }: { name: string }): string => name;
const devicesOf = (slice: ResourceSlice | undefined): Device[] => slice?.spec.devices ?? [];

function validate(slice: ResourceSlice, old?: ResourceSlice): FieldError[] {
  const { spec } = slice;
  const devices = devicesOf(slice);
  const large = devices.some(({ taints = [], consumesCounters = [] }) => taints.length + consumesCounters.length > 0);
  const perDevice = spec.perDeviceNodeSelection === true;
  return [
    ...validateCSIDriverName(spec.driver, SPEC.child('driver')),
    ...poolErrors(spec.pool, SPEC.child('pool')),
    ...(old === undefined ? [] : kept(spec, old.spec)),
    ...nodeErrors(spec),
    ...(isGiven(spec, 'sharedCounters') && isGiven(spec, 'devices')
      ? [invalid(SPEC, '', 'only one of `sharedCounters` or `devices` is allowed')]
      : []),
    ...boundedSet(devices, large ? MAX_LARGE_DEVICES : MAX_DEVICES, SPEC.child('devices'), nameOf, (device, path) => {
      const before = devicesOf(old).find((one) => nameOf(one) === nameOf(device));
      return deviceErrors(device, before, path, perDevice);
    }),
    ...boundedSet(spec.sharedCounters ?? [], MAX_COUNTER_SETS, SPEC.child('sharedCounters'), nameOf, counterSet),
  ];
}

const isGiven = (spec: ResourceSliceSpec, field: 'sharedCounters' | 'devices'): boolean =>
  spec[field] !== undefined || wasEmpty(spec, field);

function counterSet(set: CounterSet, path: FieldPath): FieldError[] {
  const name = nameOf(set);
  const where = path.child('name');
  return [
    ...(name === '' ? [required(where)] : checked(name, where, isDNS1123Label)),
    ...counterErrors(set.counters, path.child('counters')),
  ];
}

function poolErrors(pool: ResourcePool, path: FieldPath): FieldError[] {
  const [slices, generation] = [pool.resourceSliceCount, pool.generation];
  return [
    ...poolNameErrors(pool.name, path.child('name')),
    ...(slices <= 0 ? [invalid(path.child('resourceSliceCount'), slices, NOT_POSITIVE)] : []),
    ...(generation < 0 ? [invalid(path.child('generation'), generation, 'must be greater than or equal to zero')] : []),
  ];
}

function kept(spec: ResourceSliceSpec, before: ResourceSliceSpec): FieldError[] {
  return [
    ...immutable(spec.pool, before.pool, 'name', SPEC.child('pool'), 'resource.v1.ResourcePool'),
    ...immutable(spec, before, 'driver', SPEC, 'resource.v1.ResourceSliceSpec'),
    ...immutable(spec, before, 'nodeName', SPEC, 'resource.v1.ResourceSliceSpec'),
  ];
}

const NODE_FIELDS = ['nodeName', 'nodeSelector', 'allNodes', 'perDeviceNodeSelection'] as const;
const ONE_OF = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

/** The spec must select the nodes that can reach the devices, in exactly one way. */
function nodeErrors(spec: ResourceSliceSpec): FieldError[] {
  const node = spec.nodeName ?? '';
  const selector = spec.nodeSelector;
  const terms = selector?.nodeSelectorTerms ?? [];
  const where = SPEC.child('nodeSelector');
  const falses = (['allNodes', 'perDeviceNodeSelection'] as const).filter((field) => spec[field] === false);
  const set = NODE_FIELDS.filter((field) => ![undefined, false, ''].some((unset) => spec[field] === unset));
  return [
    ...(spec.nodeName !== undefined && node === ''
      ? [invalid(SPEC.child('nodeName'), '', 'must be either unset or set to a non-empty string')]
      : []),
    ...(node === '' ? [] : objectName(node, SPEC.child('nodeName'))),
    ...(selector === undefined ? [] : validateNodeSelector(selector, where, false)),
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

/** Removes fields of disabled features: lists as attributes, and node resources that a device consumes. */
function dropDisabled(slice: ResourceSlice): void {
  for (const device of devicesOf(slice)) {
    delete device.nodeAllocatableResourceMappings;
    for (const [, attribute] of sortedEntries(device.attributes)) {
      for (const field of ['ints', 'bools', 'strings', 'versions'] as const) delete attribute[field];
    }
  }
}

/** Sets the time of taints without one. */
function stampTaints(slice: ResourceSlice, now: Date): void {
  const time = timeOf(now);
  for (const device of devicesOf(slice)) for (const taint of device.taints ?? []) taint.timeAdded ??= time;
}

function driverWarnings(slice: ResourceSlice): string[] {
  const driver = slice.spec.driver;
  if (driver === driver.toLowerCase()) return [];
  return [`spec.driver: driver names should be lowercase; ${quote(driver)} contains uppercase characters`];
}

/** Upstream's pkg/registry/resource/resourceslice. */
export const resourceSliceStrategy: KindStrategy<ResourceSlice> = {
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
    'spec.nodeName': slice.spec.nodeName ?? '',
    'spec.driver': slice.spec.driver,
  }),
};
