import type { PodTemplateSpec } from '#lib/api/types/core.v1.ts';
import type { LabelSelector } from '#lib/api/types/meta.v1.ts';
import { wasEmpty } from '#lib/machinery/empties.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { NOTHING, type LabelSelector as ParsedSelector, selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { isValidLabelValue } from '#lib/machinery/validation/names.ts';

/** Parses a `metav1.LabelSelector`. Undefined if it is invalid. An absent selector matches nothing. */
export function parseLabelSelector(selector: LabelSelector | undefined): ParsedSelector | undefined {
  try {
    return selector === undefined ? NOTHING : selectorFromObject(selector);
  } catch (error) {
    if (error instanceof StatusError) return undefined;
    throw error;
  }
}

/** Validates a controller's selector: required and not empty. `kind` is the controller's name in upstream's message. */
export function validateOwnSelector(selector: LabelSelector | undefined, path: FieldPath, kind: string): FieldError[] {
  if (selector === undefined) return [required(path)];
  return [...validateLabelSelector(selector, path), ...notEmpty(selector, path, kind)];
}

/** Returns an error if a controller's selector matches everything. */
export function notEmpty(selector: LabelSelector, path: FieldPath, kind: string): FieldError[] {
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (Object.keys(matchLabels).length + matchExpressions.length > 0) return [];
  return [invalid(path, shownSelector(selector), `empty selector is invalid for ${kind}`)];
}

/** The selector in Go's JSON encoding: without empty fields and in the type's field order. */
export function shownSelector(selector: LabelSelector | undefined): ReadonlyMap<string, Json> | null {
  if (selector === undefined) return null;
  const shown = new Map<string, Json>();
  const { matchLabels = {}, matchExpressions = [] } = selector;
  if (Object.keys(matchLabels).length > 0) shown.set('matchLabels', matchLabels);
  if (matchExpressions.length > 0) shown.set('matchExpressions', matchExpressions);
  return shown;
}

/** Whether an expression contains an invalid label value, which old objects may have. */
export function hasInvalidValue(selector: LabelSelector | undefined): boolean {
  const values = (selector?.matchExpressions ?? []).flatMap((expression) => expression.values ?? []);
  return values.some((value) => isValidLabelValue(value).length > 0);
}

/** The labels of a template for messages. */
export function shownLabels(template: PodTemplateSpec | undefined): Record<string, string> | null {
  const metadata = template?.metadata;
  return metadata?.labels ?? (wasEmpty(metadata, 'labels') ? {} : null);
}
