import type { PersistentVolume, PersistentVolumeSpec, Volume } from '#lib/api/types/core.v1.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { BETA_ZONE, ZONE, ZONE_DELIMITER } from './topology.ts';

/** Thrown for a volume that cannot be translated to its CSI driver. */
export class TranslationError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TranslationError';
  }
}

/** A pod's volume or the spec of a persistent volume. Both have one field for each type of source. */
export type Sourced = Volume | PersistentVolumeSpec;

/** The source fields of former in-tree plugins. */
type Source =
  | 'gcePersistentDisk'
  | 'awsElasticBlockStore'
  | 'cinder'
  | 'azureDisk'
  | 'azureFile'
  | 'vsphereVolume'
  | 'portworxVolume';

/** A former in-tree storage plugin. */
export interface Plugin {
  readonly name: string;
  readonly driver: string;
  /** The volume field that holds its source. */
  readonly source: Source;
  /** The driver's label for the zone of a node. */
  readonly topologyKey?: string;
  /**
   * Returns the CSI volume handle of a source. `volume` is its persistent volume, if any. Throws TranslationError. Absent if the handle is
   * never needed.
   */
  handle?(from: Sourced, volume: PersistentVolume | undefined): string;
}

/** All plugins that CSI drivers replaced. */
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
    handle: ({ cinder }) => cinder?.volumeID ?? '',
  },
  { name: 'kubernetes.io/azure-disk', driver: 'disk.csi.azure.com', source: 'azureDisk', handle: azureHandle },
  { name: 'kubernetes.io/azure-file', driver: 'file.csi.azure.com', source: 'azureFile' },
  { name: 'kubernetes.io/vsphere-volume', driver: 'csi.vsphere.vmware.com', source: 'vsphereVolume' },
  {
    name: 'kubernetes.io/portworx-volume',
    driver: 'pxd.portworx.com',
    source: 'portworxVolume',
    handle: ({ portworxVolume }) => portworxVolume?.volumeID ?? '',
  },
];

const UNSPECIFIED = 'UNSPECIFIED';

/** A zonal disk if the volume's labels name one zone, a regional disk if they name several. */
function googleHandle({ gcePersistentDisk }: Sourced, volume: PersistentVolume | undefined): string {
  const labels = volume === undefined ? {} : labelsOf(volume);
  const zones = (labels[BETA_ZONE] || labels[ZONE] || '').split(ZONE_DELIMITER);
  const [zone = ''] = zones;
  const place = zones.length > 1 ? `regions/${regionOf(zones)}` : `zones/${zone === '' ? UNSPECIFIED : zone}`;
  return `projects/${UNSPECIFIED}/${place}/disks/${gcePersistentDisk?.pdName ?? ''}`;
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

/** The last part of `aws://zone/vol-1`, `aws:///vol-1` or `vol-1`. */
function amazonHandle({ awsElasticBlockStore }: Sourced): string {
  const id = awsElasticBlockStore?.volumeID ?? '';
  if (!id.startsWith('aws://')) return id;
  const path = id.slice('aws://'.length);
  const bare = path.slice(path.indexOf('/')).replace(/^\/+|\/+$/g, '');
  if (path.includes('/') && /^vol-[^/]*$/.test(bare)) return bare;
  throw new TranslationError(
    `failed to translate Kubernetes ID to EBS Volume ID Invalid format for AWS volume (${id})`,
  );
}

function azureHandle({ azureDisk }: Sourced): string {
  const kind = azureDisk?.kind ?? '';
  if (kind !== '' && kind.toLowerCase() !== 'managed')
    throw new TranslationError(`kind(${kind}) is not supported in csi migration`);
  return azureDisk?.diskURI ?? '';
}
