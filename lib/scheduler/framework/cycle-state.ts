/** A plugin's own state within one attempt. `clone` gives one that changes apart: preemption tries what is not so. */
export interface StateData {
  clone(): StateData;
}

/** Names a piece of state and says its type: made once by the plugin that owns it. */
export interface StateKey<T extends StateData> {
  readonly name: string;
  /** Never set: it carries the type. */
  readonly of?: T;
}

/** The data that plugins keep between the steps of one attempt to place one pod: upstream's CycleState. */
export class CycleState {
  readonly #data = new Map<object, StateData>();
  /** Plugins whose PreFilter had nothing to look at: their Filter does not run. */
  readonly skipFilter = new Set<string>();
  /** The same for PreScore and Score. */
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
