import { goValue } from '#lib/machinery/go-values.ts';
import type { Json, JsonObject } from '#lib/machinery/json-value.ts';
import { evaluate } from '../jsonpath/evaluate.ts';
import { parsePath } from '../jsonpath/parse.ts';

/** The selectable fields of an object by their names in selectors, as text; '' where the object has none. */
export function selectableFieldsOf(paths: readonly string[]): (object: JsonObject) => Record<string, string> {
  const fields = paths.map((path) => [selectorName(path), parsePath(path)] as const);
  return (object) => Object.fromEntries(fields.map(([name, node]) => [name, text(evaluate(node, object, free)[0])]));
}

/** `.spec.color` is selected as `spec.color`. */
export const selectorName = (path: string): string => path.replace(/^\./, '');

/** A selectable field's path only names fields, as validation has seen to. */
const free = (): void => {};

const text = (value: Json | undefined): string => (value === undefined || value === null ? '' : goValue(value));
