import { ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { invalid, notSupported, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { canonicalQuantity, signOf } from '#lib/machinery/resource/quantities.ts';
import { qualifiedName, requiredText } from '../../../shared/validate.ts';

/** What the downward API gives as a file. */
export const VOLUME_FIELD_PATHS = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** What it gives as an environment variable. */
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

/** A path with a subscript, as `metadata.labels['app']`. */
interface Subscripted {
  readonly path: string;
  readonly subscript: string;
}

function split(fieldPath: string): Subscripted | undefined {
  const match = /^(?<path>[^[]+)\['(?<subscript>[^]*)'\]$/.exec(fieldPath);
  return match === null ? undefined : { path: match[1] as string, subscript: match[2] as string };
}

/** `ObjectFieldSelector`: `supported` are the paths without a subscript. */
export function validateFieldRef(ref: JsonObject, supported: readonly string[], path: FieldPath): FieldError[] {
  const version = text(ref, 'apiVersion');
  if (version === '') return [required(path.child('apiVersion'))];
  const fieldPath = text(ref, 'fieldPath');
  const where = path.child('fieldPath');
  if (fieldPath === '') return [required(where)];
  const subscripted = split(fieldPath);
  const unknown = conversionError(version, fieldPath, subscripted);
  if (unknown !== undefined) return [invalid(where, fieldPath, `error converting fieldPath: ${unknown}`)];
  if (subscripted !== undefined) return validateSubscript(subscripted, path);
  const internal = fieldPath === 'spec.host' ? 'spec.nodeName' : fieldPath;
  return supported.includes(internal) ? [] : [notSupported(where, internal, supported)];
}

function conversionError(version: string, fieldPath: string, subscripted: Subscripted | undefined): string | undefined {
  if (version !== 'v1') return `unsupported pod version: ${version}`;
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

/** `ResourceFieldSelector`; a volume's must name its container. */
export function validateResourceFieldRef(ref: JsonObject, path: FieldPath, volume: boolean): FieldError[] {
  return [...validateResource(ref, path, volume), ...validateDivisor(ref, path)];
}

function validateResource(ref: JsonObject, path: FieldPath, volume: boolean): FieldError[] {
  const resource = text(ref, 'resource');
  if (volume && text(ref, 'containerName') === '') return requiredText(ref, 'containerName', path);
  if (resource === '') return [required(path.child('resource'))];
  if (RESOURCES.includes(resource) || isHugePages(resource)) return [];
  return [notSupported(path.child('resource'), resource, RESOURCES)];
}

const BYTES = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];
const bytes = (of: string): string => `only divisor's values ${BYTES.join(', ')} are supported with the ${of} resource`;

function validateDivisor(ref: JsonObject, path: FieldPath): FieldError[] {
  const divisor = ownField(ref, 'divisor');
  if (divisor === undefined || divisor === null || signOf(divisor) === 0) return [];
  const resource = text(ref, 'resource');
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
