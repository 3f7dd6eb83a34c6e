import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '#lib/api/types/core.v1.ts';
import { claimOf, notOwned, type PodClaim } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { classOf } from '#lib/helpers/component-helpers/storage/volume/match.ts';
import { TranslationError } from '#lib/helpers/csi-translation/plugins.ts';
import {
  type CsiVolume,
  csiVolumeOf,
  isMigrationOn,
  migratedTo,
  pluginOf,
  translateInline,
} from '#lib/helpers/csi-translation/translate.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { Handle } from '../../interface.ts';
import { newStatus, type Status } from '../../status.ts';

/** The driver of each attached volume, by the volume's unique name. */
export type Attached = Map<string, string>;

/** The rules for counting volumes. */
export interface Counted {
  /** Whether the node has reported its drivers. If so, volumes of in-tree plugins count too. */
  readonly hasDrivers: boolean;
  /** Whether the pod is being scheduled. If so, its claims must exist. */
  readonly isNew: boolean;
}

interface Attachable {
  readonly driver: string;
  readonly uniqueName: string;
}

/** The unique name of a volume. Pods and claims that share the volume have the same name. */
export const uniqueName = ({ driver, volumeHandle }: CsiVolume): string => `${driver}/${volumeHandle}`;

const attachable = (volume: CsiVolume | undefined): Attachable | undefined =>
  volume && { driver: volume.driver, uniqueName: uniqueName(volume) };

/** Adds the attachable volumes of a pod. Returns a refusal for a claim that is missing or belongs to another pod. */
export function addVolumes(handle: Handle, pod: Pod, attached: Attached, counted: Counted): Status | undefined {
  for (const volume of pod.spec.volumes ?? []) {
    const claim = claimOf(pod, volume);
    const found = claim === undefined ? inline(volume, counted) : ofClaim(handle, pod, claim, counted);
    if (found === undefined) continue;
    if ('code' in found) return found;
    attached.set(found.uniqueName, found.driver);
  }
  return undefined;
}

function inline(volume: Volume, { hasDrivers }: Counted): Attachable | Status | undefined {
  const plugin = pluginOf(volume);
  if (plugin === undefined || !hasDrivers || !isMigrationOn(plugin.name)) return undefined;
  try {
    return attachable(translateInline(volume));
  } catch (error) {
    if (!(error instanceof TranslationError)) throw error;
    return newStatus('Error', `converting volume(${volume.name}) from inline to csi: ${error.message}`);
  }
}

function ofClaim(
  handle: Handle,
  pod: Pod,
  { name, isEphemeral }: PodClaim,
  counted: Counted,
): Attachable | Status | undefined {
  if (name === '') return newStatus('Error', 'PersistentVolumeClaim had no name');
  const namespace = namespaceOf(pod);
  const claim = handle.lister('persistentvolumeclaims').get(namespace, name);
  if (claim === undefined) {
    const why = `looking up PVC ${namespace}/${name}: persistentvolumeclaim "${name}" not found`;
    return counted.isNew ? newStatus('UnschedulableAndUnresolvable', why) : undefined;
  }
  const why = isEphemeral ? notOwned(pod, claim) : undefined;
  if (why !== undefined) return newStatus('Error', why);
  return driverOf(handle, claim, counted);
}

/** The volume of a claim. An unbound claim counts as a separate volume of its class's driver. */
function driverOf(handle: Handle, claim: PersistentVolumeClaim, counted: Counted): Attachable | undefined {
  const { volumeName: name = '' } = claim.spec;
  const volume = name === '' ? undefined : handle.lister('persistentvolumes').get('', name);
  return volume === undefined ? ofClass(handle, claim, counted) : attachable(ofVolume(volume, counted));
}

function ofVolume(volume: PersistentVolume, { hasDrivers }: Counted): CsiVolume | undefined {
  const { csi } = volume.spec;
  if (csi !== undefined) return { driver: csi.driver, volumeHandle: csi.volumeHandle };
  if (!hasDrivers) return undefined;
  try {
    return csiVolumeOf(volume);
  } catch (error) {
    if (error instanceof TranslationError) return undefined;
    throw error;
  }
}

function ofClass(handle: Handle, claim: PersistentVolumeClaim, { hasDrivers }: Counted): Attachable | undefined {
  const found = handle.lister('storageclasses').get('', classOf(claim));
  if (found === undefined) return undefined;
  const { provisioner } = found;
  // Unique, because no driver name contains a space.
  const own = `claim ${namespaceOf(claim)}/${nameOf(claim)}`;
  const driver = migratedTo(provisioner);
  if (driver === undefined) return { driver: provisioner, uniqueName: own };
  return hasDrivers && isMigrationOn(provisioner) ? { driver, uniqueName: own } : undefined;
}
