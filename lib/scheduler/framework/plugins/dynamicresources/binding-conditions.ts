import { isConditionTrue, type AnyCondition } from '#lib/controller/condition.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { parseTime, dateOf } from '#lib/machinery/time.ts';
import { at, items, text, texts } from '#lib/machinery/unstructured.ts';

/** Whether a claim's devices are prepared, as far as they say that they must be (KEP-5007), or why they will not be. */
export type Readiness = 'ready' | 'waits' | { readonly failure: string };

const resultsOf = (claim: JsonObject): readonly JsonObject[] =>
  items(at(claim, 'status', 'allocation', 'devices'), 'results');

export const hasBindingConditions = (claim: JsonObject): boolean =>
  resultsOf(claim).some((result) => texts(result, 'bindingConditions').length > 0);

/** Upstream's isClaimReadyForBinding. */
export function readiness(claim: JsonObject): Readiness {
  for (const result of resultsOf(claim)) {
    const needed = texts(result, 'bindingConditions');
    if (needed.length === 0) continue;
    const conditions = conditionsOf(claim, result);
    const failed = texts(result, 'bindingFailureConditions').find((type) => isConditionTrue(conditions, type));
    if (failed !== undefined) {
      const { reason = '', message = '' } = conditions.find(({ type }) => type === failed) ?? {};
      const why = `claim=${nameOf(claim)}, reason=${reason}, message=${JSON.stringify(message)}`;
      return { failure: `device binding failed: ${why}` };
    }
    if (!needed.every((type) => isConditionTrue(conditions, type))) return 'waits';
  }
  return 'ready';
}

/** Those of the device that a result names. */
function conditionsOf(claim: JsonObject, result: JsonObject): readonly AnyCondition[] {
  const device = items(objectAt(claim, 'status'), 'devices').find((one) =>
    ['driver', 'pool', 'device'].every((field) => text(one, field) === text(result, field)),
  );
  return items(device, 'conditions').map((one) => ({
    type: text(one, 'type'),
    status: text(one, 'status'),
    reason: text(one, 'reason'),
    message: text(one, 'message'),
  }));
}

/** Whether its devices have had `timeout` milliseconds to be prepared. */
export function isLate(claim: JsonObject, now: number, timeout: number): boolean {
  const since = text(at(claim, 'status', 'allocation'), 'allocationTimestamp');
  return since !== '' && hasBindingConditions(claim) && dateOf(parseTime(since)).getTime() + timeout < now;
}
