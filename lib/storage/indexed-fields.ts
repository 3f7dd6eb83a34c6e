import type { StoredResource } from './sequences.ts';

/** A DNS subdomain, as names of nodes are. A backend keeps no entry for a longer value, and none for an empty one. */
const LONGEST_VALUE = 253;

const FIELDS: Readonly<Record<string, readonly string[]>> = { '/pods': ['spec.nodeName'] };

/** The selectable fields by whose value a store with several processes finds objects of a resource without reading the others. */
export const indexedFields = ({ group, resource }: StoredResource): readonly string[] =>
  FIELDS[`${group}/${resource}`] ?? [];

/** Whether an index has entries for the value. */
export const isIndexed = (value: string | undefined): value is string =>
  value !== undefined && value !== '' && value.length <= LONGEST_VALUE;
