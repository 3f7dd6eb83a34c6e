import { arrayAt, objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, entries, flag, has, integer, text } from '#lib/machinery/unstructured.ts';
import {
  invalid,
  notSupported,
  required,
  tooLong,
  type FieldError,
  type FieldPath,
} from '#lib/machinery/validation/field.ts';
import { inclusiveRange } from '#lib/machinery/validation/messages.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { dns1123Label, inRange, objectName, optionalOneOf, requiredText } from '../../../shared/validate.ts';

function partition(source: JsonObject, path: FieldPath): FieldError[] {
  const value = count(source, 'partition');
  // Upstream allows 0 although its text does not.
  return value < 0 || value > 255 ? [invalid(path.child('partition'), value, inclusiveRange(1, 255))] : [];
}

export function gcePersistentDisk(source: JsonObject, path: FieldPath): FieldError[] {
  return [...requiredText(source, 'pdName', path), ...partition(source, path)];
}

export function awsElasticBlockStore(source: JsonObject, path: FieldPath): FieldError[] {
  return [...requiredText(source, 'volumeID', path), ...partition(source, path)];
}

const IQN = /iqn\.\d{4}-\d{2}\.([0-9A-Za-z.-]+)(:[^,;*&$|\s]+)$/;
const EUI = /^eui.[0-9A-Za-z]{16}$/;
const NAA = /^naa.[0-9A-Za-z]{32}$/;
/** Names have at most 223 characters; what is far longer is not matched. */
const MAX_NAME = 1024;
const PREFIX = 'must be valid format starting with iqn, eui, or naa';

function iscsiName(name: string, path: FieldPath): FieldError[] {
  const format = name.startsWith('iqn') ? IQN : name.startsWith('eui') ? EUI : name.startsWith('naa') ? NAA : undefined;
  if (format === undefined) return [invalid(path, name, PREFIX)];
  return name.length <= MAX_NAME && format.test(name) ? [] : [invalid(path, name, 'must be valid format')];
}

export function iscsi(source: JsonObject, path: FieldPath): FieldError[] {
  const iqn = text(source, 'iqn');
  const chap = flag(source, 'chapAuthDiscovery') === true || flag(source, 'chapAuthSession') === true;
  return [
    ...requiredText(source, 'targetPortal', path),
    ...(iqn === '' ? [required(path.child('iqn'))] : iscsiName(iqn, path.child('iqn'))),
    ...inRange(count(source, 'lun'), path.child('lun'), 0, 255),
    ...(chap && !has(source, 'secretRef') ? [required(path.child('secretRef'))] : []),
    ...(has(source, 'initiatorName') ? iscsiName(text(source, 'initiatorName'), path.child('initiatorname')) : []),
  ];
}

export function iscsiNameLength(volume: JsonObject, path: FieldPath): FieldError[] {
  const source = objectAt(volume, 'iscsi');
  const name = text(volume, 'name');
  if (!has(source, 'initiatorName') || `${name}:${text(source, 'targetPortal')}`.length <= 64) return [];
  const message =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  return [invalid(path.child('name'), name, message)];
}

export function flocker(source: JsonObject, path: FieldPath): FieldError[] {
  const name = text(source, 'datasetName');
  const uuid = text(source, 'datasetUUID');
  const errors: FieldError[] = [];
  if (name === '' && uuid === '') errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  if (name !== '' && uuid !== '') {
    errors.push(invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (name.includes('/')) errors.push(invalid(path.child('datasetName'), name, "must not contain '/'"));
  return errors;
}

const monitors = (source: JsonObject, path: FieldPath): FieldError[] =>
  arrayAt(source, 'monitors').length === 0 ? [required(path.child('monitors'))] : [];

export function rbd(source: JsonObject, path: FieldPath): FieldError[] {
  return [...monitors(source, path), ...requiredText(source, 'image', path)];
}

export const cephfs = monitors;

function secretRefName(source: JsonObject, path: FieldPath): FieldError[] {
  const ref = objectAt(source, 'secretRef');
  return ref === undefined ? [] : requiredText(ref, 'name', path.child('secretRef'));
}

export function cinder(source: JsonObject, path: FieldPath): FieldError[] {
  return [...requiredText(source, 'volumeID', path), ...secretRefName(source, path)];
}

const REGISTRY = 'must be a host:port pair or multiple pairs separated by commas';

export function quobyte(source: JsonObject, path: FieldPath): FieldError[] {
  return [...quobyteRegistry(source, path), ...requiredText(source, 'volume', path)];
}

function quobyteRegistry(source: JsonObject, path: FieldPath): FieldError[] {
  const registry = text(source, 'registry');
  if (registry === '') return [required(path.child('registry'), REGISTRY)];
  if (text(source, 'tenant').length >= 65) {
    return [required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters')];
  }
  const wrong = registry.split(',').filter((pair) => !/^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair));
  return wrong.map(() => invalid(path.child('registry'), registry, REGISTRY));
}

export function fc(source: JsonObject, path: FieldPath): FieldError[] {
  const targets = arrayAt(source, 'targetWWNs');
  const wwids = arrayAt(source, 'wwids');
  const where = path.child('targetWWNs');
  const errors: FieldError[] = [];
  if (targets.length + wwids.length === 0) {
    errors.push(required(where, 'must specify either targetWWNs or wwids, but not both'));
  }
  if (targets.length > 0 && wwids.length > 0) {
    errors.push(invalid(where, targets, 'targetWWNs and wwids can not be specified simultaneously'));
  }
  if (targets.length === 0) return errors;
  const lun = integer(source, 'lun');
  if (lun === undefined) return [...errors, required(path.child('lun'), 'lun is required if targetWWNs is specified')];
  return [...errors, ...inRange(lun, path.child('lun'), 0, 255)];
}

export function flexVolume(source: JsonObject, path: FieldPath): FieldError[] {
  const reserved = entries(source, 'options').flatMap(([key]) => {
    const slash = key.indexOf('/');
    const namespace = `.${(slash < 0 ? key : key.slice(0, slash)).toLowerCase()}`;
    if (!namespace.endsWith('.kubernetes.io') && !namespace.endsWith('.k8s.io')) return [];
    return [invalid(path.child('options').key(key), key, 'kubernetes.io and k8s.io namespaces are reserved')];
  });
  return [...requiredText(source, 'driver', path), ...reserved];
}

const MANAGED_DISK = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

export function azureDisk(source: JsonObject, path: FieldPath): FieldError[] {
  return [
    ...requiredText(source, 'diskName', path),
    ...requiredText(source, 'diskURI', path),
    ...optionalOneOf(source, 'cachingMode', path, ['None', 'ReadOnly', 'ReadWrite']),
    ...optionalOneOf(source, 'kind', path, ['Dedicated', 'Managed', 'Shared']),
    ...azureURI(source, path.child('diskURI')),
  ];
}

function azureURI(source: JsonObject, path: FieldPath): FieldError[] {
  if (!has(source, 'kind')) return [];
  const uri = text(source, 'diskURI');
  const managed = text(source, 'kind') === 'Managed';
  if (uri.startsWith(managed ? '/subscriptions/' : 'https://')) return [];
  return [notSupported(path, uri, [managed ? MANAGED_DISK : BLOB_DISK])];
}

export function storageos(source: JsonObject, path: FieldPath): FieldError[] {
  const name = text(source, 'volumeName');
  const namespace = text(source, 'volumeNamespace');
  return [
    ...(name === '' ? [required(path.child('volumeName'))] : dns1123Label(name, path.child('volumeName'))),
    ...(namespace === '' ? [] : dns1123Label(namespace, path.child('volumeNamespace'))),
    ...secretRefName(source, path),
  ];
}

export function csi(source: JsonObject, path: FieldPath): FieldError[] {
  const ref = objectAt(source, 'nodePublishSecretRef');
  return [
    ...csiDriverName(text(source, 'driver'), path.child('driver')),
    ...(ref === undefined ? [] : csiSecret(ref, path)),
  ];
}

function csiSecret(ref: JsonObject, path: FieldPath): FieldError[] {
  const name = text(ref, 'name');
  return name === '' ? [required(path.child('nodePublishSecretRef', 'name'))] : objectName(name, path.child('name'));
}

function csiDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  return [
    ...(name.length > 63 ? [tooLong(path, 63)] : []),
    ...isDNS1123Subdomain(name.toLowerCase()).map((message) => invalid(path, name, message)),
  ];
}
