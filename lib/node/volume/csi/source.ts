import type { CSIPersistentVolumeSource, CSIVolumeSource, Pod } from '#lib/api/types/core.v1.ts';
import type { CSIDriver } from '#lib/api/types/storage.v1.ts';
import { quoteList } from '#lib/machinery/go.ts';
import type { VolumeSpec } from '../volume.ts';
import { inlineHandle } from './names.ts';

/** The source of a persistent volume, or of a volume in the pod's spec. */
export type CSISource =
  | { readonly mode: 'Persistent'; readonly source: CSIPersistentVolumeSource }
  | { readonly mode: 'Ephemeral'; readonly source: CSIVolumeSource };

/** The source of a volume, or undefined for other types. */
export function sourceOf({ volume, persistentVolume }: VolumeSpec): CSISource | undefined {
  if (volume?.csi !== undefined) return { mode: 'Ephemeral', source: volume.csi };
  const source = persistentVolume?.spec.csi;
  return source === undefined ? undefined : { mode: 'Persistent', source };
}

/** The source of a persistent volume. Throws for any other volume. */
export function persistentSource(spec: VolumeSpec): CSIPersistentVolumeSource {
  const found = sourceOf(spec);
  if (found === undefined) throw new Error('volume source not found in volume.Spec');
  if (found.mode === 'Ephemeral') throw new Error('unexpected api.CSIVolumeSource found in volume.Spec');
  return found.source;
}

/** The driver's handle of a pod's volume. */
export const handleOf = ({ mode, source }: CSISource, spec: VolumeSpec, pod: Pod): string =>
  mode === 'Persistent' ? source.volumeHandle : inlineHandle(pod.metadata.uid ?? '', spec.name);

/** The access mode for a driver: the first one of a persistent volume. */
export const accessModeOf = ({ persistentVolume }: VolumeSpec): string =>
  persistentVolume?.spec.accessModes?.[0] ?? 'ReadWriteOnce';

/** Throws if a driver does not support volumes of this mode. Without a CSIDriver it supports persistent ones. */
export function checkLifecycleMode(name: string, mode: CSISource['mode'], driver: CSIDriver | undefined): void {
  if (driver === undefined) {
    if (mode === 'Persistent') return;
    throw new Error(`volume mode "${mode}" not supported by driver ${name} (no CSIDriver object)`);
  }
  const modes = driver.spec.volumeLifecycleModes ?? [];
  if (modes.includes(mode)) return;
  throw new Error(`volume mode "${mode}" not supported by driver ${name} (only supports ${quoteList(modes)})`);
}

/**
 * Whether the kubelet assigns a volume's files to the pod's group, according to the driver's policy. Throws for a CSIDriver without a
 * policy.
 */
export function appliesGroup(spec: VolumeSpec, fsType: string, driver: CSIDriver | undefined): boolean {
  const policy = driver === undefined ? 'ReadWriteOnceWithFSType' : driver.spec.fsGroupPolicy;
  if (policy === undefined || policy === '')
    throw new Error('expected valid fsGroupPolicy, received nil value or empty string');
  if (policy === 'None') return false;
  if (policy === 'File') return true;
  if (fsType === '') return false;
  const { persistentVolume } = spec;
  if (persistentVolume === undefined) return true;
  return (persistentVolume.spec.accessModes ?? []).some((mode) => ['ReadWriteOnce', 'ReadWriteOncePod'].includes(mode));
}
