/**
 * The schema of a type for strategic merge patch: upstream's LookupPatchMeta for Go's structs. Only structs have fields. A patch inside any
 * other value is rejected with a message that contains `kind`.
 */
export interface PatchSchema {
  /** The type's Go name, for messages. */
  readonly name: string;
  /** Go's reflect.Kind. */
  readonly kind: 'struct' | 'map' | 'slice' | 'ptr' | 'string' | 'bool' | 'int' | 'float64' | 'interface';
  /** Returns undefined if a struct has no such field. */
  readonly field?: (name: string) => PatchField | undefined;
  /** The elements of a slice. */
  readonly items?: PatchSchema;
}

/** A struct's field: its type, and the patch tags. */
export interface PatchField {
  readonly type: PatchSchema;
  /** `merge`, `replace`, `retainKeys`, or two of them. */
  readonly strategies: readonly string[];
  /** The field that identifies a list's items; empty for lists of scalars. */
  readonly mergeKey: string;
}
