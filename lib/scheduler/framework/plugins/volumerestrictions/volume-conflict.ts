import type { Pod, RBDVolumeSource, Volume } from '#lib/api/types/core.v1.ts';

/** Whether two volumes are the same disk and their pods cannot share it on a node. */
type Collides = (a: Volume, b: Volume) => boolean;

interface Disk {
  readonly readOnly?: boolean;
}

/** Pods can share a disk if both only read it. */
const readers = (a: Disk, b: Disk): boolean => a.readOnly === true && b.readOnly === true;

const DISKS: readonly (readonly [source: keyof Volume, collides: Collides])[] = [
  [
    'gcePersistentDisk',
    ({ gcePersistentDisk: a }, { gcePersistentDisk: b }) =>
      a !== undefined && b !== undefined && a.pdName === b.pdName && !readers(a, b),
  ],
  [
    'awsElasticBlockStore',
    ({ awsElasticBlockStore: a }, { awsElasticBlockStore: b }) =>
      a !== undefined && b !== undefined && a.volumeID === b.volumeID,
  ],
  ['iscsi', ({ iscsi: a }, { iscsi: b }) => a !== undefined && b !== undefined && a.iqn === b.iqn && !readers(a, b)],
  ['rbd', ({ rbd: a }, { rbd: b }) => a !== undefined && b !== undefined && isSameImage(a, b) && !readers(a, b)],
];

function isSameImage(a: RBDVolumeSource, b: RBDVolumeSource): boolean {
  const monitors = new Set(a.monitors);
  return a.pool === b.pool && a.image === b.image && (b.monitors ?? []).some((one) => monitors.has(one));
}

/** Whether the volume is a disk that may conflict with other pods on the node. */
export const needsCheck = (volume: Volume): boolean => DISKS.some(([source]) => volume[source] !== undefined);

/** Whether two pods cannot run on the same node because of a shared disk. */
export const conflict = (pod: Pod, other: Pod): boolean =>
  (pod.spec.volumes ?? []).some(
    (volume) => needsCheck(volume) && (other.spec.volumes ?? []).some((one) => collide(volume, one)),
  );

const collide: Collides = (a, b) => DISKS.some(([, collides]) => collides(a, b));
