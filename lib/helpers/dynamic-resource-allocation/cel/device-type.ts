import type { CostNode, Range } from '#lib/api/cel/cost/estimate.ts';
import { quantityType } from '#lib/api/cel/library/quantity.ts';
import type { TypeProvider } from '#lib/api/cel/types/provider.ts';
import { anyType, boolType, mapType, objectType, stringType, type Type } from '#lib/api/cel/types/type.ts';

const MAX_DRIVER = 63;
const MAX_DOMAIN = 63;
const MAX_ID = 32;
const MAX_VALUE = 64;
/** The maximum number of attributes and capacities of one device. */
const MAX_ENTRIES = 32;

/** The CEL type of the variable `device` in selectors. */
export const deviceType: Type = objectType('kubernetes.DRADevice');

const FIELDS: ReadonlyMap<string, Type> = new Map([
  ['driver', stringType],
  ['allowMultipleAllocations', boolType],
  ['attributes', mapType(stringType, mapType(stringType, anyType))],
  ['capacity', mapType(stringType, mapType(stringType, quantityType))],
]);

/** The fields of a device that selectors can use: values by domain and name (KEP-4381). */
export class DeviceTypes implements TypeProvider {
  findType(name: string): Type | undefined {
    return name === deviceType.name ? deviceType : undefined;
  }

  findField(typeName: string, field: string): Type | undefined {
    return typeName === deviceType.name ? FIELDS.get(field) : undefined;
  }
}

/** The maximum sizes of the parts of a device. */
interface Size {
  readonly max: number;
  readonly fields?: ReadonlyMap<string, Size>;
  readonly keys?: Size;
  readonly values?: Size;
}

const attribute: Size = { max: MAX_VALUE };
const byName = (values: Size): Size => ({ max: MAX_ENTRIES, keys: { max: MAX_ID }, values });
const byDomain = (values: Size): Size => ({ max: MAX_ENTRIES, keys: { max: MAX_DOMAIN }, values: byName(values) });

const device: Size = {
  max: 0,
  fields: new Map([
    ['driver', { max: MAX_DRIVER }],
    ['allowMultipleAllocations', { max: 1 }],
    ['attributes', byDomain(attribute)],
    ['capacity', byDomain({ max: 0 })],
  ]),
};

/** The maximum size of a value reached from `device` in an expression. */
export function deviceSize({ path }: CostNode): Range | undefined {
  const [root, ...steps] = path;
  if (root !== 'device') return undefined;
  const size = steps.reduce<Size | undefined>((at, step) => at && below(at, step), device);
  return size && { min: 0, max: size.max };
}

function below(size: Size, step: string): Size | undefined {
  if (step === '@items' || step === '@values') return size.values;
  if (step === '@keys') return size.keys;
  // Every attribute has the same maximum size, regardless of its name.
  return size.fields?.get(step) ?? (size.values === attribute ? attribute : undefined);
}
