import type { StoredResource } from './sequences.ts';

/** The length of a DNS subdomain such as a node name. A backend does not index longer or empty values. */
const LONGEST_VALUE = 253;

const FIELDS: Readonly<Record<string, readonly string[]>> = { '/pods': ['spec.nodeName'] };

/** The selectable fields that a multi-process store indexes, to find a resource's objects without reading all of them. */
export const indexedFields = ({ group, resource }: StoredResource): readonly string[] =>
  FIELDS[`${group}/${resource}`] ?? [];

/** Whether an index has entries for the value. */
export const isIndexed = (value: string | undefined): value is string =>
  value !== undefined && value !== '' && value.length <= LONGEST_VALUE;
