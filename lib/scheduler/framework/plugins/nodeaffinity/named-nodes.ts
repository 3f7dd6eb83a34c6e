import type { JsonObject } from '#lib/machinery/json-value.ts';
import { items, text, texts } from '#lib/machinery/unstructured.ts';

/** The nodes that a selector's terms name, as daemon pods do; undefined where some term names none and leaves all open. */
export function namedNodes(terms: readonly JsonObject[]): ReadonlySet<string> | undefined {
  const named = terms.map(namedByTerm);
  if (named.length === 0 || named.some((names) => names === undefined)) return undefined;
  return new Set(named.flatMap((names) => [...(names ?? [])]));
}

/** Its conditions hold together. */
function namedByTerm(term: JsonObject): ReadonlySet<string> | undefined {
  return items(term, 'matchFields')
    .filter((field) => text(field, 'key') === 'metadata.name' && text(field, 'operator') === 'In')
    .map((field) => new Set(texts(field, 'values')))
    .reduce<Set<string> | undefined>((all, names) => all?.intersection(names) ?? names, undefined);
}
