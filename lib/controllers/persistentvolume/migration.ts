import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import {
  annotated,
  BETA_STORAGE_PROVISIONER,
  MIGRATED_TO,
  PROVISIONED_BY,
  STORAGE_PROVISIONER,
} from '#lib/helpers/component-helpers/storage/volume/annotations.ts';
import { migratedTo } from '#lib/helpers/csi-translation/translate.ts';
import { annotationsOf, isDeleting } from '#lib/machinery/meta.ts';
import { isBuiltIn } from './provisioners.ts';

/** Keeps a volume of an in-tree plugin until the plugin has deleted its storage. */
export const IN_TREE_FINALIZER = 'kubernetes.io/pv-controller';
/** Keeps a volume until csi-provisioner has deleted its storage. */
export const EXTERNAL_FINALIZER = 'external-provisioner.volume.kubernetes.io/finalizer';

/**
 * A provisioned volume with the finalizers that its reclaim policy needs, and with its CSI driver's name if the plugin was migrated.
 * Undefined if it is up to date.
 */
export function annealedVolume(volume: PersistentVolume): PersistentVolume | undefined {
  const provisioner = annotationsOf(volume)[PROVISIONED_BY];
  if (provisioner === undefined) return undefined;
  const marked = marking(volume, provisioner);
  const finalizers = deletionFinalizers(volume, provisioner);
  if (finalizers === undefined) return marked;
  const { metadata } = marked ?? volume;
  return { ...volume, metadata: { ...metadata, finalizers: [...finalizers] } };
}

/** A claim for a provisioner, with its CSI driver's name if the plugin was migrated. Undefined if it is up to date. */
export function annealedClaim(claim: PersistentVolumeClaim): PersistentVolumeClaim | undefined {
  const annotations = annotationsOf(claim);
  const provisioner = annotations[STORAGE_PROVISIONER] ?? annotations[BETA_STORAGE_PROVISIONER];
  return provisioner === undefined ? undefined : marking(claim, provisioner);
}

function marking<T extends PersistentVolume | PersistentVolumeClaim>(object: T, provisioner: string): T | undefined {
  const driver = migratedTo(provisioner);
  const known = annotationsOf(object)[MIGRATED_TO] ?? '';
  return known === (driver ?? '') ? undefined : annotated(object, { [MIGRATED_TO]: driver });
}

/** Upstream's modifyDeletionFinalizers. Undefined if the finalizers are up to date. A volume that is being deleted gets no new ones. */
function deletionFinalizers(volume: PersistentVolume, provisioner: string): readonly string[] | undefined {
  const { finalizers = [] } = volume.metadata;
  const without = (...names: readonly string[]): readonly string[] => finalizers.filter((one) => !names.includes(one));
  const changed = (next: readonly string[]) => (next.length === finalizers.length ? undefined : next);
  if (migratedTo(provisioner) !== undefined) return changed(without(IN_TREE_FINALIZER));
  if (!isBuiltIn(provisioner)) return undefined;
  const policy = volume.spec.persistentVolumeReclaimPolicy ?? '';
  if (policy !== 'Delete')
    return changed(without(EXTERNAL_FINALIZER, ...(['Retain', 'Recycle'].includes(policy) ? [IN_TREE_FINALIZER] : [])));
  const kept = without(EXTERNAL_FINALIZER);
  if (!kept.includes(IN_TREE_FINALIZER) && !isDeleting(volume)) return [...kept, IN_TREE_FINALIZER];
  return changed(kept);
}
