import type { Pod, PodStatus, Secret } from '#lib/api/types/core.v1.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { generationOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { pastActiveDeadline } from './active-deadline.ts';
import { runningPodOf } from './container/helpers.ts';
import type { RunningPod, RuntimePodStatus } from './container/runtime.ts';
import type { PodSyncResult } from './container/sync-result.ts';
import { podResizeMessage } from './events/resize.ts';
import { generateAPIPodStatus } from './kubelet-pods/generate-api-pod-status.ts';
import type { KubeletPorts } from './kubelet-ports.ts';
import type { PodSyncer, SyncOutcome, SyncRequest, TerminateRequest } from './podworkers/pod-syncer.ts';
import { SyncError } from './podworkers/sync-error.ts';
import { ReasonCache } from './reason-cache.ts';
import { rejectPod } from './reject-pod.ts';
import { errorOfSync } from './sync-pod-error.ts';
import { annotationOf, CONFIG_SEEN } from './types/pod-update.ts';
import { AttachLimitExceeded } from './volumemanager/volume-manager.ts';

/** Interval in ms between checks for volumes that are still mounted. */
const UNMOUNT_POLL = 100;

/** The steps in the life of a pod, in upstream's order (upstream: SyncPod, SyncTerminatingPod, SyncTerminatedPod). */
export class SyncPod implements PodSyncer {
  readonly #ports: KubeletPorts;
  readonly #reasons = new ReasonCache();

  constructor(ports: KubeletPorts) {
    this.#ports = ports;
  }

  /** Reconciles the pod one step towards its spec. */
  async syncPod({ pod, mirrorPod, status }: SyncRequest, signal: AbortSignal): Promise<SyncOutcome> {
    const { statusManager, recorder, runtimeState, objects, probeManager, runtime, podWorkers } = this.#ports;
    const uid = uidOf(pod);
    this.#noteResize(pod, status);
    const shown = this.#generate(pod, status, false);
    const before = statusManager.podStatus(uid);
    statusManager.setPodStatus(pod, shown);
    if (isPodPhaseTerminal(shown.phase)) return { isTerminal: true };
    if (before === undefined || (before.phase === 'Pending' && shown.phase === 'Running')) this.#noteStart(pod);
    const networkErrors = runtimeState.networkErrors();
    if (networkErrors.length > 0 && pod.spec.hostNetwork !== true) {
      const message = `network is not ready: ${aggregateText(networkErrors)}`;
      recorder.event(pod, 'Warning', 'NetworkNotReady', message);
      throw new SyncError(message, { isTransient: true });
    }
    if (!podWorkers.isPodTerminationRequested(uid)) {
      objects.registerPod(pod);
      await this.#ensureCgroup(pod);
    }
    await this.#reconcileMirror(pod, mirrorPod);
    await this.#makeFolders(pod);
    if (!(await this.#mountVolumes(pod, signal))) return { isTerminal: true };
    const pullSecrets = await this.#pullSecrets(pod);
    probeManager.addPod(pod);
    const isRestarting = (shown.conditions ?? []).some(
      (one) => one.type === 'AllContainersRestarting' && one.status === 'True',
    );
    const ips = (shown.podIPs ?? []).map(({ ip }) => ip);
    const options = { pullSecrets, restartAllContainers: isRestarting, signal };
    const result = await runtime.syncPod(pod, { ...status, ips }, options);
    this.#reasons.update(uid, result);
    this.#noteResizeErrors(pod, result);
    const error = errorOfSync(result);
    if (error !== undefined) throw error;
    if (isRestarting && result.results.some(({ action }) => action === 'RemoveContainer'))
      podWorkers.updatePod({ updateType: 'update', pod, mirrorPod });
    const postSync = result.results.length === 0 ? undefined : () => this.#ports.requestRelist(uid);
    return { isTerminal: false, postSync };
  }

  /** Stops all containers of the pod and records how they terminated. */
  async syncTerminatingPod({ pod, status, gracePeriod, podStatus }: TerminateRequest): Promise<void> {
    const { statusManager, probeManager, recorder, runtime } = this.#ports;
    const shown = this.#generate(pod, status, false);
    podStatus?.(shown);
    statusManager.setPodStatus(pod, shown);
    probeManager.stopLivenessAndStartup(pod);
    await runtime.killPod(pod, runningPodOf(status), gracePeriod).catch((error: unknown) => {
      recorder.event(pod, 'Warning', 'FailedKillPod', `error killing pod: ${messageOfError(error)}`);
      throw new Error(`error killing terminating pod: ${messageOfError(error)}`, { cause: error });
    });
    probeManager.removePod(pod);
    const stopped = await runtime.podStatus(uidOf(pod), nameOf(pod), namespaceOf(pod));
    const running = stopped.containerStatuses.filter(({ state }) => state === 'running').map(({ id }) => id);
    if (running.length > 0)
      throw new Error(`detected running containers after a successful KillPod, CRI violation: [${running.join(' ')}]`);
    // Resources are released before the API shows that the pod has terminated, because the scheduler may then give them to other pods.
    await this.#ports.unprepareDynamicResources(pod);
    statusManager.setPodStatus(pod, this.#generate(pod, { ...stopped, ips: status.ips }, true));
  }

  /** Stops the containers of a pod that exists only in the runtime. */
  async syncTerminatingRuntimePod(running: RunningPod): Promise<void> {
    const { runtime, recorder } = this.#ports;
    await runtime.killPod(undefined, running, 1).catch((error: unknown) => {
      const { name, namespace, uid } = running;
      const message = `error killing pod: ${messageOfError(error)}`;
      recorder.event({ metadata: { name, namespace, uid } }, 'Warning', 'FailedKillPod', message);
      throw error;
    });
  }

  /** Cleans up after the containers of a pod: its volumes, its cgroup and the last status. */
  async syncTerminatedPod(pod: Pod, status: RuntimePodStatus, signal: AbortSignal): Promise<void> {
    const { statusManager, volumeManager, objects, cgroups, clock } = this.#ports;
    statusManager.setPodStatus(pod, this.#generate(pod, status, true));
    await volumeManager.waitForUnmount(pod, signal);
    while (volumeManager.hasPossiblyMountedVolumes(uidOf(pod))) {
      signal.throwIfAborted();
      await clock.sleep(UNMOUNT_POLL, signal);
    }
    objects.unregisterPod(pod);
    await cgroups.destroy(pod);
    statusManager.terminatePod(pod);
  }

  #generate(pod: Pod, status: RuntimePodStatus, isTerminal: boolean): PodStatus {
    const ports = this.#ports;
    return generateAPIPodStatus(pod, status, isTerminal, {
      runtimeName: ports.runtimeName,
      supportsRecursiveReadOnly: ports.supportsRecursiveReadOnly(pod),
      nodeIPs: ports.nodeIPs,
      hostIPs: ports.hostIPs(),
      podStatus: (uid) => ports.statusManager.podStatus(uid),
      startFailure: (uid, container) => this.#reasons.get(uid, container),
      shouldEvict: (one) => {
        const late = pastActiveDeadline(one, ports.statusManager.podStatus(uidOf(one)), ports.clock.now());
        if (late !== undefined) ports.recorder.event(one, 'Normal', late.reason, late.message);
        return late;
      },
      complete: (one, shown) => {
        ports.probeManager.updatePodStatus(one, shown);
        ports.updateAllocatedResourcesStatus(one, shown);
      },
      resizeConditions: (uid, isOver) => {
        const { resizeConditions } = ports.statusManager;
        if (isOver) resizeConditions.forget(uid);
        return resizeConditions.of(uid);
      },
    });
  }

  /** Records the start. Upstream also counts the first sync of a pod. */
  #noteStart(pod: Pod): void {
    const seen = Date.parse(annotationOf(pod, CONFIG_SEEN) ?? '');
    if (!Number.isNaN(seen)) this.#ports.podMetrics.started(Math.max(0, this.#ports.clock.now() - seen));
  }

  /** Records that a resize is in progress or has finished. */
  #noteResize(pod: Pod, status: RuntimePodStatus): void {
    const { runtime, recorder, statusManager } = this.#ports;
    const { resizeConditions } = statusManager;
    if (runtime.isPodResizeInProgress(pod, status)) {
      resizeConditions.setInProgress(uidOf(pod), { generation: generationOf(pod) });
      return;
    }
    // A sync that began before the resize was allocated has an outdated pod.
    if (Number(resizeConditions.inProgress(uidOf(pod))?.observedGeneration ?? 0) > generationOf(pod)) return;
    const generation = resizeConditions.clearInProgress(uidOf(pod));
    if (generation === undefined) return;
    recorder.event(pod, 'Normal', 'ResizeCompleted', podResizeMessage(pod, 'completed', generation));
  }

  #noteResizeErrors(pod: Pod, { results }: PodSyncResult): void {
    const { recorder, statusManager } = this.#ports;
    for (const { action, error } of results) {
      if (action !== 'ResizePodInPlace' || error === undefined) continue;
      const verdict = { reason: 'Error', message: error.message, generation: generationOf(pod) };
      const { generation, isChanged } = statusManager.resizeConditions.setInProgress(uidOf(pod), verdict);
      const message = podResizeMessage(pod, 'error', generation, error.message);
      if (isChanged) recorder.event(pod, 'Warning', 'ResizeError', message);
    }
  }

  async #ensureCgroup(pod: Pod): Promise<void> {
    let isMade = false;
    try {
      isMade = await this.#ports.cgroups.ensureExists(pod);
    } catch (error) {
      const why = messageOfError(error);
      this.#ports.recorder.event(
        pod,
        'Warning',
        'FailedCreatePodContainer',
        `unable to ensure pod container exists: ${why}`,
      );
      const message = `failed to ensure that the pod: ${uidOf(pod)} cgroups exist and are correctly applied: ${why}`;
      throw new Error(message, { cause: error });
    }
    if (isMade) await this.#ports.runtime.updateActuatedPodLevelResources(pod);
  }

  /** Reconciles the mirror. A failure does not stop the pod. */
  async #reconcileMirror(pod: Pod, mirrorPod: Pod | undefined): Promise<void> {
    try {
      await this.#ports.mirrorClient.reconcile(pod, mirrorPod);
    } catch (error) {
      this.#ports.report('cannot reconcile a mirror pod', error);
    }
  }

  async #makeFolders(pod: Pod): Promise<void> {
    try {
      await this.#ports.folders.make(uidOf(pod));
    } catch (error) {
      const message = `error making pod data directories: ${messageOfError(error)}`;
      this.#ports.recorder.event(pod, 'Warning', 'Failed', message);
      throw error;
    }
  }

  /** Returns whether the pod may stay: false if the node has too many volumes. */
  async #mountVolumes(pod: Pod, signal: AbortSignal): Promise<boolean> {
    try {
      await this.#ports.volumeManager.waitForAttachAndMount(pod, signal);
      return true;
    } catch (error) {
      if (error instanceof AttachLimitExceeded) {
        rejectPod(this.#ports, pod, 'VolumeAttachmentLimitExceeded', error.message);
        return false;
      }
      const message = `Unable to attach or mount volumes: ${messageOfError(error)}`;
      if (!signal.aborted) this.#ports.recorder.event(pod, 'Warning', 'FailedMount', message);
      throw error;
    }
  }

  /** The secrets that exist. Images are pulled without the others. */
  async #pullSecrets(pod: Pod): Promise<Secret[]> {
    const names = (pod.spec.imagePullSecrets ?? []).flatMap(({ name = '' }) => (name === '' ? [] : [name]));
    const found: Secret[] = [];
    const failed: string[] = [];
    for (const name of names) {
      try {
        found.push(await this.#ports.objects.secret(namespaceOf(pod), name));
      } catch {
        failed.push(name); // reported by the event
      }
    }
    if (failed.length > 0) {
      const message = `Unable to retrieve some image pull secrets (${failed.join(', ')}); attempting to pull the image may not succeed.`;
      this.#ports.recorder.event(pod, 'Warning', 'FailedToRetrieveImagePullSecret', message);
    }
    return found;
  }
}
