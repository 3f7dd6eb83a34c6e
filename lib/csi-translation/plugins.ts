import type { JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import { BETA_ZONE, ZONE, ZONE_DELIMITER } from './topology.ts';

/** A volume that its driver could not have. */
export class TranslationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TranslationError';
  }
}

/** A storage plugin that was once built in. */
export interface Plugin {
  readonly name: string;
  readonly driver: string;
  /** The field of a volume that is its source. */
  readonly source: string;
  /** The label by which the driver says where a node is. */
  readonly topologyKey?: string;
  /** What the driver calls the volume; `volume` where it is not one of a pod's own. Throws TranslationError. Absent: nobody asks. */
  handle?(source: JsonObject, volume: JsonObject | undefined): string;
}

const volumeId = (source: JsonObject): string => text(source, 'volumeID');

export const PLUGINS: readonly Plugin[] = [
  {
    name: 'kubernetes.io/gce-pd',
    driver: 'pd.csi.storage.gke.io',
    source: 'gcePersistentDisk',
    topologyKey: 'topology.gke.io/zone',
    handle: googleHandle,
  },
  {
    name: 'kubernetes.io/aws-ebs',
    driver: 'ebs.csi.aws.com',
    source: 'awsElasticBlockStore',
    topologyKey: 'topology.ebs.csi.aws.com/zone',
    handle: amazonHandle,
  },
  {
    name: 'kubernetes.io/cinder',
    driver: 'cinder.csi.openstack.org',
    source: 'cinder',
    topologyKey: 'topology.cinder.csi.openstack.org/zone',
    handle: volumeId,
  },
  { name: 'kubernetes.io/azure-disk', driver: 'disk.csi.azure.com', source: 'azureDisk', handle: azureHandle },
  { name: 'kubernetes.io/azure-file', driver: 'file.csi.azure.com', source: 'azureFile' },
  { name: 'kubernetes.io/vsphere-volume', driver: 'csi.vsphere.vmware.com', source: 'vsphereVolume' },
  { name: 'kubernetes.io/portworx-volume', driver: 'pxd.portworx.com', source: 'portworxVolume', handle: volumeId },
];

const UNSPECIFIED = 'UNSPECIFIED';

/** In a zone where the volume's labels name one, in a region where they name several. */
function googleHandle(source: JsonObject, volume: JsonObject | undefined): string {
  const labels = volume === undefined ? {} : labelsOf(volume);
  const zones = (labels[BETA_ZONE] || labels[ZONE] || '').split(ZONE_DELIMITER);
  const [zone = ''] = zones;
  const place = zones.length > 1 ? `regions/${regionOf(zones)}` : `zones/${zone === '' ? UNSPECIFIED : zone}`;
  return `projects/${UNSPECIFIED}/${place}/disks/${text(source, 'pdName')}`;
}

function regionOf(zones: readonly string[]): string {
  const parts = zones.map((zone) => zone.split('-'));
  const odd = zones.find((_, i) => parts[i]?.length !== 3);
  if (odd !== undefined)
    throw new TranslationError(
      'failed to get region from zones: zone in unexpected format, expected: ' +
        `{locale}-{region}-{zone}, got: ${odd}`,
    );
  const [region = '', ...others] = new Set(parts.map((part) => part.slice(0, 2).join('-')));
  if (others.length === 0) return region;
  const got = [region, ...others].sort().map((one) => `${one}:{}`);
  throw new TranslationError(
    `failed to get region from zones: multiple or no regions gotten from zones, got: map[${got.join(' ')}]`,
  );
}

/** Of `aws://zone/vol-1`, `aws:///vol-1` and `vol-1` the last part. */
function amazonHandle(source: JsonObject): string {
  const id = volumeId(source);
  if (!id.startsWith('aws://')) return id;
  const path = id.slice('aws://'.length);
  const bare = path.slice(path.indexOf('/')).replace(/^\/+|\/+$/g, '');
  if (path.includes('/') && /^vol-[^/]*$/.test(bare)) return bare;
  throw new TranslationError(
    `failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (${id})`,
  );
}

function azureHandle(source: JsonObject): string {
  const kind = text(source, 'kind');
  if (kind !== '' && kind.toLowerCase() !== 'managed')
    throw new TranslationError(`kind(${kind}) is not supported in csi migration`);
  return text(source, 'diskURI');
}
