import { quote } from '#lib/machinery/go.ts';
import { ListValue, MapValue, ObjectValue, type Value } from '#lib/cel/values/value.ts';
import type { Type } from '#lib/cel/types/type.ts';

/** What `Object.spec{…}` makes: any fields, of any types. Its type says where in an object it belongs. */
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

/** Upstream's complaints about parts whose type names another place than the one where they stand. */
export function misplaced(value: Value, path: string): string[] {
  if (value instanceof ListValue)
    return Array.from({ length: value.size }, (_, i) => misplaced(value.get(i), path)).flat();
  if (value instanceof MapValue) return [...value.keys()].flatMap((key) => misplaced(value.get(key) ?? null, path));
  if (!(value instanceof DynamicObject)) return [];
  const { name } = value.type;
  const own =
    name === path
      ? []
      : [
          `unexpected type name ${quote(name)}, expected ${quote(path)}, which matches field name path from root Object type`,
        ];
  return [...own, ...[...value.fields].flatMap(([field, part]) => misplaced(part, `${path}.${field}`))];
}
