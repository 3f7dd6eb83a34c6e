import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { hashContainer } from '../container/hash.ts';
import { findContainerStatus, shouldContainerBeRestarted } from '../container/helpers.ts';
import type { RuntimeContainerStatus, RuntimePodStatus } from '../container/runtime.ts';
import { addResize, type KillReason, type PodActionsDraft, type PodActionsInput } from './pod-actions.ts';

/** The result for one init container: `done` permits the next one to start, `failed` fails the pod. */
type Verdict = 'done' | 'pending' | 'failed';

/**
 * Adds the actions for init containers, and returns whether the pod is initialized. The result depends on the last container that the
 * runtime has, because earlier ones may have been garbage-collected. Only sidecars are handled before it (upstream:
 * computeInitContainerActions).
 */
export function computeInitContainerActions(input: PodActionsInput, actions: PodActionsDraft): boolean {
  const { pod, status } = input;
  const { initContainers = [] } = pod.spec;
  if (initContainers.length === 0) return true;
  let isPodInitialized = isAnyContainerMade(pod, status);
  let isPassed = isPodInitialized;
  const start: Container[] = [];
  for (const [index, container] of [...initContainers.entries()].reverse()) {
    const last = findContainerStatus(status, container.name);
    if (last === undefined) {
      if (isPassed && isSidecar(container)) start.push(container);
      continue;
    }
    if (isPassed && !isSidecar(container)) continue;
    const one = { container, last, input, actions, start };
    const verdict = isSidecar(container) ? sidecarVerdict(one) : initVerdict(one);
    if (verdict === 'failed') {
      actions.killPod = true;
      actions.initContainersToStart = [];
      return false;
    }
    const next = initContainers[index + 1];
    if (verdict === 'done' && next === undefined) isPodInitialized = true;
    else if (verdict === 'done' && next !== undefined && !isPassed) insertBefore(start, container, next);
    isPassed = true;
  }
  if (!isPassed) start.push(...initContainers.slice(0, 1));
  actions.initContainersToStart.push(...start.reverse());
  return isPodInitialized;
}

/** Adds the next container. `start` is in reverse order. */
function insertBefore(start: Container[], container: Container, next: Container): void {
  const at = start.indexOf(container);
  if (at < 0) start.push(next);
  else start.splice(at, 0, next);
}

/** A created or running regular container proves that all init containers succeeded. An exited one may belong to an earlier sandbox. */
const isAnyContainerMade = ({ spec }: Pod, status: RuntimePodStatus): boolean =>
  (spec.containers ?? []).some(({ name }) => {
    const state = findContainerStatus(status, name)?.state;
    return state === 'created' || state === 'running';
  });

interface InitContainer {
  readonly container: Container;
  readonly last: RuntimeContainerStatus;
  readonly input: PodActionsInput;
  readonly actions: PodActionsDraft;
  readonly start: Container[];
}

function initVerdict(one: InitContainer): Verdict {
  const { container, last, input, actions, start } = one;
  const { pod, status } = input;
  if (last.state === 'running') {
    // Validation rejects resize policies that restart such a container.
    if (!addResize(input, actions, { container, id: last.id })) start.push(container);
    return 'pending';
  }
  if (last.state === 'created') {
    start.push(container);
    return 'pending';
  }
  if (last.state === 'exited') {
    if (last.exitCode === 0 && last.reason !== 'OOMKilled') return 'done';
    if (!shouldContainerBeRestarted(container, pod, status)) return 'failed';
    start.push(container);
    return 'pending';
  }
  if ((container.restartPolicy ?? pod.spec.restartPolicy) === 'Never') return 'failed';
  restart(one, UNKNOWN, 'Unknown');
  return 'pending';
}

function sidecarVerdict(one: InitContainer): Verdict {
  const { container, last, input, actions, start } = one;
  const { name } = container;
  if (last.state === 'unknown') restart(one, UNKNOWN, 'Unknown');
  else if (last.state !== 'running') start.push(container);
  if (last.state !== 'running') return 'pending';
  if (container.startupProbe !== undefined) {
    const startup = input.probes.result('startup', last.id);
    if (startup === 'failure') restart(one, `Init container ${name} failed startup probe`, 'StartupProbe');
    if (startup !== 'success') return 'pending';
  }
  if (last.hash !== hashContainer(container)) restart(one, `Init container ${name} definition changed`, '');
  else if (container.livenessProbe !== undefined && input.probes.result('liveness', last.id) === 'failure')
    restart(one, `Init container ${name} failed liveness probe`, 'LivenessProbe');
  else if (!awaitsLiveness(one) && !addResize(input, actions, { container, id: last.id })) start.push(container);
  return 'done';
}

/** Whether the liveness of the container has not been probed yet. */
const awaitsLiveness = ({ container, last, input }: InitContainer): boolean =>
  container.livenessProbe !== undefined && input.probes.result('liveness', last.id) === undefined;

const UNKNOWN = 'Init container is in "unknown" state, try killing it before restart';

function restart({ container, last, actions, start }: InitContainer, message: string, reason: KillReason): void {
  actions.containersToKill.push({ id: last.id, name: container.name, message, reason });
  start.push(container);
}
