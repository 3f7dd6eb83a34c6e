import { canonicalQuantity, isQuantity, isWhole, signOf, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';
import { NEGATIVE } from '#lib/machinery/validation/messages.ts';
import { isQualifiedName } from '#lib/machinery/validation/names.ts';

const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const OBJECTS = [
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
];
const STANDARD = new Set([
  ...COMPUTE,
  ...COMPUTE.map((name) => `requests.${name}`),
  ...COMPUTE.map((name) => `limits.${name}`),
  ...OBJECTS,
  'storage',
  'requests.storage',
]);

const HUGE_PAGES = 'hugepages-';

/** Whether it is a resource of huge pages, whose size its name tells. */
export const isHugePages = (name: string): boolean => name.startsWith(HUGE_PAGES);

/** Whether the system knows the resource, also as quotas name it. */
export const isStandardResource = (name: string): boolean =>
  STANDARD.has(name) || isHugePages(name) || name.startsWith(`requests.${HUGE_PAGES}`);

/** Whether the system knows it as a resource of containers. */
export const isStandardContainerResource = (name: string): boolean => COMPUTE.includes(name) || isHugePages(name);

/** Whether it is of Kubernetes' own namespace, which names without a prefix are in. */
export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** Whether it is a vendor's: its name must stay a qualified name when a quota puts `requests.` before it. */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;

/** Whether its limit may be above its request. */
export const isOvercommitAllowed = (name: string): boolean => isNativeResource(name) && !isHugePages(name);

/** Whether `value` is a whole number of pages of the size in the name. */
export function pagesDivide(name: string, value: string): boolean {
  const size = name.slice(HUGE_PAGES.length);
  if (!isQuantity(size) || signOf(size) <= 0 || !isWhole(size)) return false;
  return wholeValue(value) % wholeValue(size) === 0n;
}

/** The errors of a quantity of this resource: it is not negative, and whole where the resource is counted. */
export function validateResourceValue(name: string, value: string, path: FieldPath): FieldError[] {
  const errors = signOf(value) < 0 ? [invalid(path, canonicalQuantity(value), NEGATIVE)] : [];
  const counted = OBJECTS.includes(name) || isExtendedResource(name);
  return counted && !isWhole(value)
    ? [...errors, invalid(path, canonicalQuantity(value), 'must be an integer')]
    : errors;
}
