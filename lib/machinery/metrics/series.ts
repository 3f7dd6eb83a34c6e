/** The maximum number of series in a metric. Names from requests are limited earlier. This limit is the last resort. */
const MAX_SERIES = 20_000;

interface SeriesEntry<T> {
  readonly values: readonly string[];
  readonly state: T;
}

/** A tree with one level for each label. A combined key would cost a new string for each observation. */
interface Branch<T> {
  readonly next: Map<string, Branch<T>>;
  kept?: SeriesEntry<T>;
}

/** The state of each combination of label values. Combinations beyond the limit are not reported. */
export class Series<T> {
  readonly #make: () => T;
  readonly #root: Branch<T> = { next: new Map() };
  readonly #all: SeriesEntry<T>[] = [];

  constructor(make: () => T) {
    this.#make = make;
  }

  at(values: readonly string[]): T {
    let branch: Branch<T> | undefined = this.#root;
    for (let i = 0; branch !== undefined && i < values.length; i++) branch = branch.next.get(values[i] as string);
    return branch?.kept?.state ?? this.#add(values);
  }

  #add(values: readonly string[]): T {
    const kept = { values, state: this.#make() };
    if (this.#all.length >= MAX_SERIES) return kept.state;
    this.#all.push(kept);
    branchOf(this.#root, values).kept = kept;
    return kept.state;
  }

  entries(): Iterable<SeriesEntry<T>> {
    return this.#all;
  }
}

function branchOf<T>(root: Branch<T>, values: readonly string[]): Branch<T> {
  let branch = root;
  for (const value of values) {
    const next = branch.next.get(value) ?? { next: new Map() };
    branch.next.set(value, next);
    branch = next;
  }
  return branch;
}
