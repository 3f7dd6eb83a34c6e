import type { Container, EphemeralContainer, Pod } from '#lib/api/types/core.v1.ts';
import type { RuntimePodStatus } from '../container/runtime.ts';
import type { ProbeManager } from '../prober/probe-manager.ts';
import { type ActuatedResources, type ContainerResize, containerResize, requiresRestart } from './resize.ts';

/** Why a container is killed; it decides over its grace period (upstream: containerKillReason). */
export type KillReason =
  | 'StartupProbe'
  | 'LivenessProbe'
  | 'FailedPostStartHook'
  | 'RestartAllContainers'
  | 'Unknown'
  | '';

/** A container that has to end. */
export interface ContainerToKill {
  readonly id: string;
  readonly name: string;
  /** The text of the event `Killing`. */
  readonly message: string;
  readonly reason: KillReason;
}

/** A container that is removed because all containers of the pod start again. */
export interface ContainerToReset {
  readonly id: string;
  readonly name: string;
  /** Whether it is killed first. */
  readonly kill: boolean;
}

/** The steps that bring a pod towards its spec (upstream: podActions). */
export interface PodActions {
  /** Stop all containers and the sandbox. */
  readonly killPod: boolean;
  /** Make a new sandbox: init containers start over. */
  readonly createSandbox: boolean;
  /** The sandbox in use, or the one that is replaced; '' without one. */
  readonly sandboxID: string;
  /** The number of the sandbox's attempt. */
  readonly attempt: number;
  readonly initContainersToStart: readonly Container[];
  readonly containersToStart: readonly Container[];
  readonly ephemeralContainersToStart: readonly EphemeralContainer[];
  readonly containersToKill: readonly ContainerToKill[];
  /** The running containers that get other resources, and stay. */
  readonly resizes: readonly ContainerResize[];
  /** Whether the cgroup of the pod is to be set although no container is resized: one restarts for its new resources. */
  readonly updatePodResources: boolean;
  /** Whether the pod as a whole gets other resources. */
  readonly updatePodLevelResources: boolean;
  /** In the order of their removal: those whose exit asked for it come last. */
  readonly containersToReset: readonly ContainerToReset[];
}

/** Actions while they are gathered. */
export type PodActionsDraft = {
  -readonly [K in keyof PodActions]: PodActions[K] extends readonly (infer T)[] ? T[] : PodActions[K];
};

/** No action on a sandbox. */
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

/** All that decides over a pod's actions. */
export interface PodActionsInput {
  readonly pod: Pod;
  readonly status: RuntimePodStatus;
  readonly probes: Pick<ProbeManager, 'result'>;
  readonly actuated: ActuatedResources;
  /** Whether a container's end restarts all containers of the pod. */
  readonly restartAllContainers?: boolean | undefined;
}

/** Adds the step that gives a running container the resources of its spec. False where it has to start again for them. */
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
