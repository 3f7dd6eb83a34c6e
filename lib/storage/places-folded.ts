/** Folds several changes of one object in a row into one change of its entries in indexes. A place names a value's entries. */
export class PlacesFolded {
  readonly #passed: Set<string>;
  /** Those that it has had all the time: their entries are there, and right. */
  #kept: ReadonlySet<string>;
  #now: ReadonlySet<string>;

  /** `before`: the places of the state that the first change replaced. */
  constructor(before: ReadonlySet<string>) {
    this.#now = before;
    this.#kept = before;
    this.#passed = new Set(before);
  }

  /** Takes the places of the next state; none where the object went. */
  take(places: ReadonlySet<string>): void {
    this.#now = places;
    this.#kept = this.#kept.intersection(places);
    for (const place of places) this.#passed.add(place);
  }

  /** The places to enter: also one that was lost and came back, whose end an earlier, late fold may still enter. */
  get added(): readonly string[] {
    return [...this.#now].filter((place) => !this.#kept.has(place));
  }

  get gone(): readonly string[] {
    return [...this.#passed].filter((place) => !this.#now.has(place));
  }
}
