import type { Toleration } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { equal, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { integer } from '#lib/machinery/unstructured.ts';

/** The toleration that an annotation or a configuration says; fields that are unknown or of another type are left out. */
export const readToleration = (json: JsonObject): Toleration =>
  defined({
    key: stringAt(json, 'key'),
    operator: stringAt(json, 'operator'),
    value: stringAt(json, 'value'),
    effect: stringAt(json, 'effect'),
    tolerationSeconds: integer(json, 'tolerationSeconds'),
  });

/** The tolerations without those that another one covers; of equal ones the first stays. */
export function mergeTolerations(all: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    const later = all.slice(index + 1).filter((other) => !equal(other, toleration));
    if (![...merged, ...later].some((other) => covers(other, toleration))) merged.push(toleration);
  }
  return merged;
}

/** Whether a pod with the wide toleration tolerates all that the narrow one does. */
export function covers(wide: Toleration, narrow: Toleration): boolean {
  if (equal(wide, narrow)) return true;
  const { key = '', operator = '', effect = '' } = wide;
  if (key !== (narrow.key ?? '') && !(key === '' && operator === 'Exists')) return false;
  if (effect !== '' && effect !== (narrow.effect ?? '')) return false;
  if (effect === 'NoExecute' && !lastsAsLong(wide, narrow)) return false;
  if (operator === 'Exists') return true;
  return ['', 'Equal'].includes(operator) && narrow.operator === 'Equal' && (wide.value ?? '') === (narrow.value ?? '');
}

function lastsAsLong(wide: Toleration, narrow: Toleration): boolean {
  const { tolerationSeconds: most } = wide;
  if (most === undefined) return true;
  const { tolerationSeconds: asked } = narrow;
  return asked !== undefined && asked <= most;
}
