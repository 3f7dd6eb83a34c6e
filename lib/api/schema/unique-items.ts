import { marshal } from '#lib/machinery/go.ts';
import type { Json } from '#lib/machinery/json-value.ts';

/** Whether no two items are equal. */
export function uniqueItems(items: readonly Json[]): boolean {
  return new Set(items.map((item) => marshal(item))).size === items.length;
}
