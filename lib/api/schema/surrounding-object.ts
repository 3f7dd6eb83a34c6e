import { isObject, type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';

/** Upstream's `SurroundingObjectFunc`: the object in which a schema's value stands, built around one value. */
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

  /** The one item of a list. */
  index(): SurroundingObject {
    return new SurroundingObject([...this.#path, undefined]);
  }

  build(focus: Json): JsonObject {
    const built = this.#path.reduceRight<Json>(wrap, focus);
    return isObject(built) ? built : {};
  }

  /** The value at the place of the focus; undefined where it is gone. */
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
