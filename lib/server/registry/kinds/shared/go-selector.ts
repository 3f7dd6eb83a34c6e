import type { LabelSelector, LabelSelectorRequirement } from '#lib/api/types/meta.v1.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';

/** A `metav1.LabelSelector` in the format of Go's generated String method. */
export function goSelector(selector: LabelSelector): string {
  const labels = sortedEntries(selector.matchLabels).map(([key, value]) => `${key}: ${value},`);
  const expressions = (selector.matchExpressions ?? []).map(goRequirement);
  const list = `[]LabelSelectorRequirement{${expressions.join('')}}`;
  return `&LabelSelector{MatchLabels:map[string]string{${labels.join('')}},MatchExpressions:${list},}`;
}

function goRequirement({ key, operator, values = [] }: LabelSelectorRequirement): string {
  const fields = `Key:${key},Operator:${operator},Values:[${values.join(' ')}],`;
  return `LabelSelectorRequirement{${fields}},`;
}
