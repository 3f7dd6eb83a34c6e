import type { Pod, Volume } from '#lib/api/types/core.v1.ts';
import type { VolumeMeter } from '#lib/node/volume/volume.ts';
import type { MountedVolume } from '../volumemanager/volume-manager.ts';

/** A volume of a pod to measure. */
export interface MeasuredVolume {
  readonly name: string;
  readonly path: string;
  /** Whether it uses the node's disk and is deleted with the pod. */
  readonly isEphemeral: boolean;
  /** Whether it has its own file system, whose counters are sufficient. Otherwise its files are counted. */
  readonly hasOwnFs: boolean;
  /** Measures the usage of the volume. If present, no other method is used. */
  readonly stats?: VolumeMeter;
  readonly pvcRef?: { readonly name: string; readonly namespace: string };
}

/**
 * The volumes of a pod to measure (upstream: volumeStatCalculator). Excludes hostPath volumes, and block devices that do not report their
 * usage.
 */
export function measuredVolumes(pod: Pod, mounted: ReadonlyMap<string, MountedVolume>): MeasuredVolume[] {
  return (pod.spec.volumes ?? []).flatMap((volume) => {
    const found = mounted.get(volume.name);
    if (found === undefined || (found.block && found.stats === undefined) || volume.hostPath !== undefined) return [];
    const claim = claimOf(pod, volume);
    const namespace = pod.metadata.namespace ?? '';
    return [
      {
        name: volume.name,
        path: found.path,
        isEphemeral: isLocalEphemeral(volume),
        hasOwnFs: claim !== undefined || (volume.csi ?? volume.nfs ?? volume.flexVolume) !== undefined,
        ...(found.stats !== undefined && { stats: found.stats }),
        ...(claim !== undefined && { pvcRef: { name: claim, namespace } }),
      },
    ];
  });
}

function claimOf({ metadata }: Pod, { name, persistentVolumeClaim, ephemeral }: Volume): string | undefined {
  if (persistentVolumeClaim !== undefined) return persistentVolumeClaim.claimName;
  return ephemeral === undefined ? undefined : `${metadata.name ?? ''}-${name}`;
}

/** Whether a volume uses the node's disk and is deleted with its pod (upstream: IsLocalEphemeralVolume). */
export const isLocalEphemeral = ({ gitRepo, emptyDir, configMap }: Volume): boolean =>
  gitRepo !== undefined || (emptyDir !== undefined && (emptyDir.medium ?? '') === '') || configMap !== undefined;
