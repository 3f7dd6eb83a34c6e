import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  CapacityRequirements,
  Device,
  DeviceCapacity,
} from '#lib/api/types/resource.v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityValue,
} from '#lib/machinery/resource/quantity.ts';
import { amountsOf } from './allocated-state.ts';
import type { Amounts } from './slice.ts';

const parsed = (quantity: string | null | undefined): Quantity | undefined =>
  quantity === null || quantity === undefined ? undefined : parseQuantity(quantity);

/**
 * Whether a request for a device's capacities complies with their policies and fits into the rest: upstream's CmpRequestOverCapacity.
 * `taken` holds the amounts that other claims use.
 */
export function hasCapacity(
  { capacity: capacities = {} }: Device,
  requests: Amounts,
  taken: readonly (Amounts | undefined)[],
): boolean {
  if ([...requests.keys()].some((name) => ownField(capacities, name) === undefined)) return false;
  return Object.entries(capacities).every(([name, capacity]) => {
    const wanted = consumed(requests.get(name), capacity);
    if (violates(wanted, capacity.requestPolicy)) return false;
    const total = taken.reduce((sum, amounts) => {
      const amount = amounts?.get(name);
      return amount === undefined ? sum : addQuantities(sum, amount);
    }, wanted);
    return compareQuantities(total, parseQuantity(capacity.value)) <= 0;
  });
}

/** The amount of each of a device's capacities that a request consumes. */
export const consumedCapacity = ({ capacity = {} }: Device, requests: Amounts): Amounts =>
  new Map(Object.entries(capacity).map(([name, one]) => [name, consumed(requests.get(name), one)]));

/**
 * Rounds a request up according to the policy. Without a request, the claim gets the policy's default, or the whole capacity if there is no
 * default.
 */
function consumed(requested: Quantity | undefined, { value, requestPolicy }: DeviceCapacity): Quantity {
  if (requested === undefined) return parsed(requestPolicy?.default) ?? parseQuantity(value);
  const { validRange, validValues = [] } = requestPolicy ?? {};
  if (validRange?.min !== undefined) return roundUp(requested, parseQuantity(validRange.min), validRange.step);
  const valid = validValues.map(parseQuantity);
  return valid.find((one) => compareQuantities(requested, one) <= 0) ?? requested;
}

function roundUp(requested: Quantity, least: Quantity, stepText: string | undefined): Quantity {
  if (compareQuantities(requested, least) < 0) return least;
  const step = parsed(stepText);
  if (step === undefined) return requested;
  const [min, size] = [quantityValue(least), quantityValue(step)];
  const steps = (quantityValue(requested) - min + size - 1n) / size;
  return { unscaled: min + size * steps, scale: 0, format: 'BinarySI' };
}

function violates(wanted: Quantity, policy: CapacityRequestPolicy | undefined): boolean {
  const standard = parsed(policy?.default);
  if (standard !== undefined && compareQuantities(wanted, standard) === 0) return false;
  if (policy?.validRange !== undefined) return isOutside(wanted, policy.validRange);
  const valid = (policy?.validValues ?? []).map(parseQuantity);
  return valid.length > 0 && !valid.some((value) => compareQuantities(wanted, value) === 0);
}

function isOutside(wanted: Quantity, range: CapacityRequestPolicyRange): boolean {
  const [max, step] = [parsed(range.max), parsed(range.step)];
  if (max !== undefined && compareQuantities(wanted, max) > 0) return true;
  if (step === undefined) return false;
  const min = quantityValue(parseQuantity(range.min ?? '0'));
  return (quantityValue(wanted) - min) % quantityValue(step) !== 0n;
}

/** The capacities in a request. */
export const requestedCapacity = (capacity: CapacityRequirements | undefined): Amounts => amountsOf(capacity?.requests);
