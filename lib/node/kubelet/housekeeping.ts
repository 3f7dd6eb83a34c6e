import type { Pod } from '#lib/api/types/core.v1.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isDeleting, uidOf } from '#lib/machinery/meta.ts';
import { activePods } from './active-pods.ts';
import type { RunningPod } from './container/runtime.ts';
import type { KubeletPorts } from './kubelet-ports.ts';
import type { PodWorkerSync } from './podworkers/pod-workers.ts';
import { podFullName } from './types/pod-update.ts';

type Ports = Pick<
  KubeletPorts,
  | 'allocation'
  | 'podManager'
  | 'podWorkers'
  | 'runtime'
  | 'probeManager'
  | 'statusManager'
  | 'volumeManager'
  | 'mirrorClient'
  | 'cgroups'
  | 'report'
>;

/** Cleans up after deleted pods, and starts pods that have no worker yet (upstream: HandlePodCleanups). Throws RpcError. */
export async function housekeep(ports: Ports): Promise<void> {
  const { podManager, podWorkers: workers, runtime, probeManager, statusManager } = ports;
  const all = podManager.pods();
  const known = workers.syncKnownPods(all);
  const running = await runtime.pods(false);
  const possiblyRunning = new Set([...known].flatMap(([uid, { state }]) => (state === 'terminated' ? [] : [uid])));
  probeManager.cleanupPods(possiblyRunning);
  statusManager.removeOrphanedStatuses(new Set([...all, ...podManager.mirrorPods()].map(uidOf)));
  ports.allocation.removeOrphanedPods(new Set(all.map(uidOf)));
  await cleanUpVolumes(ports, all, running);
  await deleteOrphanedMirrors(ports);
  for (const pod of activePods(ports)) {
    if (known.has(uidOf(pod))) continue;
    const { mirrorPod } = podManager.podAndMirror(pod);
    workers.updatePod({ updateType: 'create', pod, mirrorPod });
    known.set(uidOf(pod), { state: 'sync', isOrphan: false });
    possiblyRunning.add(uidOf(pod)); // its worker may create its cgroup before orphaned cgroups are removed
  }
  for (const pod of terminalPodsToDelete(all, running, known)) workers.updatePod({ updateType: 'kill', pod });
  for (const pod of running) {
    if (known.has(pod.uid)) continue;
    workers.updatePod({ updateType: 'kill', runningPod: pod, kill: { gracePeriod: 1 } });
    possiblyRunning.add(pod.uid);
  }
  await attempt(ports, 'cannot remove cgroups of pods', () => ports.cgroups.cleanupOrphans(possiblyRunning));
}

/** Continues after a failure, because the other steps do not depend on it. */
async function attempt({ report }: Ports, what: string, step: () => Promise<unknown>): Promise<void> {
  try {
    await step();
  } catch (error) {
    report(what, error);
  }
}

/** The directories of terminated pods stay until the pods are deleted. */
const cleanUpVolumes = (ports: Ports, all: readonly Pod[], running: readonly RunningPod[]): Promise<void> =>
  attempt(ports, 'cannot remove folders of pods', () =>
    ports.volumeManager.cleanupOrphans(new Set([...all.map(uidOf), ...running.map(({ uid }) => uid)])),
  );

/** A mirror pod stays while the containers of its static pod are stopping. */
async function deleteOrphanedMirrors(ports: Ports): Promise<void> {
  for (const mirror of ports.podManager.orphanedMirrorPods())
    if (!ports.podWorkers.isPodForMirrorPodTerminating(podFullName(mirror)))
      await attempt(ports, 'cannot delete a mirror pod', () => ports.mirrorClient.delete(mirror));
}

/** Terminated pods that are marked for deletion and have no worker, for example pods that were rejected before they started. */
const terminalPodsToDelete = (
  all: readonly Pod[],
  running: readonly RunningPod[],
  known: ReadonlyMap<string, PodWorkerSync>,
): Pod[] =>
  all.filter(
    (pod) =>
      isDeleting(pod) &&
      isPodPhaseTerminal(pod.status.phase) &&
      !known.has(uidOf(pod)) &&
      !running.some(({ uid }) => uid === uidOf(pod)),
  );
