import { conditionTrue } from '#lib/apiextensions/conditions.ts';
import { namesAskedFor, namesHeld, type NameSet } from '#lib/apiextensions/names-controller.ts';
import { equal, objectAt, stringAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, resourceVersionOf } from '#lib/machinery/meta.ts';

interface Entry {
  readonly group: string;
  readonly version: number;
  readonly held: Readonly<Record<NameSet, readonly string[]>>;
  /** It does not have all the names that it asks for. */
  readonly isWaiting: boolean;
}

/** Of one group: who holds a name, who waits for one. */
class Group {
  readonly holders: Readonly<Record<NameSet, Map<string, Set<string>>>> = { resources: new Map(), kinds: new Map() };
  readonly waiting = new Set<string>();
}

const SETS = ['resources', 'kinds'] as const;

/** Which definitions hold which names, from changes and own writes: what a decision must know of all others. */
export class NameIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #groups = new Map<string, Group>();

  /** Takes a state unless a newer one is known. Answers who waits for names in the group, where some changed hands. */
  put(crd: JsonObject): readonly string[] {
    const name = nameOf(crd);
    const before = this.#entries.get(name);
    const next = entryOf(crd);
    if (before !== undefined && before.version > next.version) return [];
    if (before !== undefined) this.#unlink(name, before);
    this.#link(name, next);
    return equal(before?.held as Json | undefined, next.held as unknown as Json) ? [] : this.#waitingBeside(name, next);
  }

  /** As `put`, of a definition that this index knows: one that went meanwhile does not come back. */
  update(crd: JsonObject): void {
    if (this.#entries.has(nameOf(crd))) this.put(crd);
  }

  /** Answers who waits for names in the group of what went. */
  delete(name: string): readonly string[] {
    const before = this.#entries.get(name);
    if (before === undefined) return [];
    this.#unlink(name, before);
    return this.#waitingBeside(name, before);
  }

  isTaken(crd: JsonObject, set: NameSet, name: string): boolean {
    return this.#holders(crd, set, name).length > 0;
  }

  /** The definitions that hold what this one asks for. */
  rivalsOf(crd: JsonObject): readonly string[] {
    const asked = namesAskedFor(crd);
    return [...new Set(SETS.flatMap((set) => asked[set].flatMap((name) => this.#holders(crd, set, name))))];
  }

  #holders(crd: JsonObject, set: NameSet, name: string): string[] {
    const holders = this.#groups.get(groupOf(crd))?.holders[set].get(name);
    return holders === undefined ? [] : [...holders].filter((holder) => holder !== nameOf(crd));
  }

  #waitingBeside(name: string, { group }: Entry): readonly string[] {
    const waiting = this.#groups.get(group)?.waiting;
    return waiting === undefined ? [] : [...waiting].filter((other) => other !== name);
  }

  #link(name: string, entry: Entry): void {
    this.#entries.set(name, entry);
    const group = this.#groups.get(entry.group) ?? new Group();
    this.#groups.set(entry.group, group);
    if (entry.isWaiting) group.waiting.add(name);
    for (const set of SETS) {
      for (const held of entry.held[set]) {
        group.holders[set].set(held, (group.holders[set].get(held) ?? new Set()).add(name));
      }
    }
  }

  #unlink(name: string, entry: Entry): void {
    this.#entries.delete(name);
    const group = this.#groups.get(entry.group);
    if (group === undefined) return;
    group.waiting.delete(name);
    for (const set of SETS) {
      for (const held of entry.held[set]) {
        const holders = group.holders[set].get(held);
        if (holders?.delete(name) === true && holders.size === 0) group.holders[set].delete(held);
      }
    }
    if (group.waiting.size + group.holders.resources.size + group.holders.kinds.size === 0) {
      this.#groups.delete(entry.group);
    }
  }
}

export const groupOf = (crd: JsonObject): string => stringAt(objectAt(crd, 'spec'), 'group') ?? '';

const entryOf = (crd: JsonObject): Entry => ({
  group: groupOf(crd),
  version: Number(resourceVersionOf(crd)),
  held: namesHeld(crd),
  isWaiting: !conditionTrue(crd, 'NamesAccepted'),
});
