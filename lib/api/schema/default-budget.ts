import { countValues, encodeJson } from '#lib/machinery/json.ts';
import { MAX_BODY_BYTES } from '#lib/storage/limits.ts';
import type { Structural } from './structural.ts';

/**
 * The maximum number of fields and items, and bytes of JSON, that the defaults of a schema may add to one object. Upstream has no such
 * limit. Its defaults can turn a list of a few thousand empty items into hundreds of megabytes before storage rejects the object.
 */
export const MAX_DEFAULTS = { values: 50_000, bytes: MAX_BODY_BYTES } as const;

interface Weight {
  readonly values: number;
  readonly bytes: number;
}

/** The part of `MAX_DEFAULTS` that remains for one object. */
export class DefaultBudget {
  #values: number = MAX_DEFAULTS.values;
  #bytes: number = MAX_DEFAULTS.bytes;
  readonly #undo: (() => void)[] = [];

  get isExceeded(): boolean {
    return this.#values < 0 || this.#bytes < 0;
  }

  /** Charges for the default of a schema and the name of its field. Returns false if the budget is too small. */
  take(schema: Structural, name = ''): boolean {
    if (this.isExceeded) return false;
    const { values, bytes } = weightOf(schema);
    this.#values -= values;
    this.#bytes -= bytes + name.length;
    return !this.isExceeded;
  }

  /** Records a function that removes a default again. */
  filled(undo: () => void): void {
    this.#undo.push(undo);
  }

  /** Removes all defaults that were filled in. */
  revert(): void {
    for (const undo of this.#undo.splice(0).reverse()) undo();
  }
}

const weights = new WeakMap<Structural, Weight>();

/** Returns the weight of a schema's default. It is computed once, because parsed schemas do not change. */
function weightOf(schema: Structural): Weight {
  const known = weights.get(schema);
  if (known !== undefined) return known;
  const value = schema.default ?? null;
  const weight = { values: countValues(value, MAX_DEFAULTS.values), bytes: Buffer.byteLength(encodeJson(value)) };
  weights.set(schema, weight);
  return weight;
}

type Properties = readonly (readonly [name: string, schema: Structural])[];

const NONE: Properties = [];
const defaulted = new WeakMap<Structural, Properties>();

/**
 * Returns the properties of a schema that have a default. They are computed once, so the cost of an object does not depend on the width of
 * its schema.
 */
export function defaultedProperties(schema: Structural): Properties {
  if (schema.properties === undefined) return NONE;
  const known = defaulted.get(schema);
  if (known !== undefined) return known;
  const found = [...schema.properties].filter(([, property]) => property.default !== undefined);
  defaulted.set(schema, found);
  return found;
}
