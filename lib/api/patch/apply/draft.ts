import { type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';

interface Change {
  readonly object: JsonObject;
  readonly field: string;
  readonly before: Json | undefined;
}

/**
 * An object that configuration after configuration is merged into, in place: what it shares with others is copied when it is
 * first changed, and only then. The last changes can be undone, but for the order of fields.
 */
export class Draft {
  readonly #own = new WeakSet<JsonObject>();
  #changes: Change[] = [];

  /** The root's own fields may be changed from the beginning. */
  constructor(root: JsonObject) {
    this.#own.add(root);
  }

  /** Begins a step: `undo` takes back changes from here on, and `isChanged` reports them. */
  begin(): void {
    if (this.#changes.length > 0) this.#changes = [];
  }

  get isChanged(): boolean {
    return this.#changes.length > 0;
  }

  /** The object itself where it is the draft's own, else a copy that is. */
  writable(object: JsonObject): JsonObject {
    if (this.#own.has(object)) return object;
    const copy = { ...object };
    this.#own.add(copy);
    return copy;
  }

  /** To be told before a field is changed. */
  note(object: JsonObject, field: string): void {
    this.#changes.push({ object, field, before: ownField(object, field) });
  }

  undo(): void {
    for (const { object, field, before } of this.#changes.reverse()) change(object, field, before);
    this.#changes = [];
  }
}

/** Gives a field a value, or removes it; where there is a draft it is one of its changes. */
export function change(object: JsonObject, field: string, value: Json | undefined, draft?: Draft): void {
  draft?.note(object, field);
  if (value === undefined) delete object[field];
  else setField(object, field, value);
}
