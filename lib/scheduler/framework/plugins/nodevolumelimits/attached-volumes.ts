import { claimOf, notOwned, volumesOf, type PodClaim } from '#lib/component-helpers/storage/ephemeral/pod-claims.ts';
import { classOf, specOf } from '#lib/component-helpers/storage/volume/match.ts';
import { TranslationError } from '#lib/csi-translation/plugins.ts';
import {
  csiVolumeOf,
  isMigrationOn,
  migratedTo,
  pluginOf,
  translateInline,
  type CsiVolume,
} from '#lib/csi-translation/translate.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { Handle } from '../../interface.ts';
import { newStatus, type Status } from '../../status.ts';

/** Drivers by what is attached: a name that one volume alone has. */
export type Attached = Map<string, string>;

/** What a node is to the count: what was built in once counts only where the node has told of its drivers. */
export interface Counted {
  readonly hasDrivers: boolean;
  /** Whether the pod is to come: then what it needs must be there. */
  readonly isNew: boolean;
}

interface Attachable {
  readonly driver: string;
  readonly uniqueName: string;
}

/** What a driver knows is one volume, however many pods and claims mean it. */
export const uniqueName = ({ driver, volumeHandle }: CsiVolume): string => `${driver}/${volumeHandle}`;

const attachable = (volume: CsiVolume | undefined): Attachable | undefined =>
  volume && { driver: volume.driver, uniqueName: uniqueName(volume) };

/** Adds the volumes of a pod that drivers have to attach; a refusal where its claims are not in order. */
export function addVolumes(handle: Handle, pod: JsonObject, attached: Attached, counted: Counted): Status | undefined {
  for (const volume of volumesOf(pod)) {
    const claim = claimOf(pod, volume);
    const found = claim === undefined ? inline(volume, counted) : ofClaim(handle, pod, claim, counted);
    if (found === undefined) continue;
    if ('code' in found) return found;
    attached.set(found.uniqueName, found.driver);
  }
  return undefined;
}

function inline(volume: JsonObject, { hasDrivers }: Counted): Attachable | Status | undefined {
  const plugin = pluginOf(volume);
  if (plugin === undefined || !hasDrivers || !isMigrationOn(plugin.name)) return undefined;
  try {
    return attachable(translateInline(volume));
  } catch (error) {
    if (!(error instanceof TranslationError)) throw error;
    return newStatus('Error', `converting volume(${text(volume, 'name')}) from inline to csi: ${error.message}`);
  }
}

function ofClaim(
  handle: Handle,
  pod: JsonObject,
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

/** The volume of a claim; one that has none yet counts as its own, of the driver that is to make it. */
function driverOf(handle: Handle, claim: JsonObject, counted: Counted): Attachable | undefined {
  const name = text(specOf(claim), 'volumeName');
  const volume = name === '' ? undefined : handle.lister('persistentvolumes').get('', name);
  return volume === undefined ? ofClass(handle, claim, counted) : attachable(ofVolume(volume, counted));
}

function ofVolume(volume: JsonObject, { hasDrivers }: Counted): CsiVolume | undefined {
  const csi = objectAt(specOf(volume), 'csi');
  if (csi !== undefined) return { driver: text(csi, 'driver'), volumeHandle: text(csi, 'volumeHandle') };
  if (!hasDrivers) return undefined;
  try {
    return csiVolumeOf(volume);
  } catch (error) {
    if (error instanceof TranslationError) return undefined;
    throw error;
  }
}

function ofClass(handle: Handle, claim: JsonObject, { hasDrivers }: Counted): Attachable | undefined {
  const found = handle.lister('storageclasses').get('', classOf(claim));
  if (found === undefined) return undefined;
  const provisioner = text(found, 'provisioner');
  // No driver has a space in its name.
  const own = `claim ${namespaceOf(claim)}/${nameOf(claim)}`;
  const driver = migratedTo(provisioner);
  if (driver === undefined) return { driver: provisioner, uniqueName: own };
  return hasDrivers && isMigrationOn(provisioner) ? { driver, uniqueName: own } : undefined;
}
