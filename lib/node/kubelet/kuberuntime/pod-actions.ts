import type { Container, EphemeralContainer, Pod } from '#lib/api/types/core.v1.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';
import type { ProbeManager } from '../prober/probe-manager.ts';
import { type ActuatedResources, type ContainerResize, containerResize, requiresRestart } from './resize.ts';

/** The reason to kill a container, which decides its grace period (upstream: containerKillReason). */
export type KillReason =
  | 'StartupProbe'
  | 'LivenessProbe'
  | 'FailedPostStartHook'
  | 'RestartAllContainers'
  | 'Unknown'
  | '';

/** A container to kill. */
export interface ContainerToKill {
  readonly id: string;
  readonly name: string;
  /** The text of the event `Killing`. */
  readonly message: string;
  readonly reason: KillReason;
}

/** A container that is removed because all containers of the pod restart. */
export interface ContainerToReset {
  readonly id: string;
  readonly name: string;
  /** Whether it is killed first. */
  readonly kill: boolean;
}

/** The steps that reconcile a pod with its spec (upstream: podActions). */
export interface PodActions {
  /** Whether to stop all containers and the sandbox. */
  readonly killPod: boolean;
  /** Whether to create a new sandbox. Init containers then run again. */
  readonly createSandbox: boolean;
  /** The sandbox in use, or the one to be replaced. '' without one. */
  readonly sandboxID: string;
  /** The attempt number of the sandbox. */
  readonly attempt: number;
  readonly initContainersToStart: readonly Container[];
  readonly containersToStart: readonly Container[];
  readonly ephemeralContainersToStart: readonly EphemeralContainer[];
  readonly containersToKill: readonly ContainerToKill[];
  /** The running containers to resize in place. */
  readonly resizes: readonly ContainerResize[];
  /** Whether to update the pod's cgroup although no container is resized, because one restarts for its new resources. */
  readonly updatePodResources: boolean;
  /** Whether the pod-level resources change. */
  readonly updatePodLevelResources: boolean;
  /** The containers in the order of their removal: those whose exit caused the restart come last. */
  readonly containersToReset: readonly ContainerToReset[];
}

/** Actions that are still being collected. */
export type PodActionsDraft = {
  -readonly [K in keyof PodActions]: PodActions[K] extends readonly (infer T)[] ? T[] : PodActions[K];
};

/** The initial actions, with no action on a sandbox. */
export const draftActions = (
  sandbox: Pick<PodActions, 'createSandbox' | 'sandboxID' | 'attempt'>,
): PodActionsDraft => ({
  ...sandbox,
  killPod: sandbox.createSandbox,
  initContainersToStart: [],
  containersToStart: [],
  ephemeralContainersToStart: [],
  containersToKill: [],
  containersToReset: [],
  resizes: [],
  updatePodResources: false,
  updatePodLevelResources: false,
});

/** The inputs for a pod's actions. */
export interface PodActionsInput {
  readonly pod: Pod;
  readonly status: RuntimePodStatus;
  readonly probes: Pick<ProbeManager, 'result'>;
  readonly actuated: ActuatedResources;
  /** Whether the exit of a container restarts all containers of the pod. */
  readonly restartAllContainers?: boolean | undefined;
}

/** Adds a resize if a running container differs from the resources of its spec. Returns false if the container must restart for them. */
export function addResize(
  { pod, actuated }: Pick<PodActionsInput, 'pod' | 'actuated'>,
  actions: PodActionsDraft,
  { container, id }: { readonly container: Container; readonly id: string },
): boolean {
  const resize = containerResize(pod, container, { id, actuated });
  if (resize === undefined) return true;
  if (!requiresRestart(resize)) {
    actions.resizes.push(resize);
    return true;
  }
  const { name } = container;
  actions.containersToKill.push({ id, name, message: `Container ${name} resize requires restart`, reason: '' });
  actions.updatePodResources = true;
  return false;
}
