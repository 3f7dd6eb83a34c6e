import type { DeviceRequestAllocationResult, ResourceClaim } from '#lib/api/types/resource.v1.ts';
import { type AnyCondition, findCondition, isConditionTrue } from '#lib/machinery/conditions.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { dateOf, parseTime } from '#lib/machinery/time.ts';

/** Whether a claim's devices with binding conditions are prepared (KEP-5007), or the reason why preparation failed. */
export type Readiness = 'ready' | 'waits' | { readonly failure: string };

const resultsOf = ({ status }: ResourceClaim): readonly DeviceRequestAllocationResult[] =>
  status.allocation?.devices.results ?? [];

/** Whether a device of the claim must report conditions before the pod binds. */
export const hasBindingConditions = (claim: ResourceClaim): boolean =>
  resultsOf(claim).some(({ bindingConditions = [] }) => bindingConditions.length > 0);

/** Upstream's isClaimReadyForBinding. */
export function readiness(claim: ResourceClaim): Readiness {
  for (const result of resultsOf(claim)) {
    const { bindingConditions: needed = [], bindingFailureConditions: failures = [] } = result;
    if (needed.length === 0) continue;
    const conditions = conditionsOf(claim, result);
    const failed = failures.find((type) => isConditionTrue(conditions, type));
    if (failed !== undefined) {
      const { reason = '', message = '' } = findCondition(conditions, failed) ?? {};
      const why = `claim=${nameOf(claim)}, reason=${reason}, message=${JSON.stringify(message)}`;
      return { failure: `device binding failed: ${why}` };
    }
    if (!needed.every((type) => isConditionTrue(conditions, type))) return 'waits';
  }
  return 'ready';
}

/** The conditions of the device that a result names. */
function conditionsOf(
  { status: { devices = [] } }: ResourceClaim,
  { driver, pool, device }: DeviceRequestAllocationResult,
): readonly AnyCondition[] {
  const found = devices.find((one) => one.driver === driver && one.pool === pool && one.device === device);
  return (found?.conditions ?? []).map(({ type, status, reason, message }) => ({ type, status, reason, message }));
}

/** Whether preparing the claim's devices has taken `timeout` milliseconds or more. */
export function isLate(claim: ResourceClaim, now: number, timeout: number): boolean {
  const since = claim.status.allocation?.allocationTimestamp;
  return since !== undefined && hasBindingConditions(claim) && dateOf(parseTime(since)).getTime() + timeout < now;
}
