import { shownField } from '#lib/api/internal-form.ts';
import type { CSINode, CSINodeDriver } from '#lib/api/types/storage.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { duplicate, type FieldError, FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { byteLength, IMMUTABLE } from '#lib/machinery/validation/messages.ts';
import type { KindStrategy } from '../../strategy.ts';
import { validateCSIDriverName } from '../core/persistent-volume/sources.ts';
import { repeatedAt } from '../shared/repeats.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { each, nonnegative, qualifiedName } from '../shared/validate.ts';

const DRIVERS = FieldPath.of('spec', 'drivers');
const MAX_NODE_ID = 256;

const driversOf = (node: CSINode): CSINodeDriver[] => node.spec.drivers ?? [];

function validate(node: CSINode): FieldError[] {
  const seen = new Set<string>();
  return each(driversOf(node), DRIVERS, (driver, path) => {
    const [name, id] = [driver.name, driver.nodeID];
    const where = path.child('nodeID');
    const again = seen.has(name) ? [duplicate(path.child('name'), name)] : [];
    seen.add(name);
    return [
      ...validateCSIDriverName(name, path.child('name')),
      ...(id === '' ? [required(where)] : []),
      ...(byteLength(id) > MAX_NODE_ID ? [invalid(where, id, `must be ${MAX_NODE_ID} characters or less`)] : []),
      ...nonnegative(driver.allocatable, path.child('allocatable'), 'count'),
      ...again,
      ...topologyKeys(driver.topologyKeys ?? [], path),
    ];
  });
}

function topologyKeys(keys: readonly string[], path: FieldPath): FieldError[] {
  const again = new Set(repeatedAt(keys));
  return keys.flatMap((key, i) => [
    ...(key === '' ? [required(path)] : []),
    ...(again.has(i) ? [duplicate(path, key)] : []),
    ...qualifiedName(key, path),
  ]);
}

/** For an existing driver, only the number of attachable volumes may change. */
function validateUpdate(node: CSINode, old: CSINode): FieldError[] {
  const fixed = ({ allocatable: _allocatable, ...rest }: CSINodeDriver): JsonObject => rest;
  const before = new Map(driversOf(old).map((driver) => [driver.name, driver]));
  const changed = driversOf(node).filter((driver) => {
    const stored = before.get(driver.name);
    return stored !== undefined && !semanticEqual(fixed(stored), fixed(driver));
  });
  return [...validate(node), ...changed.map((driver) => invalid(DRIVERS, shown(driver), IMMUTABLE))];
}

const shown = (driver: CSINodeDriver): ReadonlyMap<string, unknown> =>
  new Map<string, unknown>([
    ['Name', driver.name],
    ['NodeID', driver.nodeID],
    ['TopologyKeys', shownField('storage.v1.CSINodeDriver', driver, 'topologyKeys')],
    ['Allocatable', null],
  ]);

/** Upstream's pkg/registry/storage/csinode. */
export const csiNodeStrategy: KindStrategy<CSINode> = { allowUnconditionalUpdate: false, validate, validateUpdate };
