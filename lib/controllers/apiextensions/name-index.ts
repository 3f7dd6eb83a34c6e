import type { CustomResourceDefinition } from '#lib/api/types/apiextensions.v1.ts';
import { equal, type Json } from '#lib/machinery/json-value.ts';
import { nameOf, resourceVersionOf } from '#lib/machinery/meta.ts';
import { conditionTrue } from '#lib/server/apiextensions/conditions.ts';
import { type NameSet, namesAskedFor, namesHeld } from '#lib/server/apiextensions/names-controller.ts';

type TakenNames = Readonly<Record<NameSet, readonly string[]>>;
const NOTHING: TakenNames = { resources: [], kinds: [] };

interface Entry {
  readonly group: string;
  readonly version: number;
  readonly held: TakenNames;
  /** The names that the definition held at its last change. If they differ in the next change, waiting definitions are reconciled. */
  readonly told: TakenNames;
  /** Whether the definition lacks some of the names that it requests. */
  readonly isWaiting: boolean;
}

/** The definitions of one group that hold a name, and those that wait for one. */
class Group {
  readonly holders: Readonly<Record<NameSet, Map<string, Set<string>>>> = { resources: new Map(), kinds: new Map() };
  readonly waiting = new Set<string>();
}

const SETS = ['resources', 'kinds'] as const;

/**
 * The names that each definition holds, from changes and from this controller's own writes. A decision about one definition needs the names
 * of all others.
 */
export class NameIndex {
  readonly #entries = new Map<string, Entry>();
  readonly #groups = new Map<string, Group>();

  /**
   * Records the state in a change, unless a newer one is known. If names changed hands, returns the definitions of the group that wait for
   * names.
   */
  put(crd: CustomResourceDefinition): readonly string[] {
    const name = nameOf(crd);
    const before = this.#entries.get(name);
    const next = entryOf(crd);
    this.#set(name, before !== undefined && before.version > next.version ? { ...before, told: next.held } : next);
    return equal(asJson(before?.told), asJson(next.held)) ? [] : this.#waitingBeside(name, next);
  }

  /** Records a state that was read or written, for a definition known from changes. Undefined if it was deleted. */
  learn(name: string, crd: CustomResourceDefinition | undefined): void {
    const before = this.#entries.get(name);
    if (before === undefined) return;
    const next = crd === undefined ? { ...before, held: NOTHING } : { ...entryOf(crd), told: before.told };
    if (next.version >= before.version) this.#set(name, next);
  }

  /** Removes a definition. Returns the definitions of its group that wait for names. */
  delete(name: string): readonly string[] {
    const before = this.#entries.get(name);
    if (before === undefined) return [];
    this.#unlink(name, before);
    return this.#waitingBeside(name, before);
  }

  isTaken(crd: CustomResourceDefinition, set: NameSet, name: string): boolean {
    return this.#holders(crd, set, name).length > 0;
  }

  /** The definitions that hold names requested by this one. */
  rivalsOf(crd: CustomResourceDefinition): readonly string[] {
    const asked = namesAskedFor(crd);
    return [...new Set(SETS.flatMap((set) => asked[set].flatMap((name) => this.#holders(crd, set, name))))];
  }

  #holders(crd: CustomResourceDefinition, set: NameSet, name: string): string[] {
    const holders = this.#groups.get(groupOf(crd))?.holders[set].get(name);
    return holders === undefined ? [] : [...holders].filter((holder) => holder !== nameOf(crd));
  }

  #waitingBeside(name: string, { group }: Entry): readonly string[] {
    const waiting = this.#groups.get(group)?.waiting;
    return waiting === undefined ? [] : [...waiting].filter((other) => other !== name);
  }

  #set(name: string, next: Entry): void {
    const before = this.#entries.get(name);
    if (before !== undefined) this.#unlink(name, before);
    this.#link(name, next);
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

/** The API group that the definition defines. */
export const groupOf = ({ spec }: CustomResourceDefinition): string => spec.group;

const asJson = (held: TakenNames | undefined): Json | undefined => held as unknown as Json | undefined;

function entryOf(crd: CustomResourceDefinition): Entry {
  const held = namesHeld(crd);
  const isWaiting = !conditionTrue(crd, 'NamesAccepted');
  return { group: groupOf(crd), version: Number(resourceVersionOf(crd)), held, told: held, isWaiting };
}
