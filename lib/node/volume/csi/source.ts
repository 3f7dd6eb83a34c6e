import type { CSIPersistentVolumeSource, CSIVolumeSource, Pod } from '#lib/api/types/core.v1.ts';
import type { CSIDriver } from '#lib/api/types/storage.v1.ts';
import { quoteList } from '#lib/machinery/go.ts';
import type { VolumeSpec } from '../volume.ts';
import { inlineHandle } from './names.ts';

/** The source of a volume: of a persistent one, or of one in the pod's spec. */
export type CSISource =
  | { readonly mode: 'Persistent'; readonly source: CSIPersistentVolumeSource }
  | { readonly mode: 'Ephemeral'; readonly source: CSIVolumeSource };

/** The source of a volume; undefined of other types. */
export function sourceOf({ volume, persistentVolume }: VolumeSpec): CSISource | undefined {
  if (volume?.csi !== undefined) return { mode: 'Ephemeral', source: volume.csi };
  const source = persistentVolume?.spec.csi;
  return source === undefined ? undefined : { mode: 'Persistent', source };
}

/** The source of a persistent volume. Throws of any other. */
export function persistentSource(spec: VolumeSpec): CSIPersistentVolumeSource {
  const found = sourceOf(spec);
  if (found === undefined) throw new Error('volume source not found in volume.Spec');
  if (found.mode === 'Ephemeral') throw new Error('unexpected api.CSIVolumeSource found in volume.Spec');
  return found.source;
}

/** The driver's name for a volume of a pod. */
export const handleOf = ({ mode, source }: CSISource, spec: VolumeSpec, pod: Pod): string =>
  mode === 'Persistent' ? source.volumeHandle : inlineHandle(pod.metadata.uid ?? '', spec.name);

/** The access mode that a driver is told: the first of a persistent volume. */
export const accessModeOf = ({ persistentVolume }: VolumeSpec): string =>
  persistentVolume?.spec.accessModes?.[0] ?? 'ReadWriteOnce';

/** Throws where a driver takes no volumes of this mode. Without a CSIDriver it takes persistent ones. */
export function checkLifecycleMode(name: string, mode: CSISource['mode'], driver: CSIDriver | undefined): void {
  if (driver === undefined) {
    if (mode === 'Persistent') return;
    throw new Error(`volume mode "${mode}" not supported by driver ${name} (no CSIDriver object)`);
  }
  const modes = driver.spec.volumeLifecycleModes ?? [];
  if (modes.includes(mode)) return;
  throw new Error(`volume mode "${mode}" not supported by driver ${name} (only supports ${quoteList(modes)})`);
}

/** Whether the kubelet gives the files of a volume to the pod's group, by the driver's policy. Throws of a CSIDriver without one. */
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
