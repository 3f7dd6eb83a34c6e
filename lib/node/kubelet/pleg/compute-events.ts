import type { ContainerState, RunningPod, RuntimeContainer } from '../container/runtime.ts';
import type { PodLifecycleEvent } from './pod-lifecycle-event.ts';

type PlegState = 'running' | 'exited' | 'unknown' | 'non-existent';

/** The events for the changes of containers and sandboxes between two listings of a pod (upstream: computeEvents). */
export function computeEvents(
  uid: string,
  before: RunningPod | undefined,
  after: RunningPod | undefined,
): PodLifecycleEvent[] {
  if (areSame(before?.containers, after?.containers) && areSame(before?.sandboxes, after?.sandboxes)) return [];
  const [old, current] = [statesOf(before), statesOf(after)];
  return [...new Set([...old.keys(), ...current.keys()])].flatMap((containerID) => {
    const types = typesOf(old.get(containerID) ?? 'non-existent', current.get(containerID) ?? 'non-existent');
    return types.map((type) => ({ uid, type, containerID }));
  });
}

/** Fast path: most pods do not change between two listings, and the order stays the same. */
const areSame = (before: readonly RuntimeContainer[] = [], after: readonly RuntimeContainer[] = []): boolean =>
  before.length === after.length &&
  before.every(({ id, state }, i) => id === after[i]?.id && plegState(state) === plegState(after[i].state));

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
