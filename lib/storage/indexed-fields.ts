import type { StoredResource } from './sequences.ts';

/**
 * The maximum length of an indexed value: that of a DNS subdomain, such as a node name. A backend does not index longer or empty values.
 */
const LONGEST_VALUE = 253;

const FIELDS: Readonly<Record<string, readonly string[]>> = { '/pods': ['spec.nodeName'] };

/** The selectable fields that a multi-process store indexes, so that a query does not read all objects of the resource. */
export const indexedFields = ({ group, resource }: StoredResource): readonly string[] =>
  FIELDS[`${group}/${resource}`] ?? [];

/** Whether an index contains this value. */
export const isIndexed = (value: string | undefined): value is string =>
  value !== undefined && value !== '' && value.length <= LONGEST_VALUE;
