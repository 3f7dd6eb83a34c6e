import type { Pod } from '#lib/api/types/core.v1.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import { quote } from '#lib/machinery/go.ts';
import { annotationsOf, controllerOf } from '#lib/machinery/meta.ts';
import { TimeError } from '#lib/machinery/time.ts';

/** The prefix of pod annotations that define simulated behaviour. docs/simulated-nodes.md lists them. */
export const PREFIX = 'simulated.davit.dev/';

const HELM_HOOK = 'helm.sh/hook';
/** The exit code of a program terminated by SIGTERM. */
const TERMINATED = 143;
const NEVER = 'never';

/** The behaviour of a pod. Durations are in milliseconds. Infinity means never. */
export interface Behaviour {
  /** The time from the pod's arrival on the node to the start of its first container. */
  readonly startDelay: number;
  /** The reason why containers wait and never start. Empty if they start. */
  readonly waitingReason: string;
  readonly initDuration: number;
  readonly initExitCode: number;
  readonly readyDelay: number;
  /** The run time of containers. If undefined, it depends on the kind of pod (`endsByItself`). */
  readonly exitAfter: number | undefined;
  readonly exitCode: number;
  /** The number of failing runs of a container. Later runs succeed. */
  readonly failTimes: number;
  /** The container that these settings apply to. Empty for all except init containers. */
  readonly container: string;
  readonly stopDuration: number;
  readonly stopExitCode: number;
}

/** A pod's behaviour, and a line for each invalid annotation, which is ignored. */
export interface ReadBehaviour {
  readonly behaviour: Behaviour;
  readonly faults: readonly string[];
}

type Read<T> = (value: string) => T | undefined;

/** Parses a pod's annotations. */
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

/** Whether a pod's containers end by default: those of jobs and helm hooks do. */
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

/** Parses a CamelCase reason or a container name. */
const word: Read<string> = (value) => (/^[A-Za-z0-9-]{1,63}$/.test(value) ? value : undefined);
