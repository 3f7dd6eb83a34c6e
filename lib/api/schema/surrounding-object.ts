import { isObject, type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';

/** Upstream's `SurroundingObjectFunc`: builds an object around a single value of a schema. */
export class SurroundingObject {
  readonly #path: readonly (string | undefined)[];

  private constructor(path: readonly (string | undefined)[]) {
    this.#path = path;
  }

  static root(): SurroundingObject {
    return new SurroundingObject([]);
  }

  child(name: string): SurroundingObject {
    return new SurroundingObject([...this.#path, name]);
  }

  /** Descends into the single item of a list. */
  index(): SurroundingObject {
    return new SurroundingObject([...this.#path, undefined]);
  }

  build(focus: Json): JsonObject {
    const built = this.#path.reduceRight<Json>(wrap, focus);
    return isObject(built) ? built : {};
  }

  /** Returns the value at the focus; undefined if it no longer exists. */
  focus(object: JsonObject): Json | undefined {
    let value: Json | undefined = object;
    for (const name of this.#path) {
      if (name === undefined) value = Array.isArray(value) ? value[0] : undefined;
      else value = isObject(value) ? ownField(value, name) : undefined;
    }
    return value;
  }
}

function wrap(value: Json, name: string | undefined): Json {
  if (name === undefined) return [value];
  const object: JsonObject = {};
  setField(object, name, value);
  return object;
}
