import type { Json } from '#lib/machinery/json-value.ts';
import type { GroupVersionKind } from '#lib/machinery/schema.ts';
import table from './generated/types.json' with { type: 'json' };
import type { FieldRow, TypeRow } from './row.ts';
import { parseValue, type ValueFacts } from './values.ts';

/** One field of a built-in type, as it appears in JSON. */
export interface FieldFacts {
  readonly name: string;
  /** The index among the fields of its type. */
  readonly index: number;
  readonly value: ValueFacts;
  /** The protobuf field number. 0 if protobuf does not have the field. */
  readonly number: number;
  /** Whether the field is a Go pointer, which distinguishes absent from zero. */
  readonly pointer: boolean;
  /** Whether the field is encoded even if empty (no `omitempty`). */
  readonly always: boolean;
  /** Whether the field is a struct or time that is omitted if zero (`omitzero`). */
  readonly omitZero: boolean;
  readonly required: boolean;
  /** The schema's default, for list-map keys and defaulting. Undefined if there is none. */
  readonly default: Json | undefined;
  readonly listType: string | undefined;
  readonly listMapKeys: readonly string[];
  readonly mapType: string | undefined;
  /** The strategies for strategic merge: `merge`, `retainKeys`, `replace`, or several. */
  readonly patchStrategy: readonly string[];
  readonly patchMergeKey: string | undefined;
  /** The Go names of the embedded structs between the type and this field, outermost first. */
  readonly embedded: readonly string[];
  /** Whether the field is published as a bare `$ref` instead of a `$ref` within `allOf`. */
  readonly bare: boolean;
}

/** A field or an embedded struct in encoding order. Protobuf nests embedded structs, JSON does not. */
interface MessageField {
  readonly number: number;
  readonly field: FieldFacts | undefined;
  readonly embedded: string | undefined;
}

/** A struct type and its fields. */
export interface TypeFacts {
  /** The short name: `core.v1.PodSpec`. */
  readonly name: string;
  /** The Go struct's name, shown in decode errors. */
  readonly go: string;
  /** The kind. Absent if the type exists in every group (DeleteOptions, WatchEvent) or is not a kind. */
  readonly kind: GroupVersionKind | undefined;
  /** Whether the type exists in every group-version. */
  readonly everywhere: boolean;
  readonly hasTypeMeta: boolean;
  /** `atomic` if server-side apply treats the struct as a whole. */
  readonly mapType: string | undefined;
  readonly unions: TypeRow['un'];
  /** The fields in encoding order: embedded structs are flattened, and `kind` and `apiVersion` come first. */
  readonly fields: readonly FieldFacts[];
  readonly field: ReadonlyMap<string, FieldFacts>;
  readonly message: readonly MessageField[];
}

const rows = table as unknown as Record<string, TypeRow>;
const built = new Map<string, TypeFacts>();

/** The short names of the types that always exist, not including those from `addTypes`. */
export const SERVED_TYPE_NAMES: readonly string[] = Object.keys(rows);

/** Adds types that only exist on request. See `unserved.ts`. */
export function addTypes(more: Readonly<Record<string, TypeRow>>): void {
  Object.assign(rows, more);
}

/** The short names of all types. */
export const typeNames = (): string[] => Object.keys(rows);

/** The kinds that belong to one group-version, with the short names of their types. */
export const kindNames = (): (readonly [GroupVersionKind, string])[] =>
  Object.entries(rows).flatMap(([name, { k = [] }]) => {
    const [group = '', version = '', kind] = k;
    return kind === undefined ? [] : [[{ group, version, kind }, name] as const];
  });

/** The facts of a type by its short name (`core.v1.PodSpec`), built on first use. */
export function typeFacts(name: string): TypeFacts {
  let facts = built.get(name);
  if (facts === undefined) {
    facts = build(name);
    built.set(name, facts);
  }
  return facts;
}

/** Whether the generated table contains a type with this name. */
export const hasType = (name: string): boolean => Object.hasOwn(rows, name);

function build(name: string): TypeFacts {
  const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
  if (row === undefined) throw new Error(`unknown type ${name}`);
  const message = row.f.map(messageField);
  const fields = [...(row.m === 1 ? TYPE_META : []), ...message.flatMap(flatten)].map((it, index) => ({
    ...it,
    index,
  }));
  const [group, version, kind] = row.k ?? [];
  return {
    name,
    go: name.slice(name.lastIndexOf('.') + 1),
    kind: kind === undefined ? undefined : { group: group ?? '', version: version ?? '', kind },
    everywhere: row.k?.length === 0,
    hasTypeMeta: row.m === 1,
    mapType: row.mt,
    unions: row.un,
    fields,
    field: new Map(fields.map((field) => [field.name, field])),
    message,
  };
}

function messageField(row: FieldRow): MessageField {
  const [, type, number, flags] = row;
  if (flags === '^') return { number, field: undefined, embedded: type };
  return { number, field: fieldFacts(row), embedded: undefined };
}

function flatten({ field, embedded }: MessageField): FieldFacts[] {
  if (field !== undefined) return [field];
  const inner = typeFacts(embedded as string);
  return inner.fields.map((it) => ({ ...it, embedded: [inner.go, ...it.embedded] }));
}

function fieldFacts([name, type, number, flags, extras = {}]: FieldRow): FieldFacts {
  const value = parseValue(type);
  return {
    name,
    index: 0,
    value,
    number,
    pointer: flags.includes('*'),
    always: flags.includes('!'),
    omitZero: flags.includes('z'),
    required: flags.includes('r'),
    default: extras.d ?? (flags.includes('d') ? zero(value) : undefined),
    listType: extras.lt,
    listMapKeys: extras.lk ?? [],
    mapType: extras.mt,
    patchStrategy: extras.ps?.split(',') ?? [],
    patchMergeKey: extras.pk,
    embedded: [],
    bare: flags.includes('b'),
  };
}

/** Go's zero value as it appears in JSON. */
function zero({ form }: ValueFacts): Json {
  switch (form) {
    case 'int32':
    case 'int64':
    case 'double':
      return 0;
    case 'bool':
      return false;
    case 'struct':
      return {};
    default:
      return '';
  }
}

const TYPE_META: readonly FieldFacts[] = ['kind', 'apiVersion'].map((name) => ({
  ...fieldFacts([name, 'string', 0, '']),
  embedded: ['TypeMeta'],
}));
