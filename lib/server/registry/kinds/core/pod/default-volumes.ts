import type {
  AzureDiskVolumeSource,
  DownwardAPIProjection,
  EphemeralVolumeSource,
  ProjectedVolumeSource,
  RBDVolumeSource,
  Volume,
} from '#lib/api/types/core.v1.ts';
import { canonicalQuantity, roundResources } from '#lib/machinery/resource/quantities.ts';
import { defaultClaimSpec } from '../../shared/persistent-volume-claim-spec.ts';
import { defaultFieldRef, defaultResourceRef, pullPolicy } from './default-containers.ts';
import { VOLUME_SOURCES } from './validation/volume-sources.ts';

const FILE_MODE = 0o644;
const HOUR = 3600;

/** Upstream's defaults for a volume. A volume without a source is an empty directory. */
export function defaultVolume(volume: Volume): void {
  if (!VOLUME_SOURCES.some(({ field }) => volume[field] !== undefined)) volume.emptyDir = {};
  const { emptyDir, hostPath, iscsi, rbd, azureDisk, scaleIO, ephemeral, image } = volume;
  if (emptyDir?.sizeLimit !== undefined) emptyDir.sizeLimit = canonicalQuantity(emptyDir.sizeLimit);
  if (hostPath !== undefined) hostPath.type ??= '';
  defaultFiles(volume);
  if (iscsi !== undefined) iscsi.iscsiInterface ||= 'default';
  if (rbd !== undefined) defaultRBD(rbd);
  if (azureDisk !== undefined) defaultAzureDisk(azureDisk);
  if (scaleIO !== undefined) {
    scaleIO.fsType ||= 'xfs';
    scaleIO.storageMode ||= 'ThinProvisioned';
  }
  if (ephemeral !== undefined) defaultEphemeral(ephemeral);
  if (image !== undefined) image.pullPolicy ||= pullPolicy(image.reference ?? '');
}

/** Defaults for volumes whose files come from API objects. */
function defaultFiles({ secret, configMap, downwardAPI, projected }: Volume): void {
  for (const files of [secret, configMap, downwardAPI, projected]) {
    if (files !== undefined) files.defaultMode ??= FILE_MODE;
  }
  defaultDownwardAPI(downwardAPI);
  defaultProjected(projected);
}

function defaultDownwardAPI(source: Pick<DownwardAPIProjection, 'items'> | undefined): void {
  for (const { fieldRef, resourceFieldRef } of source?.items ?? []) {
    defaultFieldRef(fieldRef);
    defaultResourceRef(resourceFieldRef);
  }
}

function defaultProjected(volume: ProjectedVolumeSource | undefined): void {
  for (const { downwardAPI, serviceAccountToken } of volume?.sources ?? []) {
    defaultDownwardAPI(downwardAPI);
    if (serviceAccountToken !== undefined) serviceAccountToken.expirationSeconds ??= HOUR;
  }
}

function defaultRBD(source: RBDVolumeSource): void {
  source.pool ||= 'rbd';
  source.user ||= 'admin';
  source.keyring ||= '/etc/ceph/keyring';
}

function defaultAzureDisk(source: AzureDiskVolumeSource): void {
  source.cachingMode ??= 'ReadWrite';
  source.kind ??= 'Shared';
  source.fsType ??= 'ext4';
  source.readOnly ??= false;
}

function defaultEphemeral({ volumeClaimTemplate }: EphemeralVolumeSource): void {
  if (volumeClaimTemplate === undefined) return;
  defaultClaimSpec(volumeClaimTemplate.spec);
  roundResources(volumeClaimTemplate.spec.resources, 'limits', 'requests');
}
