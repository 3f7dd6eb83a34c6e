/** Folds consecutive changes of an object into one change of its index entries. A place identifies the index entries for one value. */
export class PlacesFolded {
  readonly #passed: Set<string>;
  /** The places that every state of the object had. Their entries are already correct. */
  #kept: ReadonlySet<string>;
  #now: ReadonlySet<string>;

  /** `before` holds the places of the state that the first change replaced. */
  constructor(before: ReadonlySet<string>) {
    this.#now = before;
    this.#kept = before;
    this.#passed = new Set(before);
  }

  /** Adds the next state's places; an empty set if the object was deleted. */
  take(places: ReadonlySet<string>): void {
    this.#now = places;
    this.#kept = this.#kept.intersection(places);
    for (const place of places) this.#passed.add(place);
  }

  /**
   * The places to write. Includes each place that was removed and added again, because an earlier, delayed fold may still remove its
   * entries.
   */
  get added(): readonly string[] {
    return [...this.#now].filter((place) => !this.#kept.has(place));
  }

  get gone(): readonly string[] {
    return [...this.#passed].filter((place) => !this.#now.has(place));
  }
}
