import { isObject, type Json, type JsonObject, setField } from '#lib/machinery/json-value.ts';

/** The paths of an OpenAPI v2 document, and the definitions and parameters that they refer to, by name. */
export interface Spec {
  readonly paths: ReadonlyMap<string, JsonObject>;
  readonly definitions: ReadonlyMap<string, JsonObject>;
  readonly parameters: ReadonlyMap<string, JsonObject>;
}

const DEFINITIONS = '#/definitions/';
const PARAMETERS = '#/parameters/';

/** The parts of a document from another server. Entries that are not objects are ignored. */
export function readSpec(document: JsonObject): Spec {
  const at = (value: Json = {}): ReadonlyMap<string, JsonObject> =>
    new Map(
      Object.entries(isObject(value) ? value : {}).flatMap(([name, one]) =>
        isObject(one) ? [[name, one] as const] : [],
      ),
    );
  const { paths, definitions, parameters } = document;
  return { paths: at(paths), definitions: at(definitions), parameters: at(parameters) };
}

/** The parts as a JSON object. */
export const specObject = ({ paths, definitions, parameters }: Spec): JsonObject => ({
  paths: Object.fromEntries(paths),
  definitions: Object.fromEntries(definitions),
  parameters: Object.fromEntries(parameters),
});

/** Calls `found` for every reference in a value. */
function references(value: Json, found: (reference: string) => void): void {
  if (Array.isArray(value)) for (const item of value) references(item, found);
  if (!isObject(value)) return;
  for (const [field, item] of Object.entries(value)) {
    if (field === '$ref' && typeof item === 'string') found(item);
    else references(item, found);
  }
}

/** The names of the definitions that paths use directly or indirectly. */
function usedDefinitions({ paths, definitions, parameters }: Spec): ReadonlySet<string> {
  const seen = new Set<string>();
  const waiting: Json[] = [...paths.values()];
  const follow = (reference: string): void => {
    if (seen.has(reference)) return;
    seen.add(reference);
    const next = reference.startsWith(PARAMETERS)
      ? parameters.get(reference.slice(PARAMETERS.length))
      : definitions.get(reference.slice(DEFINITIONS.length));
    if (next !== undefined) waiting.push(next);
  };
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) references(value, follow);
  return new Set(
    [...seen].filter((it) => it.startsWith(DEFINITIONS)).map((reference) => reference.slice(DEFINITIONS.length)),
  );
}

/** Keeps some of the paths and drops definitions that only other paths use: kube-openapi's FilterSpecByPaths. */
export function filterSpecByPaths(spec: Spec, keep: (path: string) => boolean): Spec {
  const paths = new Map([...spec.paths].filter(([path]) => keep(path)));
  if (paths.size === spec.paths.size) return spec;
  const before = usedDefinitions(spec);
  const used = usedDefinitions({ ...spec, paths });
  const definitions = new Map([...spec.definitions].filter(([name]) => used.has(name) || !before.has(name)));
  return { ...spec, paths, definitions };
}

/** The new names of definitions or parameters, by current name. */
export type Renames = ReadonlyMap<string, string>;

/** The document with new names, also in references. */
export function renamedSpec(
  spec: Spec,
  { definitions, parameters }: { readonly definitions: Renames; readonly parameters: Renames },
): Spec {
  if (definitions.size === 0 && parameters.size === 0) return spec;
  const names = new Map([...prefixed(DEFINITIONS, definitions), ...prefixed(PARAMETERS, parameters)]);
  const all = (of: ReadonlyMap<string, JsonObject>, renames: Renames = new Map()): ReadonlyMap<string, JsonObject> =>
    new Map([...of].map(([name, value]) => [renames.get(name) ?? name, referringObject(value, names)]));
  return {
    paths: all(spec.paths),
    definitions: all(spec.definitions, definitions),
    parameters: all(spec.parameters, parameters),
  };
}

const prefixed = (prefix: string, renames: Renames): [string, string][] =>
  [...renames].map(([from, to]) => [prefix + from, prefix + to]);

function referring(value: Json, names: Renames): Json {
  if (Array.isArray(value)) return value.map((item) => referring(item, names));
  return isObject(value) ? referringObject(value, names) : value;
}

function referringObject(value: JsonObject, names: Renames): JsonObject {
  const out: JsonObject = {};
  for (const [field, item] of Object.entries(value)) {
    const isReference = field === '$ref' && typeof item === 'string';
    setField(out, field, isReference ? (names.get(item) ?? item) : referring(item, names));
  }
  return out;
}

const KINDS = 'x-kubernetes-group-version-kind';

/** A definition without its kinds. */
export function withoutKinds(definition: JsonObject): JsonObject {
  const { [KINDS]: _, ...rest } = definition;
  return rest;
}

/** The first definition with the kinds of both, sorted. Returns the same object if the second adds none. */
export function withKindsOfBoth(first: JsonObject, second: JsonObject): JsonObject {
  const kinds = new Map(kindsOf(first).map((kind) => [keyOf(kind), kind]));
  const { size } = kinds;
  for (const kind of kindsOf(second)) if (!kinds.has(keyOf(kind))) kinds.set(keyOf(kind), kind);
  if (kinds.size === size) return first;
  const sorted = [...kinds].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, kind]) => kind);
  return { ...first, [KINDS]: sorted };
}

const kindsOf = ({ [KINDS]: kinds }: JsonObject): Json[] => (Array.isArray(kinds) ? kinds : []);

const keyOf = (kind: Json): string =>
  isObject(kind) ? `${String(kind['group'])}/${String(kind['version'])}.${String(kind['kind'])}` : '';
