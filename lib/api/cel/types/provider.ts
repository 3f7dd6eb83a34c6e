import type { CelError, Value } from '../values/value.ts';
import type { Type } from './type.ts';

/** The named types of an environment beyond the language's own; upstream's `types.Provider`. */
export interface TypeProvider {
  /** The object type of this name. */
  findType(name: string): Type | undefined;
  /** The type of an object's field. */
  findField(typeName: string, field: string): Type | undefined;
  /** Makes a value of an object type from a literal `Name{field: value}`; absent where objects cannot be made. */
  newValue?(typeName: string, fields: ReadonlyMap<string, Value>): Value | CelError;
}
