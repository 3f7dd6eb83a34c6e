import { fnv1a32 } from '#lib/machinery/fnv.ts';

/** A Go value with all the details that its dump contains. The functions below create it. */
export type GoValue =
  | { readonly kind: 'text'; readonly type: string; readonly text: string | Uint8Array }
  | { readonly kind: 'nil'; readonly type: string }
  | { readonly kind: 'pointer'; readonly to: GoValue }
  | { readonly kind: 'list'; readonly type: string; readonly items: readonly GoValue[] }
  | { readonly kind: 'map'; readonly type: string; readonly entries: readonly (readonly [string, GoValue])[] }
  | { readonly kind: 'struct'; readonly type: string; readonly fields: readonly (readonly [string, GoValue])[] };

/** A string, or a value of a named string type. */
export const goString = (text: string, type = 'string'): GoValue => ({ kind: 'text', type, text });
/** A boolean. */
export const goBool = (value: boolean): GoValue => ({ kind: 'text', type: 'bool', text: String(value) });
/** An integer of a type such as `int64`. */
export const goInt = (type: string, value: number | bigint): GoValue => ({ kind: 'text', type, text: String(value) });
/**
 * A nil pointer, slice, map or interface. The type of a pointer includes its star. Nil pointers may only be fields: as an item, Go's dump
 * loses the type that follows.
 */
export const goNil = (type: string): GoValue => ({ kind: 'nil', type });
/** A pointer. */
export const goPointer = (to: GoValue): GoValue => ({ kind: 'pointer', to });
/** A slice, nil if the items are undefined. */
export const goSlice = (type: string, items: readonly GoValue[] | undefined): GoValue =>
  items === undefined ? goNil(type) : { kind: 'list', type, items };
/** A `[]string`. */
export const goStrings = (items: readonly string[] | undefined): GoValue =>
  goSlice(
    '[]string',
    items?.map((item) => goString(item)),
  );
/** A `[]byte`. */
export const goBytes = (bytes: Uint8Array | undefined): GoValue =>
  goSlice('[]uint8', bytes && [...bytes].map((byte) => goInt('uint8', byte)));
/** A struct with its fields in declaration order. */
export const goStruct = (type: string, fields: Readonly<Record<string, GoValue>>): GoValue => ({
  kind: 'struct',
  type,
  fields: Object.entries(fields),
});

/** A map with string keys, nil if the entries are undefined. */
export const goMap = (type: string, entries: Iterable<readonly [string, GoValue]> | undefined): GoValue =>
  entries === undefined
    ? goNil(type)
    : { kind: 'map', type, entries: [...entries].sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b))) };

/** A map with integer keys, nil if the entries are undefined. */
export function goIntMap(type: string, entries: Iterable<readonly [number, GoValue]> | undefined): GoValue {
  if (entries === undefined) return goNil(type);
  const sorted = [...entries].sort(([a], [b]) => a - b);
  return { kind: 'map', type, entries: sorted.map(([key, value]) => [String(key), value]) };
}

/** The text of a value that upstream hashes: `dump.ForHash` of k8s.io/utils. */
export const dumpForHash = (value: GoValue): string => textOf(typed(value));

/** The text of a value without its type, for items of lists and entries of maps. */
export const bareDump = (value: GoValue): string => textOf(bare(value));

/** The checksum in a checkpoint for its data: FNV-1a 32 of the dump. */
export function checksumOf(data: GoValue): number {
  let hash: number | undefined;
  for (const part of typed(data)) hash = fnv1a32(part, hash);
  return fnv1a32('', hash);
}

/** Consecutive parts of a dump. Bytes are UTF-8, so that long lists are not converted to text for each checksum. */
type Parts = (string | Uint8Array)[];

const textOf = (parts: Parts): string => Buffer.concat(parts.map((part) => Buffer.from(part))).toString();

function typed(value: GoValue): Parts {
  const { stars, target } = pointedTo(value);
  return [`(${'*'.repeat(stars)}${target.type})`, ...content(target)];
}

function bare(value: GoValue): Parts {
  const { stars, target } = pointedTo(value);
  return [stars === 0 ? '' : `<${'*'.repeat(stars)}>`, ...content(target)];
}

type Pointed = Exclude<GoValue, { readonly kind: 'pointer' }>;

function pointedTo(value: GoValue): { readonly stars: number; readonly target: Pointed } {
  if (value.kind !== 'pointer') return { stars: 0, target: value };
  const { stars, target } = pointedTo(value.to);
  return { stars: stars + 1, target };
}

function content(value: Pointed): Parts {
  switch (value.kind) {
    case 'text':
      return [value.text];
    case 'nil':
      return ['<nil>'];
    case 'list':
      return ['[', ...spaced(value.items.map(bare)), ']'];
    case 'map':
      return ['map[', ...spaced(value.entries.map(([key, item]) => [`${key}:`, ...bare(item)])), ']'];
    case 'struct':
      return ['{', ...spaced(value.fields.map(([name, item]) => [`${name}:`, ...typed(item)])), '}'];
  }
}

const spaced = (all: readonly Parts[]): Parts => all.flatMap((parts, index) => (index === 0 ? parts : [' ', ...parts]));
