import type { Pod } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { isQualifiedName } from '#lib/machinery/validation/names.ts';
import { splitSubscripted } from '#lib/server/registry/kinds/core/pod/validation/field-references.ts';

/** Upstream's FormatMap: a line `key="value"` for each entry, sorted by key. */
export const formatMap = (map: Readonly<Record<string, string>> | undefined): string =>
  sortedEntries(map)
    .map(([key, value]) => `${key}=${quote(value)}`)
    .join('\n');

/**
 * The text of a field in a pod's metadata, such as `metadata.name` or `metadata.labels['app']` (upstream: ExtractFieldPathAsString).
 * Downward API volumes only have these fields. Throws Error with upstream's text for another path or an invalid key.
 */
export function extractFieldPath({ metadata }: Pod, fieldPath: string): string {
  const subscripted = splitSubscripted(fieldPath);
  if (subscripted !== undefined) return subscriptedField(metadata, subscripted, fieldPath);
  switch (fieldPath) {
    case 'metadata.annotations':
      return formatMap(metadata.annotations);
    case 'metadata.labels':
      return formatMap(metadata.labels);
    case 'metadata.name':
      return metadata.name ?? '';
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    default:
      throw new Error(`unsupported fieldPath: ${fieldPath}`);
  }
}

function subscriptedField(
  { annotations, labels }: Pod['metadata'],
  { path, subscript }: { readonly path: string; readonly subscript: string },
  fieldPath: string,
): string {
  if (path !== 'metadata.annotations' && path !== 'metadata.labels')
    throw new Error(`fieldPath ${quote(fieldPath)} does not support subscript`);
  const isAnnotation = path === 'metadata.annotations';
  const errors = isQualifiedName(isAnnotation ? subscript.toLowerCase() : subscript);
  if (errors.length > 0) throw new Error(`invalid key subscript in ${fieldPath}: ${errors.join(';')}`);
  return ownField(isAnnotation ? annotations : labels, subscript) ?? '';
}
