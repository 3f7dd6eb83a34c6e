import { wasEmpty } from '#lib/machinery/empties.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { NOTHING, selectorFromObject, type LabelSelector } from '#lib/machinery/labels/selector.ts';
import { arrayAt, objectAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, texts } from '#lib/machinery/unstructured.ts';
import { invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';

/** The selector of a `metav1.LabelSelector`; undefined where it is none. An absent one selects nothing. */
export function parseLabelSelector(selector: JsonObject | undefined): LabelSelector | undefined {
  try {
    return selector === undefined ? NOTHING : selectorFromObject(selector);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** A controller's selector: required and not empty; `kind` is how upstream's text names the controller. */
export function validateOwnSelector(selector: JsonObject | undefined, path: FieldPath, kind: string): FieldError[] {
  if (selector === undefined) return [required(path)];
  return [...validateLabelSelector(selector, path), ...notEmpty(selector, path, kind)];
}

export function notEmpty(selector: JsonObject, path: FieldPath, kind: string): FieldError[] {
  const labels = Object.keys(objectAt(selector, 'matchLabels') ?? {}).length;
  if (labels + arrayAt(selector, 'matchExpressions').length > 0) return [];
  return [invalid(path, shownSelector(selector), `empty selector is invalid for ${kind}`)];
}

/** As Go's JSON shows it: nothing that is empty, and in the order of the type. */
export function shownSelector(selector: JsonObject | undefined): ReadonlyMap<string, Json> | null {
  if (selector === undefined) return null;
  const shown = new Map<string, Json>();
  const labels = objectAt(selector, 'matchLabels') ?? {};
  if (Object.keys(labels).length > 0) shown.set('matchLabels', labels);
  const expressions = arrayAt(selector, 'matchExpressions');
  if (expressions.length > 0) shown.set('matchExpressions', expressions);
  return shown;
}

/** Whether an expression's value is no label value, which old objects may have. */
export function hasInvalidValue(selector: JsonObject | undefined): boolean {
  const values = items(selector, 'matchExpressions').flatMap((expression) => texts(expression, 'values'));
  return values.some((value) => isValidLabelValue(value).length > 0);
}

/** The labels of a template, as messages show them. */
export function shownLabels(template: JsonObject | undefined): JsonObject | null {
  const metadata = objectAt(template, 'metadata');
  return objectAt(metadata, 'labels') ?? (wasEmpty(metadata, 'labels') ? {} : null);
}
