import type { CelError, Value } from '../values/value.ts';
import type { Type } from './type.ts';

/** The named types of an environment beyond the language's own: upstream's `types.Provider`. */
export interface TypeProvider {
  /** The object type of this name. */
  findType(name: string): Type | undefined;
  /** The type of an object's field. */
  findField(typeName: string, field: string): Type | undefined;
  /** Creates a value of an object type from a literal `Name{field: value}`; absent if objects cannot be created. */
  newValue?(typeName: string, fields: ReadonlyMap<string, Value>): Value | CelError;
}
