import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import {
  alreadyExists,
  type CallContext,
  conflict,
  expired,
  type ListContext,
  type ObjectList,
} from '@davit-dev/davit/aggregated';
import { type Change, keyOf, type Note, type NoteStore, RESOURCE } from './note.ts';

interface Kept extends Change {
  readonly version: number;
}

/** The number of changes kept for watches. A watch that resumes from an older version gets a 410. */
const KEPT = 100;

/** Notes in one JSON file. The resourceVersion counts the changes to the file. */
export class NoteFile implements NoteStore {
  readonly #path: string;
  readonly #notes: Map<string, Note>;
  #changes: Kept[] = [];
  #version: number;
  #changed = Promise.withResolvers<void>();

  constructor(path: string) {
    this.#path = path;
    const { version, notes } = read(path);
    this.#version = version;
    this.#notes = new Map(notes.map((note) => [keyOf(note.metadata.namespace, note.metadata.name), note]));
  }

  async get(name: string, { namespace }: CallContext): Promise<Note | undefined> {
    return this.#notes.get(keyOf(namespace, name));
  }

  /** A page starts after the key of the previous page's last note. It shows the current notes, not those at the time of the first page. */
  async list({ namespace, limit = Infinity, continue: from = '' }: ListContext): Promise<ObjectList<Note>> {
    const keys = [...this.#notes.keys()].filter((key) => key > from && isIn(this.#notes.get(key), namespace)).sort();
    const page = keys.slice(0, limit);
    const items = page.flatMap((key) => this.#notes.get(key) ?? []);
    const more = keys.length - page.length;
    const rest = more > 0 ? { continue: page.at(-1) ?? '', remainingItemCount: more } : {};
    return { items, resourceVersion: String(this.#version), ...rest };
  }

  async *watch(from: string, { namespace, signal }: CallContext): AsyncGenerator<Change> {
    let version = Number(from);
    const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    while (!signal.aborted) {
      if (version < this.#version - this.#changes.length) throw expired(`too old resource version: ${version}`);
      const changed = this.#changed.promise;
      for (const change of this.#changes.filter((one) => one.version > version)) {
        version = change.version;
        if (isIn(change.object, namespace)) yield { type: change.type, object: change.object };
      }
      if (version === this.#version) await Promise.race([changed, aborted]);
    }
  }

  async create(note: Note): Promise<Note> {
    const { name = '', namespace } = note.metadata;
    if (this.#notes.has(keyOf(namespace, name))) throw alreadyExists(RESOURCE, name);
    return this.#store('ADDED', note);
  }

  async update(note: Note, { current }: { readonly current: Note }): Promise<Note> {
    const { name = '', namespace } = note.metadata;
    const kept = this.#notes.get(keyOf(namespace, name));
    if (kept?.metadata.resourceVersion !== current.metadata.resourceVersion)
      throw conflict(RESOURCE, name, 'the note has changed');
    return this.#store('MODIFIED', note);
  }

  async delete(_: string, { current }: { readonly current: Note }): Promise<void> {
    this.#store('DELETED', current);
  }

  #store(type: Change['type'], given: Note): Note {
    const version = this.#version + 1;
    const note = { ...given, metadata: { ...given.metadata, resourceVersion: String(version) } };
    const key = keyOf(note.metadata.namespace, note.metadata.name);
    if (type === 'DELETED') this.#notes.delete(key);
    else this.#notes.set(key, note);
    this.#version = version;
    this.#changes = [...this.#changes, { version, type, object: note }].slice(-KEPT);
    writeFileSync(`${this.#path}.new`, JSON.stringify({ version, notes: [...this.#notes.values()] }));
    renameSync(`${this.#path}.new`, this.#path);
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
    return note;
  }
}

const isIn = (note: Note | undefined, namespace: string): boolean =>
  namespace === '' || note?.metadata.namespace === namespace;

interface Stored {
  readonly version: number;
  readonly notes: readonly Note[];
}

function read(path: string): Stored {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Stored;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { version: 0, notes: [] };
    throw error;
  }
}
