import { isExtendedResource, isHugePages } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { parseQuantity, QuantityError, quantityMilliValue, quantityValue } from '#lib/machinery/resource/quantity.ts';

/** The resource amounts of a pod or a node: upstream's Resource. All are safe integers; larger amounts are capped. */
export interface Resource {
  /** CPU in thousandths. */
  milliCpu: number;
  /** Memory in bytes. */
  memory: number;
  /** Ephemeral storage in bytes. */
  ephemeralStorage: number;
  /** The maximum number of pods on the node; 0 for a pod. */
  allowedPodNumber: number;
  /** Extended resources, huge pages and attachable volumes by name. */
  readonly scalar: Map<string, number>;
}

/** No resources. */
export const emptyResource = (): Resource => ({
  milliCpu: 0,
  memory: 0,
  ephemeralStorage: 0,
  allowedPodNumber: 0,
  scalar: new Map(),
});

/** A copy that changes independently. */
export const cloneResource = (resource: Resource): Resource => ({ ...resource, scalar: new Map(resource.scalar) });

/** Adds `amount` times `sign`, in place. */
export function addResource(total: Resource, amount: Resource, sign: 1 | -1 = 1): void {
  total.milliCpu += sign * amount.milliCpu;
  total.memory += sign * amount.memory;
  total.ephemeralStorage += sign * amount.ephemeralStorage;
  for (const [name, value] of amount.scalar) total.scalar.set(name, (total.scalar.get(name) ?? 0) + sign * value);
}

/** Upstream's IsScalarResourceName. */
export const isScalarResource = (name: string): boolean =>
  isExtendedResource(name) ||
  isHugePages(name) ||
  name.includes('kubernetes.io/') ||
  name.startsWith('attachable-volumes-');

/** Converts a resource list. An invalid quantity counts as zero. */
export function resourceOf(list: Iterable<readonly [string, string]>): Resource {
  const resource = emptyResource();
  for (const [name, quantity] of list) {
    if (name === 'cpu') resource.milliCpu = amountOf(quantity, 'milli');
    else if (name === 'memory') resource.memory = amountOf(quantity);
    else if (name === 'ephemeral-storage') resource.ephemeralStorage = amountOf(quantity);
    else if (name === 'pods') resource.allowedPodNumber = amountOf(quantity);
    else if (isScalarResource(name)) resource.scalar.set(name, amountOf(quantity));
  }
  return resource;
}

/** Converts a quantity to units or thousandths, rounded up. */
export function amountOf(quantity: string, unit: 'one' | 'milli' = 'one'): number {
  try {
    const parsed = parseQuantity(quantity);
    const value = Number(unit === 'milli' ? quantityMilliValue(parsed) : quantityValue(parsed));
    return Math.max(Math.min(value, Number.MAX_SAFE_INTEGER), Number.MIN_SAFE_INTEGER);
  } catch (error) {
    if (error instanceof QuantityError) return 0;
    throw error;
  }
}
