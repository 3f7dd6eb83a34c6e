import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { atMost } from '#lib/machinery/wait/within.ts';
import { podDir } from '#lib/node/volume/folders.ts';
import { findPlugin, findPluginByName, type VolumePlugin } from '#lib/node/volume/volume.ts';
import { OperationBackoff } from '../util/exponentialbackoff/operation-backoff.ts';
import { type ActualVolume, ActualVolumes } from './actual-volumes.ts';
import { type ClaimReader, desiredVolume, usedVolumes } from './desired-volumes.ts';
import { type ExpansionContext, expandInUse } from './expansion/node-expander.ts';
import { VolumeSizes } from './expansion/volume-sizes.ts';
import {
  mapVolume,
  mountVolume,
  NotAttached,
  type OperationContext,
  unmountDevice,
  unmountVolume,
} from './operations.ts';
import type { PodFolders } from './pod-folders.ts';
import { reconstructDevice, reconstructDevices } from './reconstruct.ts';
import { uniqueName } from './unique-name.ts';
import { AttachLimitExceeded, type MountedVolume, type VolumeManager } from './volume-manager.ts';
import type { VolumeToMount } from './volume-to-mount.ts';

/** The time-out of a wait and the interval between two checks, in milliseconds. */
const [TIMEOUT, INTERVAL] = [123_000, 300];
/** The operation that expands a volume in use. */
const EXPAND = 'expand';

/** The ports of a volume manager. */
export interface VolumeManagerOptions
  extends Omit<OperationContext, 'actual' | 'expansion'>,
    Pick<ExpansionContext, 'recorder' | 'patchStatus'> {
  readonly clock: Clock;
  /** Read again on each use, because drivers can be added and removed. */
  readonly plugins: readonly VolumePlugin[];
  /** Checks for added and removed plugins. Never rejects. */
  probePlugins(): Promise<void>;
  readonly claims: ClaimReader;
  readonly folders: PodFolders;
  /** Logs failures that no event reports. */
  log(message: string): void;
  /** Called when the set of volumes in use changed. The Node's status should report it soon. */
  volumesInUseChanged(): void;
}

/**
 * Mounts the volumes that pods need and unmounts the others. Upstream's loops run every 100 ms. Here each wait drives the operations of its
 * pod, and the next sync continues with failed ones. An operation outlives the wait that started it, and the next wait finds it.
 */
export class KubeletVolumeManager implements VolumeManager {
  readonly #options: VolumeManagerOptions;
  readonly #context: OperationContext;
  readonly #sizes = new VolumeSizes();
  readonly #actual = new ActualVolumes();
  readonly #backoff = new OperationBackoff();
  /** Operations in progress: one for each volume. */
  readonly #pending = new Map<string, Promise<void>>();
  /** The volumes that each pod needs: by uid, then by the name in its spec. */
  readonly #desired = new Map<string, Map<string, VolumeToMount>>();
  /** Volumes that the controller had not attached at the last attempt. */
  readonly #unattached = new Set<string>();
  /** Number of waits for mounts in progress, by uid. A cleanup skips these pods even if its set of pods is outdated. */
  readonly #mounting = new Map<string, number>();

  constructor(options: VolumeManagerOptions) {
    this.#options = options;
    this.#context = {
      rootDirectory: options.rootDirectory,
      subpaths: options.subpaths,
      nodeLabels: () => options.nodeLabels(),
      reportedVolumes: () => options.reportedVolumes(),
      actual: this.#actual,
      expansion: {
        now: () => options.clock.now(),
        sizes: this.#sizes,
        recorder: options.recorder,
        claim: (namespace, name) => options.claims.claim(namespace, name),
        patchStatus: (claim, status) => options.patchStatus(claim, status),
        log: (message) => options.log(message),
      },
    };
  }

  /**
   * Records volumes that an earlier process left in pods' directories as uncertain. A pod's next sync mounts them again, and the cleanup
   * removes the rest.
   */
  async reconstruct(): Promise<void> {
    for (const uid of await this.#options.folders.uids()) await this.#reconstructPod(uid);
    await reconstructDevices(this.#options, this.#actual);
  }

  async waitForAttachAndMount(pod: Pod, signal?: AbortSignal): Promise<void> {
    const { mounts, devices } = usedVolumes(pod);
    const expected = [...mounts.union(devices)];
    if (expected.length === 0) return;
    const uid = pod.metadata.uid ?? '';
    this.#mounting.set(uid, (this.#mounting.get(uid) ?? 0) + 1);
    try {
      await this.#attachAndMount(pod, expected, signal);
    } finally {
      const left = (this.#mounting.get(uid) ?? 1) - 1;
      if (left > 0) this.#mounting.set(uid, left);
      else this.#mounting.delete(uid);
    }
  }

  async waitForUnmount(pod: Pod, signal?: AbortSignal): Promise<void> {
    const uid = pod.metadata.uid ?? '';
    this.#desired.delete(uid);
    const failure = await this.#poll(uid, async () => this.#unmountAll(uid), signal);
    const left = this.#actual.of(uid);
    if (failure === undefined || left.length === 0) return;
    const names = left.map(({ unique }) => unique).toSorted();
    throw new Error(`mounted volumes=[${names.join(' ')}]: ${failure}`);
  }

  mountedVolumes(uid: string): ReadonlyMap<string, MountedVolume> {
    const volumes = new Map<string, MountedVolume>();
    for (const [name, { unique }] of this.#desired.get(uid) ?? []) {
      const mounted = this.#actual.get(uid, unique)?.mounted;
      if (mounted !== undefined) volumes.set(name, mounted);
    }
    return volumes;
  }

  hasPossiblyMountedVolumes(uid: string): boolean {
    return this.#actual.of(uid).length > 0;
  }

  extraSupplementalGroups(pod: Pod): readonly number[] {
    const own = (pod.spec.securityContext?.supplementalGroups ?? []).map(Number);
    const groups = this.#actual.of(pod.metadata.uid ?? '').flatMap(({ mounted, gid }) => {
      return mounted !== undefined && /^[+-]?\d+$/.test(gid) ? [Number(gid)] : [];
    });
    return [...new Set(groups)].filter((group) => !own.includes(group));
  }

  volumesInUse(): readonly string[] {
    const desired = [...this.#desired.values()].flatMap((volumes) => [...volumes.values()]);
    const devices = [...this.#actual.devices].filter(([, { isAttachable }]) => isAttachable);
    const names = desired.filter(({ isAttachable }) => isAttachable).map(({ unique }) => unique);
    return [...new Set([...names, ...devices.map(([unique]) => unique)])].toSorted();
  }

  async cleanupOrphans(knownUids: ReadonlySet<string>): Promise<void> {
    const { folders, log } = this.#options;
    const found = new Set([...(await folders.uids()), ...this.#actual.pods()]);
    const refusals: string[] = [];
    for (const uid of found)
      if (!knownUids.has(uid) && !this.#mounting.has(uid)) refusals.push(...(await this.#cleanUp(uid)));
    this.#releaseDevices();
    this.#expandAgain();
    const [first] = refusals;
    if (first === undefined) return;
    log(refusals.length === 1 ? first : `${first} (There were many similar errors: ${refusals.length})`);
  }

  async #attachAndMount(pod: Pod, expected: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    const uid = pod.metadata.uid ?? '';
    this.#actual.markRemount(uid);
    const errors = await this.#populate(pod, new Set(expected));
    const unmounted = (): string[] => expected.filter((name) => !this.#isMounted(uid, name)).toSorted();
    const done = async (): Promise<boolean> => {
      for (const volume of this.#desired.get(uid)?.values() ?? []) this.#mount(volume);
      return unmounted().length === 0;
    };
    const failure = errors.length > 0 ? await this.#failure(errors, done) : await this.#poll(uid, done, signal);
    const missing = unmounted();
    if (failure === undefined || missing.length === 0) return;
    const unattached = missing.filter((name) => this.#unattached.has(this.#desired.get(uid)?.get(name)?.unique ?? ''));
    const unprocessed = expected.filter((name) => this.#desired.get(uid)?.has(name) !== true).toSorted();
    const text = `unmounted volumes=[${missing.join(' ')}], unattached volumes=[${unattached.join(' ')}], failed to process volumes=[${unprocessed.join(' ')}]: ${failure}`;
    for (const name of unattached) {
      const volume = this.#desired.get(uid)?.get(name);
      if (await volume?.plugin.attach?.verifyExhaustedResource?.(volume.spec)) throw new AttachLimitExceeded(text);
    }
    throw new Error(text);
  }

  async #cleanUp(uid: string): Promise<readonly string[]> {
    this.#desired.delete(uid);
    if (this.#actual.of(uid).length === 0) await this.#reconstructPod(uid);
    this.#unmountAll(uid);
    await Promise.all(this.#pendingOf(uid));
    await this.#cleanSubpaths(uid);
    // A pod with a mounted volume keeps its directory: removing it could delete the data of the volume.
    if (this.#actual.of(uid).length > 0 || (await this.#options.folders.mounted(uid)).length > 0)
      return [`orphaned pod ${JSON.stringify(uid)} found, but volumes are not cleaned up`];
    return this.#options.folders.remove(uid);
  }

  /** Cleans up subpaths of volumes without a directory, such as hostPath. After a restart no other code has them. */
  async #cleanSubpaths(uid: string): Promise<void> {
    const { folders, subpaths, rootDirectory, log } = this.#options;
    for (const volume of await folders.subpathVolumes(uid)) {
      try {
        await subpaths.cleanSubPaths(podDir(rootDirectory, uid), volume);
      } catch (error) {
        log(`pod ${uid}: ${messageOfError(error)}`);
      }
    }
  }

  async #reconstructPod(uid: string): Promise<void> {
    const { folders, plugins, log } = this.#options;
    for (const { plugin: name, name: volume, block } of await folders.volumes(uid)) {
      try {
        const plugin = findPluginByName(plugins, name);
        const spec = (await plugin.reconstruct?.(volume, uid, block)) ?? { name: volume, readOnly: false };
        const unique = uniqueName(plugin, uid, spec);
        if (this.#actual.get(uid, unique) !== undefined) continue;
        this.#actual.put({ podUid: uid, unique, name: volume, plugin, block, gid: '', remount: false });
        reconstructDevice(this.#actual, { plugin, unique, volume });
      } catch (error) {
        log(`could not reconstruct volume ${JSON.stringify(volume)} of pod ${uid}: ${messageOfError(error)}`);
      }
    }
  }

  /** Resolves the pod's volumes. Returns the reasons why volumes are unusable now. */
  async #populate(pod: Pod, expected: ReadonlySet<string>): Promise<string[]> {
    const uid = pod.metadata.uid ?? '';
    await this.#probe(pod);
    const { claims, plugins } = this.#options;
    const desired = this.#desired.get(uid) ?? new Map<string, VolumeToMount>();
    this.#desired.set(uid, desired);
    const errors: string[] = [];
    let changed = false;
    for (const volume of pod.spec.volumes ?? []) {
      if (!expected.has(volume.name)) continue;
      try {
        const found = await desiredVolume(claims, pod, volume);
        const plugin = pluginOf(plugins, found.spec);
        const unique = uniqueName(plugin, uid, found.spec);
        const isAttachable = (await plugin.attach?.canAttach(found.spec)) ?? false;
        if (isAttachable && !this.volumesInUse().includes(unique)) changed = true;
        desired.set(volume.name, { ...found, pod, plugin, unique, isAttachable });
        if (found.sizes !== undefined && !found.spec.readOnly) this.#sizes.initialize(unique, found.sizes);
      } catch (error) {
        errors.push(messageOfError(error));
      }
    }
    if (changed) this.#options.volumesInUseChanged();
    return errors;
  }

  /** Pods that cannot use a FlexVolume do not wait for the plugin probe, because a driver may hang. */
  async #probe({ spec }: Pod): Promise<void> {
    const mayBeFlex = (spec.volumes ?? []).some(
      (volume) => (volume.flexVolume ?? volume.persistentVolumeClaim ?? volume.ephemeral) !== undefined,
    );
    if (mayBeFlex) await this.#options.probePlugins();
  }

  #isMounted(uid: string, name: string): boolean {
    const volume = this.#desired.get(uid)?.get(name);
    return volume !== undefined && this.#actual.get(uid, volume.unique)?.mounted !== undefined;
  }

  #mount(volume: VolumeToMount): void {
    const { recorder } = this.#options;
    const before = this.#actual.get(volume.pod.metadata.uid ?? '', volume.unique);
    if (before?.mounted !== undefined && !before.remount) return this.#expand(volume);
    const reason = volume.block ? 'FailedMapVolume' : 'FailedMount';
    void this.#start(volume.unique, 'mount', async () => {
      try {
        await (volume.block ? mapVolume(this.#context, volume) : mountVolume(this.#context, volume));
        this.#unattached.delete(volume.unique);
      } catch (error) {
        if (error instanceof NotAttached) this.#unattached.add(volume.unique);
        else this.#unattached.delete(volume.unique);
        if (!(error instanceof NotAttached)) recorder.event(volume.pod, 'Warning', reason, messageOfError(error));
        throw error;
      }
    });
  }

  /** Expands a mounted volume in use whose claim has grown. It runs in the background. */
  #expand(volume: VolumeToMount): void {
    const { recorder } = this.#options;
    const { unique, sizes, plugin, spec, pod } = volume;
    if (sizes === undefined || plugin.expand === undefined || spec.readOnly) return;
    const from = this.#sizes.growsFrom(unique, sizes);
    if (from === undefined) return;
    void this.#start(unique, EXPAND, async () => {
      try {
        await expandInUse(this.#context.expansion, volume, from);
      } catch (error) {
        recorder.event(pod, 'Warning', 'VolumeResizeFailed', messageOfError(error));
        throw error;
      }
    });
  }

  /** Retries failed expansions. */
  #expandAgain(): void {
    const now = this.#options.clock.monotonic();
    for (const volumes of this.#desired.values())
      for (const volume of volumes.values())
        if (this.#backoff.isDue(operationOf(EXPAND, volume.unique), now)) this.#expand(volume);
  }

  /** Starts the unmounts that can start. Returns whether no volume is left. */
  #unmountAll(uid: string): boolean {
    const volumes = this.#actual.of(uid);
    for (const volume of volumes) this.#unmount(volume);
    return volumes.length === 0;
  }

  #unmount(volume: ActualVolume): void {
    const { log } = this.#options;
    void this.#start(volume.unique, `unmount ${volume.podUid}`, async () => {
      try {
        await unmountVolume(this.#context, volume);
      } catch (error) {
        log(`pod ${volume.podUid}: ${messageOfError(error)}`);
        throw error;
      }
    }).then(() => this.#releaseDevices());
  }

  /** Releases devices that no pod uses. The cleanup retries devices that are still in use. */
  #releaseDevices(): void {
    const { log } = this.#options;
    const desired = [...this.#desired.values()].flatMap((volumes) => [...volumes.values()]);
    const needed = new Set(desired.map(({ unique }) => unique)); // failed attempts are retried
    for (const unique of this.#actual.unusedDevices().filter((name) => !needed.has(name)))
      void this.#start(unique, 'unmount device', async () => {
        try {
          const isAttachable = this.#actual.devices.get(unique)?.isAttachable === true;
          await unmountDevice(this.#context, unique);
          if (isAttachable) this.#options.volumesInUseChanged();
        } catch (error) {
          log(messageOfError(error));
          throw error;
        }
      });
  }

  /** Runs an operation, unless the volume has one in progress or the operation is in back-off. */
  async #start(unique: string, name: string, run: () => Promise<void>): Promise<void> {
    const { clock } = this.#options;
    const operation = operationOf(name, unique);
    if (this.#pending.has(unique) || !this.#backoff.mayStart(operation, clock.monotonic())) return;
    const work = async (): Promise<void> => {
      try {
        await run();
        this.#backoff.reset(operation);
      } catch {
        this.#backoff.failed(operation, clock.monotonic()); // already reported
      } finally {
        this.#pending.delete(unique);
      }
    };
    const working = work();
    this.#pending.set(unique, working);
    await working;
  }

  #pendingOf(uid: string): Promise<void>[] {
    const names = [...(this.#desired.get(uid)?.values() ?? []), ...this.#actual.of(uid)].map(({ unique }) => unique);
    return [...new Set(names)].flatMap((unique) => this.#pending.get(unique) ?? []);
  }

  async #failure(errors: readonly string[], start: () => Promise<boolean>): Promise<string> {
    await start(); // mounts the other volumes meanwhile
    return errors.join('; ');
  }

  /** Polls until done: after each operation, and every 300 ms. Returns the reason if it is not done. */
  async #poll(uid: string, done: () => Promise<boolean>, signal?: AbortSignal): Promise<string | undefined> {
    const { clock } = this.#options;
    const end = clock.monotonic() + TIMEOUT;
    while (!(await done())) {
      if (signal?.aborted === true) return 'context canceled';
      if (clock.monotonic() >= end) return 'context deadline exceeded';
      await atMost(INTERVAL, () => Promise.race(this.#pendingOf(uid)), { clock, signal });
    }
    return undefined;
  }
}

const operationOf = (name: string, unique: string): string => `${name} ${unique}`;

function pluginOf(plugins: readonly VolumePlugin[], spec: VolumeToMount['spec']): VolumePlugin {
  try {
    return findPlugin(plugins, spec);
  } catch (error) {
    throw new Error(
      `failed to get Plugin from volumeSpec for volume ${JSON.stringify(spec.name)} err=${messageOfError(error)}`,
      { cause: error },
    );
  }
}
