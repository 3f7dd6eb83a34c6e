import type { Toleration } from '#lib/api/types/core.v1.ts';
import { defined } from '#lib/machinery/defined.ts';
import { equal, type JsonObject, stringAt } from '#lib/machinery/json-value.ts';
import { integer } from '#lib/machinery/unstructured.ts';

/** Reads a toleration from an annotation or a configuration. Ignores unknown fields and fields of another type. */
export const readToleration = (json: JsonObject): Toleration =>
  defined({
    key: stringAt(json, 'key'),
    operator: stringAt(json, 'operator'),
    value: stringAt(json, 'value'),
    effect: stringAt(json, 'effect'),
    tolerationSeconds: integer(json, 'tolerationSeconds'),
  });

/** Removes tolerations that another one covers. Keeps the first of equal ones. */
export function mergeTolerations(all: readonly Toleration[]): Toleration[] {
  const merged: Toleration[] = [];
  for (const [index, toleration] of all.entries()) {
    const later = all.slice(index + 1).filter((other) => !equal(other, toleration));
    if (![...merged, ...later].some((other) => covers(other, toleration))) merged.push(toleration);
  }
  return merged;
}

/** Whether the wide toleration tolerates everything that the narrow one does. */
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
