import type { NftSet } from './table.ts';

/** The sets of a table. Rules that ask for the same set share it. */
export class SetRegistry {
  readonly sets = new Map<string, NftSet>();

  /** Adds a set unless it is there, and returns its name. Elements are pairs of a key and a verdict, empty in sets. */
  add(
    name: string,
    set: Omit<NftSet, 'elements'>,
    elements: () => Iterable<readonly [key: string, verdict: string]>,
  ): string {
    if (!this.sets.has(name)) this.sets.set(name, { ...set, elements: new Map(elements()) });
    return name;
  }
}
