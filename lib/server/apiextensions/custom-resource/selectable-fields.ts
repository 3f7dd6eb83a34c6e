import { goValue } from '#lib/machinery/go-values.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { evaluate } from '../jsonpath/evaluate.ts';
import { parsePath } from '../jsonpath/parse.ts';

/** Returns the selectable fields of an object as text, by their selector names. '' if a field is absent. */
export function selectableFieldsOf(paths: readonly string[]): (object: JsonObject) => Record<string, string> {
  const fields = paths.map((path) => [selectorName(path), parsePath(path)] as const);
  return (object) => Object.fromEntries(fields.map(([name, node]) => [name, text(evaluate(node, object, free)[0])]));
}

/** Returns the selector name: `.spec.color` becomes `spec.color`. */
export const selectorName = (path: string): string => path.replace(/^\./, '');

/** Validation has ensured that the path of a selectable field contains only field names, so it needs no budget. */
const free = (): void => {};

const text = (value: Json | undefined): string => (value === undefined || value === null ? '' : goValue(value));
