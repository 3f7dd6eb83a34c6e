import type { Pod } from '#lib/api/types/core.v1.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import { quote } from '#lib/machinery/go.ts';
import { annotationsOf, controllerOf } from '#lib/machinery/meta.ts';
import { TimeError } from '#lib/machinery/time.ts';

/** Annotations of pods that say how they behave: docs/simulated-nodes.md has the table. */
export const PREFIX = 'simulated.davit.dev/';

const HELM_HOOK = 'helm.sh/hook';
/** The exit code of a program that SIGTERM ends. */
const TERMINATED = 143;
const NEVER = 'never';

/** The behaviour of a pod. Durations are milliseconds; Infinity is never. */
export interface Behaviour {
  /** From the pod's arrival on the node to the start of its first container. */
  readonly startDelay: number;
  /** Containers never start, and wait for this reason; empty: they do. */
  readonly waitingReason: string;
  readonly initDuration: number;
  readonly initExitCode: number;
  readonly readyDelay: number;
  /** How long containers run; undefined: as long as pods of this sort do (`endsByItself`). */
  readonly exitAfter: number | undefined;
  readonly exitCode: number;
  /** How many runs of a container end so; the next go well. */
  readonly failTimes: number;
  /** The container that the rest is about; empty: all but init containers. */
  readonly container: string;
  readonly stopDuration: number;
  readonly stopExitCode: number;
}

/** A pod's behaviour, and a line for each annotation that cannot be read, which counts as absent. */
export interface ReadBehaviour {
  readonly behaviour: Behaviour;
  readonly faults: readonly string[];
}

type Read<T> = (value: string) => T | undefined;

/** Reads a pod's annotations. */
export function behaviourOf(pod: Pod): ReadBehaviour {
  const annotations = annotationsOf(pod);
  const faults: string[] = [];
  const read = <T, D>(name: string, parse: Read<T>, missing: D): T | D => {
    const value = annotations[`${PREFIX}${name}`];
    const parsed = value === undefined ? undefined : parse(value);
    if (value !== undefined && parsed === undefined) faults.push(`${PREFIX}${name}: ${quote(value)} cannot be read`);
    return parsed ?? missing;
  };
  const exitCode = read('exit-code', wholeTo(255), undefined);
  const behaviour: Behaviour = {
    startDelay: read('start-delay', duration, 0),
    waitingReason: read('waiting-reason', word, ''),
    initDuration: read('init-duration', duration, 0),
    initExitCode: read('init-exit-code', wholeTo(255), 0),
    readyDelay: read('ready-delay', durationOrNever, 0),
    exitAfter: read('exit-after', durationOrNever, exitCode === undefined ? undefined : 0),
    exitCode: exitCode ?? 0,
    failTimes: read('fail-times', wholeTo(1_000_000), Infinity),
    container: read('container', word, ''),
    stopDuration: read('stop-duration', duration, 0),
    stopExitCode: read('stop-exit-code', wholeTo(255), TERMINATED),
  };
  return { behaviour, faults };
}

/** Whether a pod's containers end where nothing is said: those of jobs and of helm's hooks. */
export function endsByItself(pod: Pod): boolean {
  if (pod.spec.restartPolicy === 'Always') return false;
  return controllerOf(pod)?.kind === 'Job' || annotationsOf(pod)[HELM_HOOK] !== undefined;
}

function duration(value: string): number | undefined {
  try {
    const nanoseconds = parseDuration(value);
    return nanoseconds < 0n ? undefined : Number(nanoseconds / 1_000_000n);
  } catch (error) {
    if (error instanceof TimeError) return undefined;
    throw error;
  }
}

const durationOrNever: Read<number> = (value) => (value === NEVER ? Infinity : duration(value));

const wholeTo =
  (most: number): Read<number> =>
  (value) =>
    /^\d{1,7}$/.test(value) && Number(value) <= most ? Number(value) : undefined;

/** A CamelCase reason or the name of a container. */
const word: Read<string> = (value) => (/^[A-Za-z0-9-]{1,63}$/.test(value) ? value : undefined);
