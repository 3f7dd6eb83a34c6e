import type { ContainerState, RunningPod } from '../container/runtime.ts';
import type { PodLifecycleEvent } from './pod-lifecycle-event.ts';

type PlegState = 'running' | 'exited' | 'unknown' | 'non-existent';

/** The events between two listings of a pod, of its containers and sandboxes (upstream: computeEvents). */
export function computeEvents(
  uid: string,
  before: RunningPod | undefined,
  after: RunningPod | undefined,
): PodLifecycleEvent[] {
  const [old, current] = [statesOf(before), statesOf(after)];
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((containerID) => {
    const types = typesOf(old.get(containerID) ?? 'non-existent', current.get(containerID) ?? 'non-existent');
    return types.map((type) => ({ uid, type, containerID }));
  });
}

const statesOf = (pod: RunningPod | undefined): Map<string, PlegState> =>
  new Map([...(pod?.containers ?? []), ...(pod?.sandboxes ?? [])].map(({ id, state }) => [id, plegState(state)]));

const plegState = (state: ContainerState): PlegState => (state === 'created' ? 'unknown' : state);

function typesOf(old: PlegState, current: PlegState): PodLifecycleEvent['type'][] {
  if (old === current) return [];
  switch (current) {
    case 'running':
      return ['ContainerStarted'];
    case 'exited':
      return ['ContainerDied'];
    case 'unknown':
      return ['ContainerChanged'];
    default:
      return old === 'exited' ? ['ContainerRemoved'] : ['ContainerDied', 'ContainerRemoved'];
  }
}
