import { equal, isObject, type Json, type JsonObject, ownField } from '#lib/machinery/json-value.ts';

/** The maximum number of operations that a server accepts in one patch. A larger diff replaces the whole document. */
const MAX_OPERATIONS = 10_000;

/**
 * Returns the RFC 6902 operations that turn `before` into `after`: fields by name, lists by position, skipping equal items at both ends.
 * Empty if nothing differs.
 */
export function diff(before: JsonObject, after: JsonObject): JsonObject[] {
  const operations: JsonObject[] = [];
  diffFields(operations, '', before, after);
  return operations.length > MAX_OPERATIONS ? [{ op: 'replace', path: '', value: after }] : operations;
}

function diffValue(operations: JsonObject[], path: string, before: Json, after: Json): void {
  if (isObject(before) && isObject(after)) diffFields(operations, path, before, after);
  else if (Array.isArray(before) && Array.isArray(after)) diffItems(operations, path, before, after);
  else if (!equal(before, after)) operations.push({ op: 'replace', path, value: after });
}

function diffFields(operations: JsonObject[], path: string, before: JsonObject, after: JsonObject): void {
  for (const field of Object.keys(before)) {
    const at = `${path}/${escaped(field)}`;
    const now = ownField(after, field);
    if (now === undefined) operations.push({ op: 'remove', path: at });
    else diffValue(operations, at, ownField(before, field) ?? null, now);
  }
  for (const field of Object.keys(after)) {
    if (Object.hasOwn(before, field)) continue;
    operations.push({ op: 'add', path: `${path}/${escaped(field)}`, value: ownField(after, field) ?? null });
  }
}

/** Compares items between the equal ends. Surplus items are removed from the end or added. */
function diffItems(operations: JsonObject[], path: string, before: readonly Json[], after: readonly Json[]): void {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && equal(before[head], after[head])) head++;
  let tail = 0;
  while (tail < shorter - head && equal(before.at(-1 - tail), after.at(-1 - tail))) tail++;
  const [oldEnd, newEnd] = [before.length - tail, after.length - tail];
  const both = Math.min(oldEnd, newEnd);
  for (let i = head; i < both; i++) diffValue(operations, `${path}/${i}`, before[i] as Json, after[i] as Json);
  for (let i = oldEnd - 1; i >= both; i--) operations.push({ op: 'remove', path: `${path}/${i}` });
  for (let i = both; i < newEnd; i++) operations.push({ op: 'add', path: `${path}/${i}`, value: after[i] as Json });
}

const escaped = (field: string): string => field.replaceAll('~', '~0').replaceAll('/', '~1');
