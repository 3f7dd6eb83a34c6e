import type { ContainerStateTerminated, ContainerStatus } from '#lib/api/types/core.v1.ts';
import { containerShouldRestart } from '#lib/helpers/component-helpers/pod/should-restart.ts';
import { nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { type Behaviour, endsByItself } from './behaviour.ts';
import {
  type Container,
  endedStatus,
  exitCodeOf,
  happenedAt,
  lastTerminationState,
  millisecondsOf,
  runningState,
  runningStatus,
  terminatedState,
  waitingStatus,
} from './container-status.ts';
import { backoffOf } from './restart.ts';

/** A container's new status, and the time in ms since 1970 of its next change. Infinity means never. */
export interface Step {
  readonly status: ContainerStatus;
  readonly due: number;
}

/** The inputs of one reconcile. */
export interface Turn {
  readonly behaviour: Behaviour;
  readonly now: number;
  /** Whether the container may start now. */
  readonly mayStart: boolean;
  /** The waiting reason until it may start. */
  readonly waitingFor: string;
}

/** A run: the time in ms after which it ends, and its exit code. */
interface Run {
  readonly exitAfter: number;
  readonly exitCode: number;
}

/**
 * Advances a container. A main container that ends at once is still reported as running first. An init container is not, so a pod with many
 * of them does not need a write for each.
 */
export function runContainer(container: Container, before: ContainerStatus | undefined, turn: Turn): Step {
  if (before !== undefined && runningState(before) !== undefined) return goOn(container, before, turn);
  const ended = terminatedState(before) ?? lastTerminationState(before);
  if (before !== undefined && ended !== undefined) return afterEnd(container, before, ended, turn);
  if (!turn.mayStart) return { status: waitingStatus(container, before, { reason: turn.waitingFor }), due: Infinity };
  const reason = isMeant(container, turn.behaviour) ? turn.behaviour.waitingReason : '';
  if (reason !== '') return { status: waitingStatus(container, before, { reason }), due: Infinity };
  return begin(container, before, turn);
}

function begin(container: Container, before: ContainerStatus | undefined, turn: Turn): Step {
  const status = runningStatus(container, before, turn.now);
  return container.kind === 'init' ? goOn(container, status, turn) : withReadiness(container, status, turn);
}

function goOn(container: Container, status: ContainerStatus, turn: Turn): Step {
  const { now } = turn;
  const { exitAfter, exitCode } = runOf(container, status.restartCount, turn.behaviour);
  const end = happenedAt(runningState(status)?.startedAt, now) + exitAfter;
  if (now >= end) return { status: endedStatus(container, status, exitCode, now), due: now };
  if ((container.spec.image ?? '') !== status.image)
    // a changed image restarts the container regardless of the restart policy
    return begin(container, endedStatus(container, status, turn.behaviour.stopExitCode, now), turn);
  return withReadiness(container, status, turn);
}

function withReadiness(container: Container, status: ContainerStatus, { behaviour, now }: Turn): Step {
  const startedAt = happenedAt(runningState(status)?.startedAt, now);
  const { exitAfter } = runOf(container, status.restartCount, behaviour);
  const end = startedAt + exitAfter;
  if (container.kind === 'init' || container.kind === 'ephemeral') return { status, due: end };
  const readyAt = startedAt + (isMeant(container, behaviour) ? behaviour.readyDelay : 0);
  const ready = now >= readyAt;
  return { status: { ...status, ready }, due: ready ? end : Math.min(end, readyAt) };
}

function afterEnd(container: Container, before: ContainerStatus, ended: ContainerStateTerminated, turn: Turn): Step {
  const { kind, pod, spec } = container;
  const exitCode = exitCodeOf(ended);
  const isDone =
    kind === 'ephemeral' || (kind === 'init' && exitCode === 0) || !containerShouldRestart(spec, pod, exitCode);
  if (isDone) return { status: before, due: Infinity };
  const finishedAt = happenedAt(ended.finishedAt, turn.now);
  const ran = millisecondsOf(ended.finishedAt) - millisecondsOf(ended.startedAt);
  const backoff = backoffOf(before.restartCount, ran);
  if (turn.now >= finishedAt + backoff) return begin(container, before, turn);
  const waiting = { reason: 'CrashLoopBackOff', message: backoffText(container, backoff) };
  return { status: waitingStatus(container, before, waiting), due: finishedAt + backoff };
}

function backoffText({ pod, spec }: Container, backoff: number): string {
  const seconds = backoff / 1000;
  const minutes = Math.floor(seconds / 60);
  const length = minutes === 0 ? `${seconds}s` : `${minutes}m${seconds % 60}s`;
  const of = `${nameOf(pod)}_${namespaceOf(pod)}(${uidOf(pod)})`;
  return `back-off ${length} restarting failed container=${spec.name} pod=${of}`;
}

/** Whether the annotations apply to this container. */
const isMeant = ({ kind, spec }: Container, { container }: Behaviour): boolean =>
  container === '' ? kind === 'main' : container === spec.name;

function runOf(container: Container, restarts: number, behaviour: Behaviour): Run {
  const { initDuration, initExitCode, failTimes } = behaviour;
  const fails = restarts < failTimes;
  if (container.kind === 'init') return { exitAfter: initDuration, exitCode: fails ? initExitCode : 0 };
  const usual = { exitAfter: container.kind === 'main' && endsByItself(container.pod) ? 0 : Infinity, exitCode: 0 };
  if (!isMeant(container, behaviour)) return usual;
  const { exitAfter = usual.exitAfter, exitCode } = behaviour;
  if (exitCode !== 0 && !fails) return usual;
  return { exitAfter, exitCode };
}
