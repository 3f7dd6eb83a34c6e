import type {
  AWSElasticBlockStoreVolumeSource,
  AzureDiskVolumeSource,
  CinderVolumeSource,
  CSIVolumeSource,
  FCVolumeSource,
  FlexVolumeSource,
  FlockerVolumeSource,
  GCEPersistentDiskVolumeSource,
  ISCSIVolumeSource,
  LocalObjectReference,
  QuobyteVolumeSource,
  RBDVolumeSource,
  StorageOSVolumeSource,
  Volume,
} from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import {
  type FieldError,
  type FieldPath,
  invalid,
  notSupported,
  required,
  tooLong,
} from '#lib/machinery/validation/field.ts';
import { inclusiveRange } from '#lib/machinery/validation/messages.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import { dns1123Label, inRange, objectName, optionalOneOf, requiredText } from '../../../shared/validate.ts';

type Partitioned = GCEPersistentDiskVolumeSource | AWSElasticBlockStoreVolumeSource;

function partition({ partition: value = 0 }: Partitioned, path: FieldPath): FieldError[] {
  // Upstream allows 0, contrary to its error message.
  return value < 0 || value > 255 ? [invalid(path.child('partition'), value, inclusiveRange(1, 255))] : [];
}

/** Validates a Google Compute Engine disk, in pods and persistent volumes. */
export function gcePersistentDisk(source: GCEPersistentDiskVolumeSource, path: FieldPath): FieldError[] {
  return [...requiredText(source, 'pdName', path), ...partition(source, path)];
}

/** Validates an Elastic Block Store volume, in pods and persistent volumes. */
export function awsElasticBlockStore(source: AWSElasticBlockStoreVolumeSource, path: FieldPath): FieldError[] {
  return [...requiredText(source, 'volumeID', path), ...partition(source, path)];
}

const IQN = /iqn\.\d{4}-\d{2}\.([0-9A-Za-z.-]+)(:[^,;*&$|\s]+)$/;
const EUI = /^eui.[0-9A-Za-z]{16}$/;
const NAA = /^naa.[0-9A-Za-z]{32}$/;
/** Names have at most 223 characters. Much longer texts are rejected without matching. */
const MAX_NAME = 1024;
const PREFIX = 'must be valid format starting with iqn, eui, or naa';

function iscsiName(name: string, path: FieldPath): FieldError[] {
  const format = name.startsWith('iqn') ? IQN : name.startsWith('eui') ? EUI : name.startsWith('naa') ? NAA : undefined;
  if (format === undefined) return [invalid(path, name, PREFIX)];
  return name.length <= MAX_NAME && format.test(name) ? [] : [invalid(path, name, 'must be valid format')];
}

/** An iSCSI disk without its secret reference, whose type differs in persistent volumes. */
type ISCSISource = Pick<
  ISCSIVolumeSource,
  'targetPortal' | 'iqn' | 'lun' | 'chapAuthDiscovery' | 'chapAuthSession' | 'initiatorName'
> & { secretRef?: JsonObject };

/** Validates an iSCSI disk, in pods and persistent volumes. */
export function iscsi(source: ISCSISource, path: FieldPath): FieldError[] {
  const { iqn, initiatorName } = source;
  const chap = source.chapAuthDiscovery === true || source.chapAuthSession === true;
  return [
    ...requiredText(source, 'targetPortal', path),
    ...(iqn === '' ? [required(path.child('iqn'))] : iscsiName(iqn, path.child('iqn'))),
    ...inRange(source.lun, path.child('lun'), 0, 255),
    ...(chap && source.secretRef === undefined ? [required(path.child('secretRef'))] : []),
    ...(initiatorName === undefined ? [] : iscsiName(initiatorName, path.child('initiatorname'))),
  ];
}

/** Validates the length of an iSCSI volume's name, because initiators build a name of limited length from it. */
export function iscsiNameLength({ name, iscsi: source }: Volume, path: FieldPath): FieldError[] {
  if (source?.initiatorName === undefined || `${name}:${source.targetPortal}`.length <= 64) return [];
  const message =
    'Total length of <volume name>:<iscsi.targetPortal> must be under 64 characters if iscsi.initiatorName is specified.';
  return [invalid(path.child('name'), name, message)];
}

/** Validates a Flocker dataset, in pods and persistent volumes. */
export function flocker(
  { datasetName: name = '', datasetUUID: uuid = '' }: FlockerVolumeSource,
  path: FieldPath,
): FieldError[] {
  const errors: FieldError[] = [];
  if (name === '' && uuid === '') errors.push(required(path, 'one of datasetName and datasetUUID is required'));
  if (name !== '' && uuid !== '') {
    errors.push(invalid(path, 'resource', 'datasetName and datasetUUID can not be specified simultaneously'));
  }
  if (name.includes('/')) errors.push(invalid(path.child('datasetName'), name, "must not contain '/'"));
  return errors;
}

type Monitored = Pick<RBDVolumeSource, 'monitors'>;

const monitored = ({ monitors }: Monitored, path: FieldPath): FieldError[] =>
  (monitors ?? []).length === 0 ? [required(path.child('monitors'))] : [];

/** Validates a Ceph block device, in pods and persistent volumes. */
export function rbd(source: Pick<RBDVolumeSource, 'monitors' | 'image'>, path: FieldPath): FieldError[] {
  return [...monitored(source, path), ...requiredText(source, 'image', path)];
}

/** Validates a Ceph file system, in pods and persistent volumes. */
export const cephfs = monitored;

function secretRefName(ref: LocalObjectReference | undefined, path: FieldPath): FieldError[] {
  return ref === undefined ? [] : requiredText(ref, 'name', path.child('secretRef'));
}

/** Validates an OpenStack Cinder volume of a pod. */
export function cinder(source: CinderVolumeSource, path: FieldPath): FieldError[] {
  return [...requiredText(source, 'volumeID', path), ...secretRefName(source.secretRef, path)];
}

const REGISTRY = 'must be a host:port pair or multiple pairs separated by commas';

/** Validates a Quobyte volume, in pods and persistent volumes. */
export function quobyte(source: QuobyteVolumeSource, path: FieldPath): FieldError[] {
  return [...quobyteRegistry(source, path), ...requiredText(source, 'volume', path)];
}

function quobyteRegistry({ registry, tenant = '' }: QuobyteVolumeSource, path: FieldPath): FieldError[] {
  if (registry === '') return [required(path.child('registry'), REGISTRY)];
  if (tenant.length >= 65) {
    return [required(path.child('tenant'), 'must be a UUID and may not exceed a length of 64 characters')];
  }
  const wrong = registry.split(',').filter((pair) => !/^(\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(pair));
  return wrong.map(() => invalid(path.child('registry'), registry, REGISTRY));
}

/** Validates a Fibre Channel disk, in pods and persistent volumes. */
export function fc({ targetWWNs: targets = [], wwids = [], lun }: FCVolumeSource, path: FieldPath): FieldError[] {
  const where = path.child('targetWWNs');
  const errors: FieldError[] = [];
  if (targets.length + wwids.length === 0) {
    errors.push(required(where, 'must specify either targetWWNs or wwids, but not both'));
  }
  if (targets.length > 0 && wwids.length > 0) {
    errors.push(invalid(where, targets, 'targetWWNs and wwids can not be specified simultaneously'));
  }
  if (targets.length === 0) return errors;
  if (lun === undefined) return [...errors, required(path.child('lun'), 'lun is required if targetWWNs is specified')];
  return [...errors, ...inRange(lun, path.child('lun'), 0, 255)];
}

/** Validates a FlexVolume, in pods and persistent volumes. */
export function flexVolume(source: Pick<FlexVolumeSource, 'driver' | 'options'>, path: FieldPath): FieldError[] {
  const reserved = sortedEntries(source.options).flatMap(([key]) => {
    const slash = key.indexOf('/');
    const namespace = `.${(slash < 0 ? key : key.slice(0, slash)).toLowerCase()}`;
    if (!namespace.endsWith('.kubernetes.io') && !namespace.endsWith('.k8s.io')) return [];
    return [invalid(path.child('options').key(key), key, 'kubernetes.io and k8s.io namespaces are reserved')];
  });
  return [...requiredText(source, 'driver', path), ...reserved];
}

const MANAGED_DISK = '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}';
const BLOB_DISK = 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd';

/** Validates an Azure disk, in pods and persistent volumes. */
export function azureDisk(source: AzureDiskVolumeSource, path: FieldPath): FieldError[] {
  return [
    ...requiredText(source, 'diskName', path),
    ...requiredText(source, 'diskURI', path),
    ...optionalOneOf(source, 'cachingMode', path, ['None', 'ReadOnly', 'ReadWrite']),
    ...optionalOneOf(source, 'kind', path, ['Dedicated', 'Managed', 'Shared']),
    ...azureURI(source, path.child('diskURI')),
  ];
}

function azureURI({ kind, diskURI: uri }: AzureDiskVolumeSource, path: FieldPath): FieldError[] {
  if (kind === undefined) return [];
  const managed = kind === 'Managed';
  if (uri.startsWith(managed ? '/subscriptions/' : 'https://')) return [];
  return [notSupported(path, uri, [managed ? MANAGED_DISK : BLOB_DISK])];
}

/** Validates a StorageOS volume of a pod. */
export function storageos(
  { volumeName: name = '', volumeNamespace: namespace = '', secretRef }: StorageOSVolumeSource,
  path: FieldPath,
): FieldError[] {
  return [
    ...(name === '' ? [required(path.child('volumeName'))] : dns1123Label(name, path.child('volumeName'))),
    ...(namespace === '' ? [] : dns1123Label(namespace, path.child('volumeNamespace'))),
    ...secretRefName(secretRef, path),
  ];
}

/** Validates an inline CSI volume of a pod. */
export function csi({ driver, nodePublishSecretRef: ref }: CSIVolumeSource, path: FieldPath): FieldError[] {
  return [...csiDriverName(driver, path.child('driver')), ...(ref === undefined ? [] : csiSecret(ref, path))];
}

function csiSecret({ name = '' }: LocalObjectReference, path: FieldPath): FieldError[] {
  return name === '' ? [required(path.child('nodePublishSecretRef', 'name'))] : objectName(name, path.child('name'));
}

function csiDriverName(name: string, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  return [
    ...(name.length > 63 ? [tooLong(path, 63)] : []),
    ...isDNS1123Subdomain(name.toLowerCase()).map((message) => invalid(path, name, message)),
  ];
}
