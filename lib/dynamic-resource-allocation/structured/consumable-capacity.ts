import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  quantityValue,
  type Quantity,
} from '#lib/machinery/resource/quantity.ts';
import { at, has, text, texts } from '#lib/machinery/unstructured.ts';
import type { Amounts } from './slice.ts';

const quantityAt = (object: JsonObject | undefined, field: string): Quantity | undefined =>
  has(object, field) ? parseQuantity(text(object, field)) : undefined;

const valueOf = (capacity: JsonObject | undefined): Quantity => parseQuantity(text(capacity, 'value') || '0');

/**
 * Whether what a request asks of a device's capacities is within its policies and not more than is left of it: upstream's
 * CmpRequestOverCapacity. `taken` is what others have of the device, in so many parts.
 */
export function hasCapacity(device: JsonObject, requests: Amounts, taken: readonly (Amounts | undefined)[]): boolean {
  const capacities = objectAt(device, 'capacity');
  if ([...requests.keys()].some((name) => !has(capacities, name))) return false;
  return Object.keys(capacities ?? {}).every((name) => {
    const capacity = objectAt(capacities, name);
    const wanted = consumed(requests.get(name), capacity);
    if (violates(wanted, objectAt(capacity, 'requestPolicy'))) return false;
    const total = taken.reduce((sum, amounts) => {
      const amount = amounts?.get(name);
      return amount === undefined ? sum : addQuantities(sum, amount);
    }, wanted);
    return compareQuantities(total, valueOf(capacity)) <= 0;
  });
}

/** What a request takes of each of a device's capacities. */
export function consumedCapacity(device: JsonObject, requests: Amounts): Amounts {
  const capacities = objectAt(device, 'capacity');
  const names = Object.keys(capacities ?? {});
  return new Map(names.map((name) => [name, consumed(requests.get(name), objectAt(capacities, name))]));
}

/** A request is rounded up to what the policy knows; who does not ask has the default, else all. */
function consumed(requested: Quantity | undefined, capacity: JsonObject | undefined): Quantity {
  const policy = objectAt(capacity, 'requestPolicy');
  if (requested === undefined) return quantityAt(policy, 'default') ?? valueOf(capacity);
  const range = objectAt(policy, 'validRange');
  if (has(range, 'min')) return roundUp(requested, range);
  const valid = texts(policy, 'validValues').map(parseQuantity);
  return valid.find((value) => compareQuantities(requested, value) <= 0) ?? requested;
}

function roundUp(requested: Quantity, range: JsonObject | undefined): Quantity {
  const least = quantityAt(range, 'min') ?? requested;
  if (compareQuantities(requested, least) < 0) return least;
  const step = quantityAt(range, 'step');
  if (step === undefined) return requested;
  const [min, size] = [quantityValue(least), quantityValue(step)];
  const steps = (quantityValue(requested) - min + size - 1n) / size;
  return { unscaled: min + size * steps, scale: 0, format: 'BinarySI' };
}

function violates(wanted: Quantity, policy: JsonObject | undefined): boolean {
  const standard = quantityAt(policy, 'default');
  if (standard !== undefined && compareQuantities(wanted, standard) === 0) return false;
  const range = objectAt(policy, 'validRange');
  if (range !== undefined) return isOutside(wanted, range);
  const valid = texts(policy, 'validValues').map(parseQuantity);
  return valid.length > 0 && !valid.some((value) => compareQuantities(wanted, value) === 0);
}

function isOutside(wanted: Quantity, range: JsonObject): boolean {
  const [max, step] = [quantityAt(range, 'max'), quantityAt(range, 'step')];
  if (max !== undefined && compareQuantities(wanted, max) > 0) return true;
  if (step === undefined) return false;
  const min = quantityValue(quantityAt(range, 'min') ?? parseQuantity('0'));
  return (quantityValue(wanted) - min) % quantityValue(step) !== 0n;
}

/** The capacities that a request asks for. */
export const requestedCapacity = (request: JsonObject): Amounts => {
  const requests = at(request, 'capacity', 'requests');
  return new Map(Object.keys(requests ?? {}).map((name) => [name, parseQuantity(text(requests, name))]));
};
