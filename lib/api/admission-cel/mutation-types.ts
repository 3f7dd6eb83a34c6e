import type { TypeProvider } from '#lib/api/cel/types/provider.ts';
import { dynType, objectType, stringType, type Type } from '#lib/api/cel/types/type.ts';
import { CelError, type Value } from '#lib/api/cel/values/value.ts';
import { DynamicObject } from './dynamic-object.ts';

const OBJECT = 'Object';
/** The type of an apply configuration: `Object`. */
export const appliedType: Type = objectType(OBJECT);
/** The type of one JSON patch operation. */
export const jsonPatchType: Type = objectType('JSONPatch');

const OPERATION: ReadonlyMap<string, Type> = new Map([
  ['op', stringType],
  ['from', stringType],
  ['path', stringType],
  ['value', dynType],
]);

const isObjectName = (name: string): boolean => name === OBJECT || name.startsWith(`${OBJECT}.`);

/** The types that mutations create: `Object` and every `Object.path.to.field`, and `JSONPatch`. */
export const mutationTypes: TypeProvider = {
  findType: (name) => (isObjectName(name) || name === jsonPatchType.name ? objectType(name) : undefined),
  findField(typeName, field) {
    if (typeName === jsonPatchType.name) return OPERATION.get(field);
    return isObjectName(typeName) ? dynType : undefined;
  },
  newValue(typeName, fields) {
    const wrong = typeName === jsonPatchType.name ? wrongOperation(fields) : undefined;
    return wrong ?? new DynamicObject(objectType(typeName), fields);
  },
};

function wrongOperation(fields: ReadonlyMap<string, Value>): CelError | undefined {
  for (const [name, value] of fields) {
    if (name === 'value' || typeof value === 'string') continue;
    return new CelError(`unexpected type for JSONPatchType '${name}' field`);
  }
  return undefined;
}
