import type { Container, ContainerStatus, Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { isPodReady } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { ProbeMetrics, probeFamilies } from './metrics.ts';
import type { ProbeKind, ProbeManager, ProbeResult, ProbeUpdate } from './probe-manager.ts';
import { ProbeResults } from './results.ts';
import { ProbeWorker, probesOf, ranBefore, type WorkerPorts } from './worker.ts';

/** The ports of an agent's probes. */
export interface ContainerProbesPorts extends WorkerPorts {
  /** Called with each result that differs from the previous one. */
  updated(update: ProbeUpdate): void;
}

interface Active {
  readonly worker: ProbeWorker;
  readonly metrics: ProbeMetrics;
}

/** The probes of all containers of a node (upstream: prober.manager). */
export class ContainerProbes implements ProbeManager, Collector {
  readonly #ports: ContainerProbesPorts;
  readonly #results: Readonly<Record<ProbeKind, ProbeResults>>;
  readonly #workers = new Map<string, Active>();
  readonly #agentStart: number;

  constructor(ports: ContainerProbesPorts) {
    const updated = (update: ProbeUpdate): void => ports.updated(update);
    this.#ports = ports;
    this.#agentStart = ports.clock.now();
    this.#results = {
      liveness: new ProbeResults('liveness', updated),
      readiness: new ProbeResults('readiness', updated),
      startup: new ProbeResults('startup', updated),
    };
  }

  addPod(pod: Pod): void {
    for (const container of probedContainers(pod))
      for (const [kind, probe] of probesOf(container)) {
        const key = keyOf(pod, container.name, kind);
        if (this.#workers.has(key)) return; // the pod was added before
        const target = { kind, probe, pod, container };
        const metrics = new ProbeMetrics(target);
        const kept = { results: this.#results[kind], metrics, agentStart: this.#agentStart };
        const worker = new ProbeWorker(target, this.#ports, kept);
        this.#workers.set(key, { worker, metrics });
        void worker.run().then(() => this.#workers.delete(key));
      }
  }

  stopLivenessAndStartup(pod: Pod): void {
    for (const { name } of pod.spec.containers ?? [])
      for (const kind of ['liveness', 'startup'] as const) this.#workers.get(keyOf(pod, name, kind))?.worker.stop();
  }

  removePod(pod: Pod): void {
    for (const { name } of probedContainers(pod))
      for (const kind of ['readiness', 'liveness', 'startup'] as const)
        this.#workers.get(keyOf(pod, name, kind))?.worker.stop();
  }

  cleanupPods(desired: ReadonlySet<string>): void {
    for (const { worker } of this.#workers.values())
      if (!desired.has(worker.target.pod.metadata.uid ?? '')) worker.stop();
  }

  updatePodStatus(pod: Pod, status: PodStatus): void {
    for (const one of status.containerStatuses ?? []) {
      one.started = this.#isStarted(pod, one);
      const container = pod.spec.containers?.find(({ name }) => name === one.name);
      if (one.started) one.ready = this.#isReady(pod, one, container);
    }
    for (const one of status.initContainerStatuses ?? []) {
      one.started = this.#isStarted(pod, one);
      const container = pod.spec.initContainers?.find(({ name }) => name === one.name);
      if (container === undefined) continue;
      if (!isSidecar(container)) one.ready = one.state.terminated?.exitCode === 0 || one.ready;
      else if (one.started) one.ready = this.#isReady(pod, one, container);
    }
  }

  result(kind: ProbeKind, containerID: string): ProbeResult | undefined {
    return this.#results[kind].get(containerID);
  }

  /** The metrics of `/metrics/probes`. */
  collect(): readonly Family[] {
    return probeFamilies([...this.#workers.values()].map(({ metrics }) => metrics));
  }

  #isStarted(pod: Pod, { name, state, started, containerID = '' }: ContainerStatus): boolean {
    if (state.running === undefined) return false;
    const result = this.#results.startup.get(containerID);
    if (result !== undefined) return result === 'success';
    return started === true || !this.#workers.has(keyOf(pod, name, 'startup'));
  }

  #isReady(pod: Pod, status: ContainerStatus, container: Container | undefined): boolean {
    const { name, state, containerID = '' } = status;
    if (state.running === undefined) return false;
    const result = this.#results.readiness.get(containerID);
    if (result === 'success') return true;
    const active = this.#workers.get(keyOf(pod, name, 'readiness'));
    active?.worker.trigger(); // a probe has not run yet, or may succeed now
    if (container === undefined || !ranBefore(status, this.#agentStart)) return active === undefined;
    // The container was running before this agent started: its readiness follows the pod's.
    if (container.readinessProbe !== undefined && !isPodReady(pod)) return false;
    return active === undefined || result === undefined;
  }
}

const probedContainers = ({ spec }: Pod): readonly Container[] => [
  ...(spec.containers ?? []),
  ...(spec.initContainers ?? []).filter(isSidecar),
];

const keyOf = ({ metadata }: Pod, container: string, kind: ProbeKind): string =>
  `${metadata.uid ?? ''}/${container}/${kind}`;
