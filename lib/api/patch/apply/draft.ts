import { type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';

interface Change {
  readonly object: JsonObject;
  readonly field: string;
  readonly before: Json | undefined;
}

/**
 * An object into which several configurations are merged in place. Shared parts are copied before their first change. The changes of the
 * last step can be undone, except for the order of fields.
 */
export class Draft {
  readonly #own = new WeakSet<JsonObject>();
  #changes: Change[] = [];

  /** The root's own fields may be changed from the start. */
  constructor(root: JsonObject) {
    this.#own.add(root);
  }

  /** Begins a step. `undo` reverts the changes after this, and `isChanged` reports whether there are any. */
  begin(): void {
    if (this.#changes.length > 0) this.#changes = [];
  }

  get isChanged(): boolean {
    return this.#changes.length > 0;
  }

  /** Returns the object itself if the draft owns it, otherwise a copy that it owns. */
  writable(object: JsonObject): JsonObject {
    if (this.#own.has(object)) return object;
    const copy = { ...object };
    this.#own.add(copy);
    return copy;
  }

  /** Records a field for undo. Call this before the field is changed. */
  note(object: JsonObject, field: string): void {
    this.#changes.push({ object, field, before: ownField(object, field) });
  }

  undo(): void {
    for (const { object, field, before } of this.#changes.reverse()) change(object, field, before);
    this.#changes = [];
  }
}

/** Sets or removes a field. If a draft exists, records the change in it. */
export function change(object: JsonObject, field: string, value: Json | undefined, draft?: Draft): void {
  draft?.note(object, field);
  if (value === undefined) delete object[field];
  else setField(object, field, value);
}
