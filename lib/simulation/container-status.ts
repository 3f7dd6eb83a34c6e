import { createHash } from 'node:crypto';
import { timeOf } from '#lib/controllers/workload/conditions.ts';
import { defined } from '#lib/machinery/defined.ts';
import { objectAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { at, count, flag, has, items, text } from '#lib/machinery/unstructured.ts';
import { isSidecar } from '#lib/component-helpers/resource/sidecar.ts';

export type ContainerKind = 'init' | 'sidecar' | 'main' | 'ephemeral';

/** A container of a pod's spec. */
export interface Container {
  readonly pod: JsonObject;
  readonly spec: JsonObject;
  readonly kind: ContainerKind;
}

/** Names that no runtime gives: `simulated://` and a hash. */
const SCHEME = 'simulated://';

/** The containers of one list of the spec. */
export function containersIn(
  pod: JsonObject,
  list: 'initContainers' | 'containers' | 'ephemeralContainers',
): Container[] {
  const kinds = { initContainers: 'init', containers: 'main', ephemeralContainers: 'ephemeral' } as const;
  return items(objectAt(pod, 'spec'), list).map((spec) => ({
    pod,
    spec,
    kind: list === 'initContainers' && isSidecar(spec) ? 'sidecar' : kinds[list],
  }));
}

export const running = (status: JsonObject | undefined): JsonObject | undefined => at(status, 'state', 'running');
export const terminated = (status: JsonObject | undefined): JsonObject | undefined => at(status, 'state', 'terminated');
export const lastTerminated = (status: JsonObject | undefined): JsonObject | undefined =>
  at(status, 'lastState', 'terminated');
export const exitCodeOf = (ended: JsonObject | undefined): number => Number(count(ended, 'exitCode'));

/** The time at `field`, in milliseconds since 1970; 0 where there is none. */
export const timeAt = (object: JsonObject | undefined, field: string): number => Date.parse(text(object, field)) || 0;

/** Milliseconds by which a stored time may be ahead of the clock. */
const AHEAD = 60_000;

/** Whether a time was stored before the clock was set back: nobody waits for it to come again. */
export const isAhead = (time: number, now: number): boolean => time > now + AHEAD;

/** When something happened; where the clock was set back since, long ago. */
export function happenedAt(object: JsonObject | undefined, field: string, now: number): number {
  const time = timeAt(object, field);
  return isAhead(time, now) ? 0 : time;
}

/** A container that does not run (yet); it keeps what is known of earlier runs. */
export function waitingStatus(container: Container, before: JsonObject | undefined, waiting: JsonObject): JsonObject {
  const ended = terminated(before) ?? lastTerminated(before);
  return {
    ...common(container),
    ...(ended === undefined ? {} : ranAs(container, before)),
    ready: false,
    restartCount: count(before, 'restartCount'),
    started: false,
    state: { waiting },
    lastState: ended === undefined ? {} : { terminated: ended },
  };
}

/** A new run, which begins now. */
export function runningStatus(container: Container, before: JsonObject | undefined, now: number): JsonObject {
  const last = terminated(before) ?? lastTerminated(before);
  const restartCount = Number(count(before, 'restartCount')) + (last === undefined ? 0 : 1);
  return {
    ...common(container),
    ...resourcesOf(container),
    imageID: `${SCHEME}sha256:${hashOf(text(container.spec, 'image'))}`,
    containerID: containerId(container, restartCount),
    ready: false,
    restartCount,
    ...(container.kind === 'ephemeral' ? {} : { started: true }),
    state: { running: { startedAt: timeOf(now) } },
    lastState: last === undefined ? {} : { terminated: last },
  };
}

/** The end of the run that the status tells of. */
export function endedStatus(container: Container, status: JsonObject, exitCode: number, now: number): JsonObject {
  const isComplete = exitCode === 0;
  return {
    ...status,
    ...resourcesOf(container),
    ready: container.kind === 'init' && isComplete,
    ...(has(status, 'started') ? { started: false } : {}),
    state: {
      terminated: {
        exitCode,
        reason: isComplete ? 'Completed' : 'Error',
        startedAt: text(running(status), 'startedAt'),
        finishedAt: timeOf(now),
        containerID: text(status, 'containerID'),
      },
    },
  };
}

/** A container that never ran, and will not: upstream's TerminatePod. */
export function lostStatus(status: JsonObject): JsonObject {
  const message = 'The container could not be located when the pod was terminated';
  return { ...status, state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown', message } } };
}

/** The fields that every status of the container has. */
function common({ spec }: Container): JsonObject {
  const mounts = items(spec, 'volumeMounts').map((mount): JsonObject => {
    const isReadOnly = flag(mount, 'readOnly') === true;
    return {
      name: text(mount, 'name'),
      mountPath: text(mount, 'mountPath'),
      ...(isReadOnly ? { readOnly: true, recursiveReadOnly: recursionOf(mount) } : {}),
    };
  });
  const volumeMounts = mounts.length === 0 ? {} : { volumeMounts: mounts };
  return { name: text(spec, 'name'), image: text(spec, 'image'), imageID: '', ...volumeMounts };
}

const recursionOf = (mount: JsonObject): string =>
  ['Enabled', 'IfPossible'].includes(text(mount, 'recursiveReadOnly')) ? 'Enabled' : 'Disabled';

function ranAs(container: Container, before: JsonObject | undefined): JsonObject {
  const ids = { imageID: text(before, 'imageID'), containerID: text(before, 'containerID') };
  return { ...ids, ...resourcesOf(container) };
}

function resourcesOf({ spec }: Container): Record<string, Json> {
  const resources = objectAt(spec, 'resources') ?? {};
  const requests = objectAt(resources, 'requests');
  const { claims: _claims, ...given } = resources;
  return { resources: given, ...defined({ allocatedResources: requests }) };
}

const containerId = ({ pod, spec }: Container, restartCount: number): string =>
  `${SCHEME}${hashOf(`${uidOf(pod)}/${text(spec, 'name')}/${restartCount}`)}`;

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex');
