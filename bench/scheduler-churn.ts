import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonObject, objectAt } from '#lib/machinery/json-value.ts';
import type { Connection } from './connection.ts';

/** Objects that are created, and possibly deleted again, while pods are placed. Equals upstream's opcode `churn`. */
export interface ChurnOf {
  /** The pause between two rounds in ms. */
  readonly every: number;
  /** Whether every second round deletes the objects of the previous round. */
  readonly recreates: boolean;
  /** The path of each collection, and the object to create in it. */
  readonly objects: readonly (readonly [path: string, object: JsonObject])[];
}

/** Creates the objects repeatedly until `ended`. */
export class Churn {
  readonly #api: Connection;
  readonly #of: ChurnOf;
  readonly #ending = new AbortController();
  readonly #work: Promise<void>;

  constructor(api: Connection, of: ChurnOf) {
    this.#api = api;
    this.#of = of;
    this.#work = this.#run();
  }

  async ended(): Promise<void> {
    this.#ending.abort();
    await this.#work;
  }

  async #run(): Promise<void> {
    const { every, recreates, objects } = this.#of;
    for (let round = 0; !this.#ending.signal.aborted; round++) {
      for (const [path, object] of objects)
        await this.#happen(path, object, recreates ? Math.floor(round / 2) : round, recreates && round % 2 === 1);
      await sleep(every, undefined, { signal: this.#ending.signal }).catch(() => undefined);
    }
  }

  async #happen(path: string, object: JsonObject, i: number, isLast: boolean): Promise<void> {
    const name = `churn-${i}`;
    if (isLast)
      await this.#api.ask('DELETE', `${path}/${name}`); // a controller may have deleted it
    else await this.#api.request('POST', path, { ...object, metadata: { ...objectAt(object, 'metadata'), name } });
  }
}
