import type { Container, ContainerStatus, PodStatus } from '#lib/api/types/core.v1.ts';
import { isPodPhaseTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import {
  containerShouldRestart,
  shouldAllContainersRestart,
} from '#lib/helpers/component-helpers/pod/should-restart.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { isDeleting } from '#lib/machinery/meta.ts';
import type { ProbeMetrics } from './metrics.ts';
import type { ProbeKind, ProbeResult } from './probe-manager.ts';
import { type ProberPorts, type ProbeTarget, probeOnce } from './prober.ts';
import type { ProbeResults } from './results.ts';

/** A container that started more than this many milliseconds before the agent counts as running before it. */
const RESTART_GRACE = 10_000;

/** The result before the first probe of a container. */
const INITIAL = { liveness: 'success', readiness: 'failure', startup: 'unknown' } as const;

/** The ports of all workers. */
export interface WorkerPorts extends ProberPorts {
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** The agent's current status of a pod, or undefined for an unknown pod. */
  podStatus(uid: string): PodStatus | undefined;
}

/** Whether a container was running before the agent started. `agentStart` is in milliseconds since 1970. */
export function ranBefore({ state }: ContainerStatus, agentStart: number): boolean {
  const startedAt = state.running?.startedAt ?? null;
  return startedAt !== null && Date.parse(startedAt) < agentStart - RESTART_GRACE;
}

/** Probes one container periodically, until the container terminates or `stop` is called (upstream: prober.worker). */
export class ProbeWorker {
  readonly target: ProbeTarget;
  readonly #ports: WorkerPorts;
  readonly #results: ProbeResults;
  readonly #metrics: ProbeMetrics;
  /** Start time of the agent in milliseconds since 1970. */
  readonly #agentStart: number;
  #containerID = '';
  #last: ProbeResult | undefined;
  /** Number of consecutive probes with the last result. */
  #run = 0;
  #isOnHold = false;
  #isStopped = false;
  #isTriggered = false;
  #wake = new AbortController();

  constructor(
    target: ProbeTarget,
    ports: WorkerPorts,
    kept: { readonly results: ProbeResults; readonly metrics: ProbeMetrics; readonly agentStart: number },
  ) {
    this.target = target;
    this.#ports = ports;
    this.#results = kept.results;
    this.#metrics = kept.metrics;
    this.#agentStart = kept.agentStart;
  }

  get #uid(): string {
    return this.target.pod.metadata.uid ?? '';
  }

  /** Stops the worker after the probe in progress. */
  stop(): void {
    this.#isStopped = true;
    this.#wake.abort();
  }

  /** Probes at once, and restarts the period. */
  trigger(): void {
    this.#isTriggered = true;
    this.#wake.abort();
  }

  /** Resolves when the worker has stopped and its result is removed. Never rejects. */
  async run(): Promise<void> {
    const { clock, random } = this.#ports;
    const period = (this.target.probe.periodSeconds ?? 10) * 1000;
    // Spreads the first probes of pods after a restart of the agent.
    if (period > clock.now() - this.#agentStart) await this.#sleep(random() * period, () => this.#isStopped);
    let due = clock.monotonic() + period;
    while (!this.#isStopped && (await this.#probe())) {
      await this.#sleep(due - clock.monotonic(), () => this.#isStopped || this.#isTriggered);
      const now = clock.monotonic();
      if (this.#isTriggered) due = now + period;
      else due += period * (1 + Math.max(0, Math.floor((now - due) / period)));
      this.#isTriggered = false;
    }
    if (this.#containerID !== '') this.#results.remove(this.#containerID);
  }

  /** Sleeps until `isOver`, at most this many milliseconds. */
  async #sleep(milliseconds: number, isOver: () => boolean): Promise<void> {
    const { clock } = this.#ports;
    const until = clock.monotonic() + milliseconds;
    while (!isOver() && clock.monotonic() < until) {
      this.#wake = new AbortController();
      await clock.sleep(until - clock.monotonic(), this.#wake.signal);
    }
  }

  /** Probes once. Returns whether the worker continues. A failing port does not stop it. */
  async #probe(): Promise<boolean> {
    try {
      return await this.#step();
    } catch {
      return true;
    }
  }

  async #step(): Promise<boolean> {
    const { kind, pod, container } = this.target;
    const status = this.#ports.podStatus(this.#uid);
    if (status === undefined) return true;
    if (isPodPhaseTerminal(status.phase)) return false;
    const held = statusOf(status, container.name);
    if (held === undefined) return true;
    const { containerID = '', state } = held;
    if (this.#containerID !== containerID) this.#meet(containerID, held);
    if (this.#isOnHold) return true;
    if (state.running === undefined) {
      this.#results.set(containerID, 'failure', this.#uid);
      return state.terminated === undefined || this.#comesBack(status, state.terminated.exitCode);
    }
    if (isDeleting(pod) && kind !== 'readiness') {
      this.#results.set(containerID, 'success', this.#uid); // no failures during shutdown
      return false;
    }
    if (this.#isEarly(state.running.startedAt)) return true;
    // Other probes wait for the startup probe, which stops after its success.
    if ((held.started === true) === (kind === 'startup')) return true;
    await this.#judge(status, containerID);
    return true;
  }

  /** Handles a replaced container by restarting its probes. */
  #meet(containerID: string, held: ContainerStatus): void {
    const { kind, container } = this.target;
    if (this.#containerID !== '') this.#results.remove(this.#containerID);
    this.#containerID = containerID;
    if (this.#isInit && isSidecar(container) && kind === 'startup' && held.started === true)
      this.#results.set(containerID, 'success', this.#uid);
    // A ready container stays ready when the agent restarts.
    if (!ranBefore(held, this.#agentStart)) this.#results.set(containerID, INITIAL[kind], this.#uid);
    this.#isOnHold = false;
  }

  get #isInit(): boolean {
    const { pod, container } = this.target;
    return pod.spec.initContainers?.some(({ name }) => name === container.name) === true;
  }

  #comesBack(status: PodStatus, exitCode: number): boolean {
    const { container, pod } = this.target;
    return containerShouldRestart(container, pod, exitCode) || shouldAllContainersRestart(pod, status);
  }

  #isEarly(startedAt: string | null): boolean {
    const { initialDelaySeconds = 0 } = this.target.probe;
    if (startedAt === null) return false;
    return Math.trunc((this.#ports.clock.now() - Date.parse(startedAt)) / 1000) < initialDelaySeconds;
  }

  async #judge(status: PodStatus, containerID: string): Promise<void> {
    const { kind, probe } = this.target;
    const { clock } = this.#ports;
    const began = clock.monotonic();
    const result = await probeOnce(this.target, status, containerID, this.#ports);
    if (result === undefined) return;
    this.#metrics.note(result, clock.monotonic() - began);
    this.#run = this.#last === result ? this.#run + 1 : 1;
    this.#last = result;
    const { failureThreshold = 3, successThreshold = 1 } = probe;
    if (this.#run < (result === 'failure' ? failureThreshold : successThreshold)) return;
    this.#results.set(containerID, result, this.#uid);
    if ((kind === 'liveness' && result === 'failure') || kind === 'startup') {
      this.#isOnHold = true; // the container is restarting, or has started
      this.#run = 0;
    }
  }
}

/** The status of an existing container: regular containers first, then init containers. */
function statusOf(status: PodStatus, wanted: string): ContainerStatus | undefined {
  const of = (all: readonly ContainerStatus[] | undefined): ContainerStatus | undefined =>
    all?.find(({ name, containerID = '' }) => name === wanted && containerID !== '');
  return of(status.containerStatuses) ?? of(status.initContainerStatuses);
}

/** The probes of a container, in upstream's start order. */
export function probesOf(
  container: Container,
): readonly (readonly [ProbeKind, NonNullable<Container['startupProbe']>])[] {
  const { startupProbe, readinessProbe, livenessProbe } = container;
  return [
    ...(startupProbe === undefined ? [] : [['startup', startupProbe] as const]),
    ...(readinessProbe === undefined ? [] : [['readiness', readinessProbe] as const]),
    ...(livenessProbe === undefined ? [] : [['liveness', livenessProbe] as const]),
  ];
}
