import type { JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';

/** Whether a toleration of a request is for the taint of a device: upstream's ToleratesTaint. */
export function tolerates(toleration: JsonObject, taint: JsonObject): boolean {
  const [effect, key] = [text(toleration, 'effect'), text(toleration, 'key')];
  if (effect !== '' && effect !== text(taint, 'effect')) return false;
  if (key !== '' && key !== text(taint, 'key')) return false;
  const operator = text(toleration, 'operator') || 'Equal';
  return operator === 'Exists' || (operator === 'Equal' && text(toleration, 'value') === text(taint, 'value'));
}
