import type { NodeSelectorTerm } from '#lib/api/types/core.v1.ts';

/** The nodes named by a selector's terms, as in daemon pods; undefined if a term names no node, because it then allows any. */
export function namedNodes(terms: readonly NodeSelectorTerm[]): ReadonlySet<string> | undefined {
  const named = terms.map(namedByTerm);
  if (named.length === 0 || named.some((names) => names === undefined)) return undefined;
  return new Set(named.flatMap((names) => [...(names ?? [])]));
}

/** A term's requirements are ANDed. */
function namedByTerm({ matchFields = [] }: NodeSelectorTerm): ReadonlySet<string> | undefined {
  return matchFields
    .filter(({ key, operator }) => key === 'metadata.name' && operator === 'In')
    .map(({ values }) => new Set(values))
    .reduce<Set<string> | undefined>((all, names) => all?.intersection(names) ?? names, undefined);
}
