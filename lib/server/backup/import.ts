import { randomUUID } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { encodeObject } from '#lib/machinery/json.ts';
import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { ResourceCache } from '#lib/storage/cache/resource-cache.ts';
import { parseKey } from '#lib/storage/keys.ts';
import { MAX_CHANGES } from '#lib/storage/limits.ts';
import { epochOf, type SequenceStore, type Version } from '#lib/storage/sequence.ts';
import { sequenceOf } from '#lib/storage/sequences.ts';
import type { Storage } from '#lib/storage/storage.ts';
import { BackupError, type Line, parseLine } from './line.ts';

/** The counts of an import. */
export interface ImportResult {
  readonly objects: number;
  readonly sequences: number;
}

interface Waiting {
  readonly key: string;
  readonly object: JsonObject;
}

/**
 * Imports the output of `exportLines` and overwrites objects with the same keys. Call it before any server starts. Every sequence continues
 * in a later epoch than that of the export. Call `checkLines` first. If a line is invalid, throws BackupError after storing everything
 * before it. May be repeated.
 */
export async function importLines(
  store: SequenceStore,
  lines: AsyncIterable<string>,
  clock: Clock,
): Promise<ImportResult> {
  const work = new Import(store, clock);
  try {
    return await work.run(lines);
  } finally {
    work.close();
  }
}

class Import {
  readonly #store: SequenceStore;
  readonly #clock: Clock;
  readonly #caches = new Map<string, ResourceCache>();
  /** The UIDs of stored objects. */
  readonly #uids = new Set<string>();
  readonly #underWay: Promise<void>[] = [];
  readonly #waiting: Waiting[] = [];
  #objects = 0;

  constructor(store: SequenceStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async run(lines: AsyncIterable<string>): Promise<ImportResult> {
    const end = await this.#readAll(lines);
    await this.#storeWaiting();
    if (end !== this.#objects) {
      throw new BackupError(
        `the export ends early: ${this.#objects} objects of ${end ?? 'an unknown number'} are stored`,
      );
    }
    for (const name of this.#caches.keys()) await this.#store.sequence(name).compact();
    return { objects: this.#objects, sequences: this.#caches.size };
  }

  close(): void {
    for (const cache of this.#caches.values()) cache.close();
  }

  /** Returns the number of objects in the last line. Undefined if that line is missing. */
  async #readAll(lines: AsyncIterable<string>): Promise<number | undefined> {
    let number = 0;
    for await (const text of lines) {
      const line = parsedAt(++number, text);
      if (number === 1 && line.kind !== 'head') throw new BackupError('the file is no export');
      if (line.kind === 'end') return line.objects;
      if (line.kind === 'sequence') await this.#begin(line.name, line.version);
      if (line.kind === 'object') await this.#take(line);
    }
    if (number === 0) throw new BackupError('the file is empty');
    return undefined;
  }

  /**
   * Begins a sequence. Keeps a single log in memory, because otherwise the log would be read again for each entry. The new epoch ensures
   * that no version is reused that a client of the exported server may have seen.
   */
  async #begin(name: string, version: Version): Promise<void> {
    await this.#settled();
    for (const cache of this.#caches.values()) cache.forget();
    const sequence = this.#store.sequence(name);
    let head = await sequence.head();
    while (epochOf(head) <= epochOf(version)) head = await sequence.raiseEpoch();
  }

  /** Stores an object after its owners, if the export contains them. */
  async #take(one: Waiting): Promise<void> {
    if (!this.#hasOwners(one)) await this.#settled();
    if (this.#hasOwners(one)) await this.#put(one);
    else this.#waiting.push(one);
  }

  #hasOwners({ object }: Waiting): boolean {
    const owners = arrayAt(objectAt(object, 'metadata'), 'ownerReferences').filter(isObject);
    return owners.every((owner) => this.#uids.has(stringAt(owner, 'uid') ?? ''));
  }

  /** Stores the objects that waited for their owners. Owners come first, then objects whose owners are not in the export. */
  async #storeWaiting(): Promise<void> {
    for (let left = this.#waiting.length + 1; this.#waiting.length < left; ) {
      left = this.#waiting.length;
      await this.#settled();
      for (const one of this.#waiting.splice(0)) await this.#take(one);
    }
    for (const one of this.#waiting.splice(0)) await this.#put(one);
    await this.#settled();
  }

  async #put({ key, object }: Waiting): Promise<void> {
    const body = encodeObject(object);
    const summary = summarizeBody(body);
    const written = this.#storageOf(key).mutate(key, () => ({ action: 'put', body, summary, result: undefined }));
    const uid = stringAt(objectAt(object, 'metadata'), 'uid') ?? '';
    const stored = written.then(() => {
      this.#uids.add(uid);
      this.#objects++;
    });
    void Promise.allSettled([stored]); // until `settled` awaits it
    this.#underWay.push(stored);
    if (this.#underWay.length >= MAX_CHANGES) await this.#settled();
  }

  async #settled(): Promise<void> {
    await Promise.all(this.#underWay.splice(0));
  }

  #storageOf(key: string): Storage {
    const { cluster, group, resource } = parseKey(key);
    const name = sequenceOf(cluster, { group, resource });
    const known = this.#caches.get(name);
    if (known !== undefined) return known;
    const clock = this.#clock;
    const sequence = this.#store.sequence(name);
    const cache = new ResourceCache({ sequence, clock, summarize: summarizeBody, nonce: randomUUID });
    this.#caches.set(name, cache);
    return cache;
  }
}

/** Parses the line with this number. Throws BackupError with the number. */
function parsedAt(number: number, text: string): Line {
  try {
    return parseLine(text);
  } catch (error) {
    throw error instanceof BackupError ? new BackupError(`line ${number}: ${error.message}`, { cause: error }) : error;
  }
}
