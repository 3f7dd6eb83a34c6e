/** A plugin's state within one attempt. `clone` returns an independent copy for the trials of preemption. */
export interface StateData {
  clone(): StateData;
}

/** A typed key for a plugin's state. The owning plugin creates it once. */
export interface StateKey<T extends StateData> {
  readonly name: string;
  /** Never set; carries the type only. */
  readonly of?: T;
}

/** The data that plugins share between the steps of one scheduling attempt: upstream's CycleState. */
export class CycleState {
  readonly #data = new Map<object, StateData>();
  /** Plugins whose PreFilter returned Skip. Their Filter does not run. */
  readonly skipFilter = new Set<string>();
  /** Plugins whose PreScore returned Skip. Their Score does not run. */
  readonly skipScore = new Set<string>();

  read<T extends StateData>(key: StateKey<T>): T | undefined {
    return this.#data.get(key) as T | undefined;
  }

  write<T extends StateData>(key: StateKey<T>, data: T): void {
    this.#data.set(key, data);
  }

  clone(): CycleState {
    const copy = new CycleState();
    for (const [key, data] of this.#data) copy.#data.set(key, data.clone());
    for (const name of this.skipFilter) copy.skipFilter.add(name);
    for (const name of this.skipScore) copy.skipScore.add(name);
    return copy;
  }
}
