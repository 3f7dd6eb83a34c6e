import { internalForm } from '#lib/api/internal-form.ts';
import { arrayAt, clone, equal, objectAt, ownField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { instantOf, timeText } from '#lib/machinery/time.ts';
import { has, items, text } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  duplicate,
  forbidden,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { unifiedDiff } from '../shared/unified-diff.ts';
import { repeatedAt } from '../shared/repeats.ts';

const CONDITIONS = FieldPath.of('status', 'conditions');
/** Conditions that cannot be taken back. */
const FINAL = ['Approved', 'Denied', 'Failed'];
export const DECISIONS = ['Approved', 'Denied'];

export const conditionsOf = (request: JsonObject | undefined): JsonObject[] =>
  items(objectAt(request, 'status'), 'conditions');
const ofType = (request: JsonObject, type: string): JsonObject[] =>
  conditionsOf(request).filter((condition) => text(condition, 'type') === type);
const typesOf = (request: JsonObject | undefined): string[] =>
  conditionsOf(request).map((condition) => text(condition, 'type'));

/** What stored requests have already they may keep. */
export function validateConditions(request: JsonObject, old?: JsonObject): FieldError[] {
  const before = typesOf(old);
  const types = typesOf(request);
  const first = new Map([...types.entries()].reverse().map(([i, type]) => [type, i]));
  const again = new Set(repeatedAt(types));
  const bothBefore = DECISIONS.every((type) => before.includes(type));
  const twiceBefore = new Set(before).size < before.length;
  return conditionsOf(request).flatMap((condition, i) => {
    const type = types[i] as string;
    const path = CONDITIONS.index(i);
    const both = DECISIONS.includes(type) && DECISIONS.some((other) => other !== type && (first.get(other) ?? i) < i);
    return [
      ...(type === '' && !before.includes('') ? [required(path.child('type'))] : []),
      ...statusErrors(text(condition, 'status'), type, path.child('status')),
      ...(both && !bothBefore
        ? [invalid(CONDITIONS, type, 'Approved and Denied conditions are mutually exclusive')]
        : []),
      ...(again.has(i) && !twiceBefore ? [duplicate(path.child('type'), type)] : []),
    ];
  });
}

function statusErrors(status: string, type: string, path: FieldPath): FieldError[] {
  if (status === '') return [required(path)];
  const allowed = FINAL.includes(type) ? ['True'] : ['False', 'True', 'Unknown'];
  return allowed.includes(status) ? [] : [notSupported(path, status, allowed)];
}

/** No final condition goes; decisions change only through the approval endpoint. */
export function validateConditionsKept(request: JsonObject, old: JsonObject, mayDecide: boolean): FieldError[] {
  const fewer = (type: string): boolean => ofType(request, type).length < ofType(old, type).length;
  const removed = FINAL.filter(fewer).map((type) => `updates may not remove a condition of type "${type}"`);
  const decided = mayDecide
    ? []
    : DECISIONS.filter((type) => !fewer(type)).flatMap((type) => changed(request, old, type));
  return [...removed, ...decided].map((message) => forbidden(CONDITIONS, message));
}

const shown = (condition: Json): Json => internalForm('certificates.v1.CertificateSigningRequestCondition', condition);

function changed(request: JsonObject, old: JsonObject, type: string): string[] {
  const [now, before] = [ofType(request, type), ofType(old, type)];
  if (now.length > before.length) return [`updates may not add a condition of type "${type}"`];
  if (equal(now, before)) return [];
  return [`updates may not modify a condition of type "${type}"\n${unifiedDiff(before.map(shown), now.map(shown))}`];
}

/** A status write that says nothing new of the decisions leaves them as they are. */
export function keepDecisions(request: JsonObject, old: JsonObject): void {
  const list: Json[] = arrayAt(objectAt(request, 'status'), 'conditions');
  for (const type of DECISIONS) {
    const before = ofType(old, type);
    const at = typesOf(request).flatMap((one, i) => (one === type ? [i] : []));
    if (at.length !== before.length) continue;
    for (const [n, index] of at.entries()) list[index] = clone(before[n] as JsonObject);
  }
}

/** Conditions say when they were written, and since when they hold. */
export function stampConditions(request: JsonObject, old: JsonObject, now: Date): void {
  const time = timeText(instantOf(now));
  for (const condition of conditionsOf(request)) {
    condition['lastUpdateTime'] ??= time;
    if (has(condition, 'lastTransitionTime')) continue;
    const same = (one: JsonObject): boolean =>
      ['type', 'status'].every((field) => text(one, field) === text(condition, field)) &&
      has(one, 'lastTransitionTime');
    condition['lastTransitionTime'] = ownField(conditionsOf(old).find(same), 'lastTransitionTime') ?? time;
  }
}
