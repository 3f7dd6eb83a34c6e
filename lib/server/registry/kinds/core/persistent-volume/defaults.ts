import type { PersistentVolume, PersistentVolumeSpec } from '#lib/api/types/core.v1.ts';
import { roundResources } from '#lib/machinery/resource/quantities.ts';

/** Upstream's SetDefaults_PersistentVolume and the defaults of the volume source. */
export function defaultPersistentVolume({ spec, status }: PersistentVolume): void {
  status.phase ||= 'Pending';
  spec.persistentVolumeReclaimPolicy ||= 'Retain';
  spec.volumeMode ??= 'Filesystem';
  roundResources(spec, 'capacity');
  defaultSource(spec);
}

/** Keeps empty text in fields that are pointers in Go, because it differs from an absent value there. */
function defaultSource({ hostPath, iscsi, rbd, azureDisk, scaleIO }: PersistentVolumeSpec): void {
  if (hostPath !== undefined) hostPath.type ??= '';
  if (iscsi !== undefined) iscsi.iscsiInterface ||= 'default';
  if (rbd !== undefined) {
    rbd.pool ||= 'rbd';
    rbd.user ||= 'admin';
    rbd.keyring ||= '/etc/ceph/keyring';
  }
  if (azureDisk !== undefined) {
    azureDisk.cachingMode ??= 'ReadWrite';
    azureDisk.kind ??= 'Shared';
    azureDisk.fsType ??= 'ext4';
    azureDisk.readOnly ??= false;
  }
  if (scaleIO !== undefined) {
    scaleIO.storageMode ||= 'ThinProvisioned';
    scaleIO.fsType ||= 'xfs';
  }
}
