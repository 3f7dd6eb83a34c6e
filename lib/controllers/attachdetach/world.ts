import type { PersistentVolume, PersistentVolumeClaim, Pod } from '#lib/api/types/core.v1.ts';
import {
  CSI_DRIVERS,
  NODES,
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  PODS,
  VOLUME_ATTACHMENTS,
} from '#lib/api/types/resources.ts';
import type { VolumeAttachment } from '#lib/api/types/storage.v1.ts';
import type { Clientset } from '#lib/client/clientset.ts';
import { podClaims } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import { isManaged, type NodeState, type Wanted } from './decide.ts';
import {
  type AttachableVolume,
  attachableOf,
  attachmentOf,
  belongsTo,
  inlineVolumes,
  mayAttach,
  needsVolumes,
  volumeFor,
} from './volumes.ts';

/** The clients of one reconciliation: `client` acts as the controller's account, `keeper` reads single claims and volumes. */
export interface Clients {
  readonly client: Clientset;
  readonly keeper: Clientset;
}

/** Reads the objects of one reconciliation, each once. */
export class World {
  readonly #clients: Clients;
  readonly #claims = new Map<string, Promise<PersistentVolumeClaim | undefined>>();
  readonly #volumes = new Map<string, Promise<PersistentVolume | undefined>>();
  readonly #drivers = new Map<string, Promise<boolean>>();
  #attachments: Promise<VolumeAttachment[]> | undefined;

  constructor(clients: Clients) {
    this.#clients = clients;
  }

  /** A node, its VolumeAttachments and the volumes that its pods need. */
  async nodeState(name: string): Promise<NodeState> {
    const node = await this.#clients.client.get({ resource: NODES, namespace: '', name });
    const attachments = (await this.attachments()).filter(({ spec }) => spec.nodeName === name);
    const pods = await this.#clients.client.list(PODS, { fieldSelector: `spec.nodeName=${name}` });
    const wanted = node !== undefined && !isManaged(node) ? [] : await this.#wanted(pods);
    const known = new Map(wanted.map(({ volume }) => [attachmentOf(volume, name), volume]));
    for (const attachment of attachments) {
      if (known.has(nameOf(attachment))) continue;
      const volume = await this.#volumeOf(attachment);
      if (volume !== undefined && attachmentOf(volume, name) === nameOf(attachment))
        known.set(nameOf(attachment), volume);
    }
    return { name, node, attachments, known, wanted };
  }

  async #wanted(pods: readonly Pod[]): Promise<Wanted[]> {
    const byName = new Map<string, { readonly volume: AttachableVolume; readonly pods: Pod[] }>();
    for (const pod of pods.filter((one) => needsVolumes(one) && mayAttach(one)))
      for (const volume of await this.volumesOf(pod)) {
        const known = byName.get(volume.uniqueName);
        if (known === undefined) byName.set(volume.uniqueName, { volume, pods: [pod] });
        else if (!known.pods.includes(pod)) known.pods.push(pod);
      }
    return [...byName.values()];
  }

  /** The volumes of a pod that are attached to its node. Claims without a volume are omitted. */
  async volumesOf(pod: Pod): Promise<AttachableVolume[]> {
    const found = inlineVolumes(pod);
    for (const one of podClaims(pod)) {
      const claim = await this.#claim(namespaceOf(pod), one.name);
      const name = claim === undefined ? undefined : volumeFor(pod, one, claim);
      const volume = name === undefined ? undefined : await this.volume(name);
      const attachable =
        volume !== undefined && claim !== undefined && belongsTo(volume, claim) ? attachableOf(volume) : undefined;
      if (attachable !== undefined) found.push(attachable);
    }
    const needed = await Promise.all(found.map(({ driver }) => this.requiresAttach(driver)));
    return found.filter((_, index) => needed[index]);
  }

  /** Every VolumeAttachment. */
  attachments(): Promise<VolumeAttachment[]> {
    return (this.#attachments ??= this.#clients.client.list(VOLUME_ATTACHMENTS));
  }

  /** A persistent volume. */
  volume(name: string): Promise<PersistentVolume | undefined> {
    return once(this.#volumes, name, () =>
      this.#clients.keeper.get({ resource: PERSISTENT_VOLUMES, namespace: '', name }),
    );
  }

  /** Whether a driver requires attachment. True unless its CSIDriver sets `attachRequired` to false. */
  requiresAttach(driver: string): Promise<boolean> {
    return once(this.#drivers, driver, async () => {
      const found = await this.#clients.client.get({ resource: CSI_DRIVERS, namespace: '', name: driver });
      return found?.spec.attachRequired !== false;
    });
  }

  #claim(namespace: string, name: string): Promise<PersistentVolumeClaim | undefined> {
    return once(this.#claims, `${namespace}/${name}`, () =>
      this.#clients.keeper.get({ resource: PERSISTENT_VOLUME_CLAIMS, namespace, name }),
    );
  }

  async #volumeOf({ spec }: VolumeAttachment): Promise<AttachableVolume | undefined> {
    const { persistentVolumeName: name, inlineVolumeSpec: inline } = spec.source;
    if (name === undefined)
      return inline === undefined ? undefined : attachableOf({ metadata: {}, spec: inline, status: {} });
    const volume = await this.volume(name);
    return volume === undefined ? undefined : attachableOf(volume);
  }
}

function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const reading = known.get(key) ?? read();
  known.set(key, reading);
  return reading;
}
