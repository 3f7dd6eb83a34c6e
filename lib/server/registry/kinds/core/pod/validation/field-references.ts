import type { ObjectFieldSelector, ResourceFieldSelector } from '#lib/api/types/core.v1.ts';
import { canonicalQuantity, signOf } from '#lib/machinery/resource/quantities.ts';
import { type FieldError, type FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { qualifiedName, requiredText } from '../../../shared/validate.ts';

/** The fields that the downward API exposes as files. */
export const VOLUME_FIELD_PATHS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** The fields that the downward API exposes as environment variables. */
export const ENV_FIELD_PATHS = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

const POD_FIELDS = new Set([
  ...VOLUME_FIELD_PATHS,
  ...ENV_FIELD_PATHS,
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
]);

/** A path with a subscript, for example `metadata.labels['app']`. */
interface Subscripted {
  readonly path: string;
  readonly subscript: string;
}

/** Upstream's SplitMaybeSubscriptedPath. Undefined for a path without a subscript. */
export function splitSubscripted(fieldPath: string): Subscripted | undefined {
  const match = /^(?<path>[^[]+)\['(?<subscript>[^]*)'\]$/.exec(fieldPath);
  return match === null ? undefined : { path: match[1] as string, subscript: match[2] as string };
}

/** Upstream's validateObjectFieldSelector. `supported` are the paths without a subscript. */
export function validateFieldRef(
  { apiVersion: version = '', fieldPath }: ObjectFieldSelector,
  supported: readonly string[],
  path: FieldPath,
): FieldError[] {
  if (version === '') return [required(path.child('apiVersion'))];
  const where = path.child('fieldPath');
  if (fieldPath === '') return [required(where)];
  const subscripted = splitSubscripted(fieldPath);
  const unknown = podFieldError(version, fieldPath);
  if (unknown !== undefined) return [invalid(where, fieldPath, `error converting fieldPath: ${unknown}`)];
  if (subscripted !== undefined) return validateSubscript(subscripted, path);
  const internal = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  return supported.includes(internal) ? [] : [notSupported(where, internal, supported)];
}

/** Upstream's ConvertDownwardAPIFieldLabel: the reason why the downward API rejects a field. Undefined if it supports the field. */
export function podFieldError(version: string, fieldPath: string): string | undefined {
  if (version !== 'v1') return `unsupported pod version: ${version}`;
  const subscripted = splitSubscripted(fieldPath);
  if (subscripted !== undefined) {
    const known = subscripted.path === 'metadata.annotations' || subscripted.path === 'metadata.labels';
    return known ? undefined : `field label does not support subscript: ${fieldPath}`;
  }
  const known = POD_FIELDS.has(fieldPath) || fieldPath === 'spec.host';
  return known ? undefined : `field label not supported: ${fieldPath}`;
}

function validateSubscript({ path, subscript }: Subscripted, where: FieldPath): FieldError[] {
  return qualifiedName(path === 'metadata.annotations' ? subscript.toLowerCase() : subscript, where);
}

const RESOURCES = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

const isHugePages = (resource: string): boolean =>
  resource.startsWith('requests.hugepages-') || resource.startsWith('limits.hugepages-');

/** Upstream's validateContainerResourceFieldSelector. A `volume` must name its container. */
export function validateResourceFieldRef(ref: ResourceFieldSelector, path: FieldPath, volume: boolean): FieldError[] {
  return [...validateResource(ref, path, volume), ...validateDivisor(ref, path)];
}

function validateResource(ref: ResourceFieldSelector, path: FieldPath, volume: boolean): FieldError[] {
  const { resource } = ref;
  if (volume && (ref.containerName ?? '') === '') return requiredText(ref, 'containerName', path);
  if (resource === '') return [required(path.child('resource'))];
  if (RESOURCES.includes(resource) || isHugePages(resource)) return [];
  return [notSupported(path.child('resource'), resource, RESOURCES)];
}

const BYTES = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const bytes = (of: string): string => `only divisor's values ${BYTES.join(', ')} are supported with the ${of} resource`;

function validateDivisor({ divisor, resource }: ResourceFieldSelector, path: FieldPath): FieldError[] {
  if (signOf(divisor) === 0) return [];
  const rule = divisors(resource);
  if (rule === undefined || rule.allowed.includes(canonicalQuantity(divisor))) return [];
  return [invalid(path.child('divisor'), resource, rule.message)];
}

function divisors(resource: string): { allowed: readonly string[]; message: string } | undefined {
  if (resource.endsWith('.cpu') && RESOURCES.includes(resource)) {
    return { allowed: ['1m', '1'], message: "only divisor's values 1m and 1 are supported with the cpu resource" };
  }
  if (isHugePages(resource)) return { allowed: BYTES, message: bytes('hugepages') };
  if (!RESOURCES.includes(resource)) return undefined;
  return { allowed: BYTES, message: bytes(resource.endsWith('.memory') ? 'memory' : 'local ephemeral storage') };
}
