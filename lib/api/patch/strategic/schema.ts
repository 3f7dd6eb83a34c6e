/**
 * The schema of a type for strategic merge patch: upstream's LookupPatchMeta over Go's structs. Only structs have
 * fields; a patch that goes into any other value is refused with `kind` in the message.
 */
export interface PatchSchema {
  /** The type's Go name, for messages. */
  readonly name: string;
  /** Go's reflect.Kind. */
  readonly kind: 'struct' | 'map' | 'slice' | 'ptr' | 'string' | 'bool' | 'int' | 'float64' | 'interface';
  /** Undefined where a struct has no such field. */
  readonly field?: (name: string) => PatchField | undefined;
  /** Of a slice: its elements. */
  readonly items?: PatchSchema;
}

/** A struct's field: its type, and what its tags say of patches. */
export interface PatchField {
  readonly type: PatchSchema;
  /** `merge`, `replace`, `retainKeys`, or two of them. */
  readonly strategies: readonly string[];
  /** The field that tells a list's items apart; empty for lists of scalars. */
  readonly mergeKey: string;
}
