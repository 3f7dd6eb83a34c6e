import type { JsonObject } from '#lib/machinery/json-value.ts';
import { entries, items, text, texts } from '#lib/machinery/unstructured.ts';

/** A `metav1.LabelSelector` as Go's generated String writes it. */
export function goSelector(selector: JsonObject): string {
  const labels = entries(selector, 'matchLabels').map(([key, value]) => `${key}: ${value},`);
  const expressions = items(selector, 'matchExpressions').map(goRequirement);
  const list = `[]LabelSelectorRequirement{${expressions.join('')}}`;
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:${list},}`;
}

function goRequirement(expression: JsonObject): string {
  const values = texts(expression, 'values').join(' ');
  const fields = `Key:${text(expression, 'key')},Operator:${text(expression, 'operator')},Values:[${values}],`;
  return `LabelSelectorRequirement{${fields}},`;
}
