import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { filterSpecByPaths, renamedSpec, type Spec, withKindsOfBoth, withoutKinds } from './spec.ts';

/** The document that others are merged into. It is queried by name, so it does not have to be in memory. */
export interface MergeDestination {
  hasPath(path: string): boolean;
  /** The definition with a name. Undefined if it does not exist. */
  definition(name: string): JsonObject | undefined;
}

/** The result of a merge: the new parts of each document in order, and the destination's definitions that gained kinds, by name. */
export interface MergedSpecs {
  readonly parts: readonly Spec[];
  readonly changed: ReadonlyMap<string, JsonObject>;
}

/**
 * Merges documents into one: kube-openapi's MergeSpecsIgnorePathConflictRenamingDefinitionsAndParameters. Existing paths stay as they are.
 * A definition or parameter whose name is taken gets a new name (`Foo_v2`). If both definitions are equal, the existing one gains the kinds
 * of the new one instead.
 */
export function mergeSpecs(destination: MergeDestination, sources: readonly Spec[]): MergedSpecs {
  const merged = new Merged(destination);
  return { parts: sources.map((source) => merged.add(source)), changed: merged.changed };
}

class Merged {
  readonly changed = new Map<string, JsonObject>();
  readonly #own: MergeDestination;
  readonly #paths = new Set<string>();
  readonly #definitions = new Map<string, JsonObject>();
  readonly #parameters = new Map<string, JsonObject>();
  /** The part that contains each added definition. Later merges add kinds to it. */
  readonly #partOf = new Map<string, Map<string, JsonObject>>();

  constructor(own: MergeDestination) {
    this.#own = own;
  }

  /** Returns the part of the document that is new. */
  add(source: Spec): Spec {
    const kept = filterSpecByPaths(source, (path) => !this.#paths.has(path) && !this.#own.hasPath(path));
    const definitions = new Map<string, JsonObject>();
    const parameters = new Map<string, JsonObject>();
    if (kept.paths.size === 0) return { paths: kept.paths, definitions, parameters };
    const named = renamedSpec(kept, {
      definitions: renames(kept.definitions, (name) => this.#definition(name), equalButKinds),
      parameters: renames(kept.parameters, (name) => this.#parameters.get(name), equal),
    });
    for (const [name, definition] of named.definitions) {
      const known = this.#definition(name);
      if (known !== undefined) this.#addKinds(name, known, definition);
      else this.#put(name, definition, definitions);
    }
    for (const [name, parameter] of named.parameters) {
      if (this.#parameters.has(name)) continue;
      this.#parameters.set(name, parameter);
      parameters.set(name, parameter);
    }
    for (const path of named.paths.keys()) this.#paths.add(path);
    return { paths: named.paths, definitions, parameters };
  }

  #definition(name: string): JsonObject | undefined {
    return this.#definitions.get(name) ?? this.changed.get(name) ?? this.#own.definition(name);
  }

  #put(name: string, definition: JsonObject, part: Map<string, JsonObject>): void {
    this.#definitions.set(name, definition);
    this.#partOf.set(name, part);
    part.set(name, definition);
  }

  #addKinds(name: string, known: JsonObject, definition: JsonObject): void {
    const both = withKindsOfBoth(known, definition);
    if (both === known) return;
    const part = this.#partOf.get(name);
    if (part === undefined) this.changed.set(name, both);
    else this.#put(name, both, part);
  }
}

const equalButKinds = (a: JsonObject, b: JsonObject): boolean => equal(withoutKinds(a), withoutKinds(b));

/** New names for definitions whose name is taken: `_v2` and up, or a name from an earlier merge if that definition is equal. */
function renames(
  source: ReadonlyMap<string, JsonObject>,
  known: (name: string) => JsonObject | undefined,
  isSame: (a: JsonObject, b: JsonObject) => boolean,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const taken = new Set<string>();
  for (const [name, value] of source) {
    const existing = known(name);
    if (existing === undefined || isSame(existing, value)) continue;
    const named = newName(name, (candidate) => {
      const other = known(candidate);
      if (other !== undefined) return isSame(other, value);
      return !source.has(candidate) && !taken.has(candidate);
    });
    taken.add(named);
    found.set(name, named);
  }
  return found;
}

function newName(name: string, isFree: (candidate: string) => boolean): string {
  let i = 2;
  while (!isFree(`${name}_v${i}`)) i++;
  return `${name}_v${i}`;
}
