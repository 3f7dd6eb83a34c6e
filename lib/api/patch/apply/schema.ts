import type { Json, JsonObject } from '#lib/machinery/json-value.ts';

/**
 * The schema of a type for structured merge: upstream's `schema.Atom`. A type may allow several forms at once (IntOrString, free-form
 * values), and the value's own form then decides. Adapters create `items`, `values` and fields' types lazily, because types are recursive.
 */
export interface TypedSchema {
  readonly scalar?: Scalar;
  readonly list?: ListType;
  readonly map?: MapType;
  /** The encoded zero value of a built-in kind, including nested structs. If absent, it is `{}`. */
  readonly zero?: JsonObject;
}

/** The type of a scalar. */
export type Scalar = 'numeric' | 'string' | 'boolean' | 'untyped';

/** The type of a list, and how its items are owned. */
export interface ListType {
  /** An atomic list is owned as a whole. An associative list is owned by item: by a map's key fields, or by the scalar itself. */
  readonly relationship: 'atomic' | 'associative';
  /** The key fields of a list of maps; empty for a set. */
  readonly keys: readonly string[];
  readonly items: TypedSchema;
}

/** The type of a map or struct, and how its entries are owned. */
export interface MapType {
  /** An atomic map or struct is owned as a whole. */
  readonly atomic: boolean;
  readonly fields: ReadonlyMap<string, Field>;
  /** The type of fields that are not in `fields`. If absent, no other fields are allowed. */
  readonly values?: TypedSchema;
}

/** The type of one field of a struct. */
export interface Field {
  readonly type: TypedSchema;
  /** The value of an absent key field of a list item. */
  readonly default?: Json;
}

const NO_FIELDS: ReadonlyMap<string, Field> = new Map();

/** Any value, with each list and map owned as a whole. */
export const UNTYPED_ATOMIC: TypedSchema = {
  scalar: 'untyped',
  list: {
    relationship: 'atomic',
    keys: [],
    get items() {
      return UNTYPED_ATOMIC;
    },
  },
  map: {
    atomic: true,
    fields: NO_FIELDS,
    get values() {
      return UNTYPED_ATOMIC;
    },
  },
};

/** Any value without a schema: maps are granular, lists atomic. */
export const DEDUCED: TypedSchema = {
  scalar: 'untyped',
  list: {
    relationship: 'atomic',
    keys: [],
    get items() {
      return UNTYPED_ATOMIC;
    },
  },
  map: {
    atomic: false,
    fields: NO_FIELDS,
    get values() {
      return DEDUCED;
    },
  },
};

/** Returns the type of a map's field; undefined if the schema has none. */
export function fieldType(map: MapType, field: string): TypedSchema | undefined {
  return map.fields.get(field)?.type ?? map.values;
}
