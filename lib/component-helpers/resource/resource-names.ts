import { invalid, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { NEGATIVE } from '#lib/machinery/validation/messages.ts';
import { isQualifiedName } from '#lib/machinery/validation/names.ts';
import { canonicalQuantity, isQuantity, isWhole, signOf, wholeValue } from '#lib/machinery/resource/quantities.ts';

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

export const isHugePages = (name: string): boolean => name.startsWith(HUGE_PAGES);

/** A resource that the system knows, also as quotas name it. */
export const isStandardResource = (name: string): boolean =>
  STANDARD.has(name) || isHugePages(name) || name.startsWith(`requests.${HUGE_PAGES}`);

export const isStandardContainerResource = (name: string): boolean => COMPUTE.includes(name) || isHugePages(name);

/** Of the project's own namespace, which names without a prefix are in. */
export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** A vendor's: it must stay a qualified name when a quota puts `requests.` before it. */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;

export const isOvercommitAllowed = (name: string): boolean => isNativeResource(name) && !isHugePages(name);

/** Whether `value` is a whole number of pages of the size in the name. */
export function pagesDivide(name: string, value: string): boolean {
  const size = name.slice(HUGE_PAGES.length);
  if (!isQuantity(size) || signOf(size) <= 0 || !isWhole(size)) return false;
  return wholeValue(value) % wholeValue(size) === 0n;
}

/** A quantity of this resource is not negative, and whole where the resource is counted. */
export function validateResourceValue(name: string, value: string, path: FieldPath): FieldError[] {
  const errors = signOf(value) < 0 ? [invalid(path, canonicalQuantity(value), NEGATIVE)] : [];
  const counted = OBJECTS.includes(name) || isExtendedResource(name);
  return counted && !isWhole(value)
    ? [...errors, invalid(path, canonicalQuantity(value), 'must be an integer')]
    : errors;
}
