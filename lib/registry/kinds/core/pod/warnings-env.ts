import type { JsonObject } from '#lib/machinery/json-value.ts';
import { quote } from '#lib/machinery/go.ts';
import { has, text } from '#lib/machinery/unstructured.ts';
import type { FieldPath } from '#lib/machinery/validation/field.ts';

/** A variable that hides an earlier one, unless it is built from it. */
export function envWarnings(variables: readonly JsonObject[], path: FieldPath): string[] {
  const seen = new Set<string>();
  return variables.flatMap((variable, i) => {
    const name = text(variable, 'name');
    const value = text(variable, 'value');
    const reference = `$(${name})`;
    const hides = has(variable, 'valueFrom') || value === reference || !value.includes(reference);
    const found = seen.has(name) && hides;
    seen.add(name);
    if (!found) return [];
    return [`${path.index(i)}: hides previous definition of ${quote(name)}, which may be dropped when using apply`];
  });
}
