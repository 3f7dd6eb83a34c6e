import { equal, type JsonObject } from '#lib/machinery/json-value.ts';
import { integer, text } from '#lib/machinery/unstructured.ts';

/** Of two tolerations of which one covers the other only the wider one stays; of equal ones the first. */
export function mergeTolerations(all: readonly JsonObject[]): JsonObject[] {
  const merged: JsonObject[] = [];
  for (const [index, toleration] of all.entries()) {
    const later = all.slice(index + 1).filter((other) => !equal(other, toleration));
    if (![...merged, ...later].some((other) => covers(other, toleration))) merged.push(toleration);
  }
  return merged;
}

/** Whether whoever has the wide toleration needs no narrow one. */
export function covers(wide: JsonObject, narrow: JsonObject): boolean {
  if (equal(wide, narrow)) return true;
  const key = text(wide, 'key');
  const operator = text(wide, 'operator');
  const effect = text(wide, 'effect');
  if (key !== text(narrow, 'key') && !(key === '' && operator === 'Exists')) return false;
  if (effect !== '' && effect !== text(narrow, 'effect')) return false;
  if (effect === 'NoExecute' && !lastsAsLong(wide, narrow)) return false;
  if (operator === 'Exists') return true;
  return (
    ['', 'Equal'].includes(operator) &&
    text(narrow, 'operator') === 'Equal' &&
    text(wide, 'value') === text(narrow, 'value')
  );
}

function lastsAsLong(wide: JsonObject, narrow: JsonObject): boolean {
  const most = integer(wide, 'tolerationSeconds');
  if (most === undefined) return true;
  const asked = integer(narrow, 'tolerationSeconds');
  return asked !== undefined && asked <= most;
}
