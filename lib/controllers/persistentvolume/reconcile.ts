import type { PersistentVolume, PersistentVolumeClaim } from '#lib/api/types/core.v1.ts';
import { PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES, PODS, STORAGE_CLASSES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { type Clientset, clientset, type RefOf } from '#lib/client/clientset.ts';
import type { Reconciler, Result } from '#lib/client/controller/reconciler.ts';
import { ignoreNotFound } from '#lib/client/ignore.ts';
import { EventCorrelator } from '#lib/client/record/event-correlator.ts';
import type { EventText } from '#lib/client/record/new-event.ts';
import { type Recorder, recordEvent, recordOnce } from '#lib/client/record/record-event.ts';
import { podClaims } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import {
  annotated,
  BETA_STORAGE_PROVISIONER,
  BIND_COMPLETED,
  isAnnotated,
  STORAGE_PROVISIONER,
} from '#lib/helpers/component-helpers/storage/volume/annotations.ts';
import { boundVolume } from '#lib/helpers/component-helpers/storage/volume/bind.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import { boundClaim, boundStatus, unboundStatus, unboundVolume } from './bound.ts';
import { type ClaimAction, decideClaim, waiting } from './decide-claim.ts';
import { decideVolume } from './decide-volume.ts';
import { annealedClaim, annealedVolume } from './migration.ts';
import { Relations } from './relations.ts';

const [CLAIMS, VOLUMES] = [PERSISTENT_VOLUME_CLAIMS, PERSISTENT_VOLUMES];
const NAME = 'persistentvolume-controller';

/**
 * Binds claims and volumes to each other: upstream's persistent volume controller. It writes the volume first, and every write requires
 * the state that was read. A half-finished binding is completed or undone.
 */
export function persistentVolumeBinder(client: Client, clock: Clock, events = new EventCorrelator(clock)): Reconciler {
  const relations = new Relations();
  const binder = new Binder(client, events);
  return {
    name: NAME,
    maxConcurrent: 1, // concurrent reconciliations would choose one volume for several claims, and all but one would fail
    keys: (change) => relations.keys(change),
    reconcile: (key) => binder.reconcile(key),
  };
}

class Binder {
  readonly #client: Clientset;
  readonly #recorder: Omit<Recorder, 'kind'>;

  constructor(client: Client, events: EventCorrelator) {
    this.#client = clientset(client);
    this.#recorder = { client, component: NAME, apiVersion: 'v1', events };
  }

  async reconcile(key: string): Promise<Result> {
    const [what, first = '', second = ''] = key.split('/');
    await (what === 'volume' ? this.#volume(first) : this.#claim(first, second)).catch(ignoreNotFound);
    return undefined;
  }

  async #claim(namespace: string, name: string): Promise<void> {
    const found = await this.#client.get({ resource: CLAIMS, namespace, name });
    if (found === undefined) return;
    const claim = await this.#update(CLAIMS, annealedClaim(found), found);
    const volumes = await this.#volumesFor(claim);
    const isFree = !isAnnotated(claim, BIND_COMPLETED) && (claim.spec.volumeName ?? '') === '';
    const classes = isFree ? await this.#client.list(STORAGE_CLASSES) : [];
    await this.#perform(claim, decideClaim({ claim, volumes, classes }));
  }

  async #volumesFor(claim: PersistentVolumeClaim): Promise<readonly PersistentVolume[]> {
    const name = claim.spec.volumeName ?? '';
    if (name === '') return isAnnotated(claim, BIND_COMPLETED) ? [] : this.#client.list(VOLUMES);
    const volume = await this.#client.get(refOf(VOLUMES, { name }));
    return volume === undefined ? [] : [volume];
  }

  async #perform(claim: PersistentVolumeClaim, decided: ClaimAction): Promise<void> {
    switch (decided.action) {
      case 'bind':
        return this.#bind(claim, decided.volume);
      case 'phase':
        return this.#claimPhase(claim, decided);
      case 'wait':
        return this.#wait(claim);
      case 'class':
        await this.#update(CLAIMS, { ...claim, spec: { ...claim.spec, storageClassName: decided.name } }, claim);
        return undefined;
      case 'provision':
        await this.#askProvisioner(claim, decided.provisioner);
        return this.#tell('PersistentVolumeClaim', claim, decided.event);
      case 'tell':
        return this.#tell('PersistentVolumeClaim', claim, decided.event);
      default:
        return decided satisfies never;
    }
  }

  async #bind(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
    const own = await this.#update(VOLUMES, boundVolume(volume, claim), volume);
    const bound = await this.#volumePhase(own, 'Bound');
    const named = await this.#update(CLAIMS, boundClaim(claim, bound), claim);
    await this.#update(CLAIMS, boundStatus(named, bound), named, 'status');
  }

  /** An event reports a lost claim once, when it becomes lost. */
  async #claimPhase(claim: PersistentVolumeClaim, { phase, event }: ClaimAction & { action: 'phase' }): Promise<void> {
    const isNews = claim.status.phase !== phase;
    if (phase === 'Lost' && !isNews) return;
    await this.#update(CLAIMS, unboundStatus(claim, phase), claim, 'status');
    if (event !== undefined) await this.#tell('PersistentVolumeClaim', claim, event);
  }

  async #wait(claim: PersistentVolumeClaim): Promise<void> {
    const pods = await this.#client.list(PODS, { namespace: namespaceOf(claim) });
    const users = pods.filter((pod) => podClaims(pod).some(({ name }) => name === nameOf(claim)));
    await this.#claimPhase(claim, { action: 'phase', phase: 'Pending', event: waiting(users) });
  }

  async #askProvisioner(claim: PersistentVolumeClaim, provisioner: string): Promise<void> {
    if (annotationsOf(claim)[STORAGE_PROVISIONER] === provisioner) return;
    const names = { [STORAGE_PROVISIONER]: provisioner, [BETA_STORAGE_PROVISIONER]: provisioner };
    await this.#update(CLAIMS, annotated(claim, names), claim);
  }

  async #volume(name: string): Promise<void> {
    const found = await this.#client.get(refOf(VOLUMES, { name }));
    if (found === undefined) return;
    const volume = await this.#update(VOLUMES, annealedVolume(found), found);
    const { uid = '', namespace = '', name: claimName = '' } = volume.spec.claimRef ?? {};
    const claim = uid === '' ? undefined : await this.#client.get(refOf(CLAIMS, { namespace, name: claimName }));
    const decided = decideVolume(volume, claim);
    if (decided.action === 'phase') await this.#volumePhase(volume, decided.phase, decided.event);
    if (decided.action === 'unbind')
      await this.#volumePhase(await this.#update(VOLUMES, unboundVolume(volume), volume), 'Available');
    if (decided.action === 'mismatch') await this.#tellMismatch(volume, decided.claim);
  }

  async #volumePhase(volume: PersistentVolume, phase: string, event?: EventText): Promise<PersistentVolume> {
    const { status } = volume;
    if (status.phase === phase) return volume;
    const next = { ...volume, status: { ...status, phase, message: event?.message ?? '' } };
    const updated = await this.#update(VOLUMES, next, volume, 'status');
    const recorder = { ...this.#recorder, kind: 'PersistentVolume' };
    if (event !== undefined) await recordEvent(recorder, updated, event);
    return updated;
  }

  async #tellMismatch(volume: PersistentVolume, claim: PersistentVolumeClaim): Promise<void> {
    const told = (message: string): EventText => ({ type: 'Warning', reason: 'VolumeMismatch', message });
    const why = 'due to incompatible volumeMode.';
    const toVolume = `Cannot bind PersistentVolume to requested PersistentVolumeClaim "${nameOf(claim)}" ${why}`;
    await this.#tell('PersistentVolume', volume, told(toVolume));
    const toClaim = `Cannot bind PersistentVolume "${nameOf(volume)}" to requested PersistentVolumeClaim ${why}`;
    await this.#tell('PersistentVolumeClaim', claim, told(toClaim));
  }

  /** Upstream repeats the event every 15 seconds. This controller records it once. */
  #tell(kind: string, object: JsonObject, event: EventText): Promise<void> {
    return recordOnce({ ...this.#recorder, kind }, object, event);
  }

  /** Writes the differences on top of the state that was read. Returns the resulting object. */
  async #update<T extends JsonObject>(
    resource: ResourceOf<T>,
    next: T | undefined,
    current: T,
    subresource?: string,
  ): Promise<T> {
    if (next === undefined) return current;
    return this.#client.update(
      refOf(resource, { namespace: namespaceOf(next), name: nameOf(next) }),
      next,
      subresource,
    );
  }
}

const refOf = <T extends JsonObject>(
  resource: ResourceOf<T>,
  { namespace = '', name }: { readonly namespace?: string; readonly name: string },
): RefOf<T> => ({ resource, namespace, name });
