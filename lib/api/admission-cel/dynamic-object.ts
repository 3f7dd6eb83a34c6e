import type { Type } from '#lib/api/cel/types/type.ts';
import { ListValue, MapValue, ObjectValue, type Value } from '#lib/api/cel/values/value.ts';
import { quote } from '#lib/machinery/go.ts';

/** The value of `Object.spec{…}`, with any fields of any types. Its type is named after its path in the object. */
export class DynamicObject extends ObjectValue {
  readonly type: Type;
  readonly fields: ReadonlyMap<string, Value>;

  constructor(type: Type, fields: ReadonlyMap<string, Value>) {
    super();
    this.type = type;
    this.fields = fields;
  }

  get(field: string): Value | undefined {
    return this.fields.get(field);
  }

  equalTo(other: Value): boolean {
    return this === other;
  }
}

/** Upstream's errors for parts whose type name does not match their path in the object. */
export function misplaced(value: Value, path: string, found: string[] = []): string[] {
  if (value instanceof DynamicObject) {
    const { name } = value.type;
    if (name !== path) found.push(unexpected(name, path));
    for (const [field, part] of value.fields) if (isWhole(part)) misplaced(part, `${path}.${field}`, found);
  } else if (value instanceof ListValue) {
    for (let i = 0; i < value.size; i++) misplaced(value.get(i), path, found);
  } else if (value instanceof MapValue) {
    for (const key of value.keys()) misplaced(value.get(key) ?? null, path, found);
  }
  return found;
}

const isWhole = (value: Value): boolean => typeof value === 'object' && value !== null;

const unexpected = (name: string, path: string): string =>
  `unexpected type name ${quote(name)}, expected ${quote(path)}, which matches field name path from root Object type`;
