import type { PodCondition, PodStatus } from '#lib/api/types/core.v1.ts';
import { equal, isObject, type Json, type JsonObject, ownField, setField } from '#lib/machinery/json-value.ts';
import { isConditionByKubelet, isConditionSharedByKubelet } from './conditions.ts';

/** Whether two statuses agree in the fields and conditions that the kubelet writes (upstream: isPodStatusByKubeletEqual). */
export const podStatusEqual = (a: PodStatus, b: PodStatus): boolean => equal(comparable(a), comparable(b));

/** The status without the parts of other writers and without empty lists, which the API omits. */
function comparable(status: PodStatus): JsonObject {
  const {
    conditions = [],
    resourceClaimStatuses: _claims,
    extendedResourceClaimStatus: _extended,
    nodeAllocatableResourceClaimStatuses: _allocatable,
    ...own
  } = status;
  const rest = Object.entries(own).filter(([, value]) => !(Array.isArray(value) && value.length === 0));
  const shown = conditions
    .filter(({ type }) => isConditionByKubelet(type) || isConditionSharedByKubelet(type))
    .map(conditionText)
    .sort();
  return { ...Object.fromEntries(rest), conditions: shown };
}

const conditionText = ({ type, status, reason = '', message = '' }: PodCondition): string =>
  JSON.stringify([type, status, reason, message]);

/** The merge patch (RFC 7386) from one object to another. Replaces whole lists and omits empty ones. */
export function mergePatch(before: JsonObject, after: JsonObject): JsonObject {
  const patch: JsonObject = {};
  const isThere = (value: Json | undefined): value is Json =>
    value !== undefined && !(Array.isArray(value) && value.length === 0);
  for (const field of Object.keys(before)) if (!isThere(ownField(after, field))) setField(patch, field, null);
  for (const [field, value] of Object.entries(after)) {
    const held = ownField(before, field);
    if (!isThere(value) || equal(held, value)) continue;
    setField(patch, field, isObject(held) && isObject(value) ? mergePatch(held, value) : value);
  }
  return patch;
}
