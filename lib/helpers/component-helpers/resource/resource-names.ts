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

/** Whether the resource is huge pages. Its name contains the page size. */
export const isHugePages = (name: string): boolean => name.startsWith(HUGE_PAGES);

/** Whether the resource is a standard one, including names that only quotas use. */
export const isStandardResource = (name: string): boolean =>
  STANDARD.has(name) || isHugePages(name) || name.startsWith(`requests.${HUGE_PAGES}`);

/** Whether the resource is a standard one for containers. */
export const isStandardContainerResource = (name: string): boolean => COMPUTE.includes(name) || isHugePages(name);

/** Whether the resource is in the Kubernetes namespace, as names without a prefix are. */
export const isNativeResource = (name: string): boolean => !name.includes('/') || name.includes('kubernetes.io/');

/** Whether the resource is an extended one. Its name must remain a qualified name when a quota prepends `requests.`. */
export const isExtendedResource = (name: string): boolean =>
  !isNativeResource(name) && !name.startsWith('requests.') && isQualifiedName(`requests.${name}`).length === 0;

/** Whether the resource's limit may exceed its request. */
export const isOvercommitAllowed = (name: string): boolean => isNativeResource(name) && !isHugePages(name);

/** Whether `value` is a whole number of pages of the size in the name. */
export function pagesDivide(name: string, value: string): boolean {
  const size = name.slice(HUGE_PAGES.length);
  if (!isQuantity(size) || signOf(size) <= 0 || !isWhole(size)) return false;
  return wholeValue(value) % wholeValue(size) === 0n;
}

/** The errors of a quantity of this resource. It must not be negative. For a countable resource it must be whole. */
export function validateResourceValue(name: string, value: string, path: FieldPath): FieldError[] {
  const errors = signOf(value) < 0 ? [invalid(path, canonicalQuantity(value), NEGATIVE)] : [];
  const counted = OBJECTS.includes(name) || isExtendedResource(name);
  return counted && !isWhole(value)
    ? [...errors, invalid(path, canonicalQuantity(value), 'must be an integer')]
    : errors;
}
