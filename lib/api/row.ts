/** The row types of the generated table. Read the table through `types.ts`, never directly. */

/**
 * A field: [JSON name, type, protobuf number, flags, extras]. Flags: `*` pointer, `!` encoded when empty, `z` omitted when zero, `r`
 * required, `d` the default is the type's zero, `b` published as a bare reference, `^` embedded struct.
 */
export type FieldRow = [
  name: string,
  type: string,
  number: number,
  flags: string,
  extras?: {
    readonly lt?: string;
    readonly lk?: readonly string[];
    readonly mt?: string;
    readonly ps?: string;
    readonly pk?: string;
    readonly d?: string | number | boolean;
  },
];

/**
 * A type. `f`: fields in encoding order. `k`: group, version and kind, empty for a type that exists in every group. `m`: has kind and
 * apiVersion.
 */
export interface TypeRow {
  f: FieldRow[];
  k?: readonly string[];
  m?: 1;
  mt?: string;
  un?: readonly {
    readonly discriminator?: string;
    readonly 'fields-to-discriminateBy': Readonly<Record<string, string>>;
  }[];
}

/** A subresource: [name, kind, verbs, group and version if they differ from the resource's]. */
export type SubresourceRow = [name: string, kind: string, verbs: string, groupVersion?: string];

/** A resource in the generated table: verbs in `v`, short names in `sn`, categories in `c`, subresources in `s`. */
export interface ResourceRow {
  /** Plural, singular, kind. */
  readonly n: readonly [string, string, string];
  readonly ns: 0 | 1;
  readonly v: string;
  /** Set if DELETE returns the object instead of a Status. */
  readonly d?: 1;
  readonly sn?: readonly string[];
  readonly c?: readonly string[];
  readonly s?: readonly SubresourceRow[];
}
/** A group and version in the generated table, with its resources. */
export interface GroupVersionRow {
  readonly g: string;
  readonly v: string;
  readonly r: readonly ResourceRow[];
}
