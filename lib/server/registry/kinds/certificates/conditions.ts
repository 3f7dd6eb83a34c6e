import { internalForm } from '#lib/api/internal-form.ts';
import type { CertificateSigningRequest, CertificateSigningRequestCondition } from '#lib/api/types/certificates.v1.ts';
import { clone, equal, type Json } from '#lib/machinery/json-value.ts';
import { timeOf } from '#lib/machinery/time-at.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { repeatedAt } from '../shared/repeats.ts';
import { unifiedDiff } from '../shared/unified-diff.ts';

const CONDITIONS = FieldPath.of('status', 'conditions');
/** Conditions that cannot be removed. */
const FINAL = ['Approved', 'Denied', 'Failed'];
/** The types of the conditions that decide a request. */
export const DECISIONS = ['Approved', 'Denied'];

/** The conditions of a request. Empty if the request is absent. */
const conditionsOf = (request: CertificateSigningRequest | undefined): CertificateSigningRequestCondition[] =>
  request?.status.conditions ?? [];
const ofType = (request: CertificateSigningRequest, type: string): CertificateSigningRequestCondition[] =>
  conditionsOf(request).filter((condition) => condition.type === type);
const typesOf = (request: CertificateSigningRequest | undefined): string[] =>
  conditionsOf(request).map((condition) => condition.type);

/** Validates the conditions. Accepts errors that the stored request already has. */
export function validateConditions(request: CertificateSigningRequest, old?: CertificateSigningRequest): FieldError[] {
  const before = typesOf(old);
  const types = typesOf(request);
  const first = new Map([...types.entries()].reverse().map(([i, type]) => [type, i]));
  const again = new Set(repeatedAt(types));
  const bothBefore = DECISIONS.every((type) => before.includes(type));
  const twiceBefore = new Set(before).size < before.length;
  return conditionsOf(request).flatMap((condition, i) => {
    const { type } = condition;
    const path = CONDITIONS.index(i);
    const both = DECISIONS.includes(type) && DECISIONS.some((other) => other !== type && (first.get(other) ?? i) < i);
    return [
      ...(type === '' && !before.includes('') ? [required(path.child('type'))] : []),
      ...statusErrors(condition.status, type, path.child('status')),
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

/** Final conditions cannot be removed. Decisions change only through the approval endpoint. */
export function validateConditionsKept(
  request: CertificateSigningRequest,
  old: CertificateSigningRequest,
  mayDecide: boolean,
): FieldError[] {
  const fewer = (type: string): boolean => ofType(request, type).length < ofType(old, type).length;
  const removed = FINAL.filter(fewer).map((type) => `updates may not remove a condition of type "${type}"`);
  const decided = mayDecide
    ? []
    : DECISIONS.filter((type) => !fewer(type)).flatMap((type) => changed(request, old, type));
  return [...removed, ...decided].map((message) => forbidden(CONDITIONS, message));
}

const shown = (condition: CertificateSigningRequestCondition): Json =>
  internalForm('certificates.v1.CertificateSigningRequestCondition', condition);

function changed(request: CertificateSigningRequest, old: CertificateSigningRequest, type: string): string[] {
  const [now, before] = [ofType(request, type), ofType(old, type)];
  if (now.length > before.length) return [`updates may not add a condition of type "${type}"`];
  if (equal(now, before)) return [];
  return [`updates may not modify a condition of type "${type}"\n${unifiedDiff(before.map(shown), now.map(shown))}`];
}

/** Restores the stored decisions of each type if a status write has the same number of them. */
export function keepDecisions(request: CertificateSigningRequest, old: CertificateSigningRequest): void {
  const list = request.status.conditions ?? [];
  for (const type of DECISIONS) {
    const before = ofType(old, type);
    const at = typesOf(request).flatMap((one, i) => (one === type ? [i] : []));
    if (at.length !== before.length) continue;
    for (const [n, index] of at.entries()) {
      const condition = before[n];
      if (condition !== undefined) list[index] = clone(condition);
    }
  }
}

/** Sets lastUpdateTime and lastTransitionTime if the client does not. */
export function stampConditions(request: CertificateSigningRequest, old: CertificateSigningRequest, now: Date): void {
  const time = timeOf(now);
  for (const condition of conditionsOf(request)) {
    condition.lastUpdateTime ??= time;
    if (condition.lastTransitionTime !== null) continue;
    const same = (one: CertificateSigningRequestCondition): boolean =>
      one.type === condition.type && one.status === condition.status && one.lastTransitionTime !== null;
    condition.lastTransitionTime = conditionsOf(old).find(same)?.lastTransitionTime ?? time;
  }
}
