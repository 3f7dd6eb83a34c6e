import type { StoredResource } from '../sequences.ts';

/** Parses `pods`, `deployments.apps`, `*.apps`, `*.` (all of the core group) or `*.*`: upstream's ParseGroupResource. */
export function parseGroupResource(text: string): StoredResource {
  const dot = text.indexOf('.');
  return dot < 0 ? { group: '', resource: text } : { group: text.slice(dot + 1), resource: text.slice(0, dot) };
}

/** Formats a group and resource for `parseGroupResource`. */
export function groupResourceText({ group, resource }: StoredResource): string {
  if (group === '' && resource === '*') return '*.';
  return group === '' ? resource : `${resource}.${group}`;
}
