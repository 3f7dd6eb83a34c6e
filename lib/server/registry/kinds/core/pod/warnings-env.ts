import type { EnvVar } from '#lib/api/types/core.v1.ts';
import { quote } from '#lib/machinery/go.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';

/** Warnings about variables that hide an earlier one, unless their value refers to it. */
export function envWarnings(variables: readonly EnvVar[], path: FieldPath): string[] {
  const seen = new Set<string>();
  return variables.flatMap(({ name, value = '', valueFrom }, i) => {
    const reference = `$(${name})`;
    const hides = valueFrom !== undefined || value === reference || !value.includes(reference);
    const found = seen.has(name) && hides;
    seen.add(name);
    if (!found) return [];
    return [`${path.index(i)}: hides previous definition of ${quote(name)}, which may be dropped when using apply`];
  });
}
