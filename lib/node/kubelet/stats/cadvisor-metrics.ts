import type { Pod } from '#lib/api/types/core.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family, Labels, Sample } from '#lib/machinery/metrics/family.ts';
import type { Container, PodSandbox } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { RuntimeService } from '#lib/node/cri-api/services.ts';
import type { MachineInfo } from '../cadvisor.ts';
import { COUNTERS, cgroupCounters } from './cgroup-counters.ts';
import type { CgroupReader, NetworkCounters } from './cgroup-reader.ts';

const MACHINE = '/';
/** The last path element of a container's cgroup. With systemd it has the form of containerd or CRI-O, otherwise it is the id. */
const CONTAINER = /^(?:[\w-]+-)?([0-9a-f]{64})(?:\.scope)?$/;
/** The last path element of a pod's cgroup. With systemd, the UID has underscores. */
const POD = /(?:^|-)pod([0-9a-f]{8}[\w-]*?)(?:\.slice)?$/;

/** The ports of the metrics. */
export interface CadvisorMetricsOptions {
  readonly clock: Clock;
  readonly cgroups: CgroupReader;
  /** The path of all pods' cgroup, or '' without one. */
  readonly root: string;
  readonly machine: MachineInfo;
  readonly runtime: Pick<RuntimeService, 'listContainers' | 'listPodSandbox'>;
  /** The pod with a UID, or undefined if the node has none. */
  pod(uid: string): Pod | undefined;
  /** Called when the metrics are unavailable. The scrape reports an error. */
  onFault(error: unknown): void;
}

/** The labels that every series of a container has. */
interface Identity {
  readonly container: string;
  readonly id: string;
  readonly image: string;
  readonly name: string;
  readonly namespace: string;
  readonly pod: string;
}

interface Known {
  readonly containers: ReadonlyMap<string, Container>;
  readonly sandboxes: ReadonlyMap<string, PodSandbox>;
}

/**
 * The metrics of `/metrics/cadvisor` for the machine, the cgroups of pods and their containers, under cAdvisor's names and labels. Values
 * are read during the scrape and have no timestamps.
 */
export class CadvisorMetrics implements Collector {
  readonly #options: CadvisorMetricsOptions;

  constructor(options: CadvisorMetricsOptions) {
    this.#options = options;
  }

  async collect(): Promise<readonly Family[]> {
    const families = new Families();
    let failures = 0;
    try {
      const known = await this.#known();
      await this.#addCgroup(families, MACHINE, known);
      if (this.#options.root !== '') await this.#addTree(families, this.#options.root, known);
    } catch (error) {
      this.#options.onFault(error);
      failures = 1;
    }
    families.add(['container_scrape_error', 'gauge', SCRAPE_ERROR], {}, failures);
    this.#addMachine(families);
    return families.all();
  }

  async #known(): Promise<Known> {
    const { runtime } = this.#options;
    const { containers } = await runtime.listContainers({});
    const { items } = await runtime.listPodSandbox({});
    return {
      containers: new Map(containers.map((one) => [one.id, one])),
      sandboxes: new Map(items.map((one) => [one.id, one])),
    };
  }

  /** Adds a cgroup and all cgroups below it, except those below a container. */
  async #addTree(families: Families, path: string, known: Known): Promise<void> {
    await this.#addCgroup(families, path, known);
    if (CONTAINER.test(lastOf(path))) return;
    for (const name of await this.#options.cgroups.children(path))
      await this.#addTree(families, `${path}/${name}`, known);
  }

  async #addCgroup(families: Families, path: string, known: Known): Promise<void> {
    const { cgroups, clock } = this.#options;
    const identity = this.#identityOf(path, known);
    const createdAt = await cgroups.createdAt(path);
    if (identity === undefined || createdAt === undefined) return; // a removed container, or not a cgroup of a pod
    const add = (metric: Described, value: number, labels: Labels = {}): void =>
      families.add(metric, sorted({ ...identity, ...labels }), value);
    for (const { metric, value, labels } of await cgroupCounters(cgroups, path)) {
      const [type, help] = COUNTERS[metric];
      add([`container_${metric}`, type, help], value, labels);
    }
    add(['container_start_time_seconds', 'gauge', START], Math.trunc(createdAt / 1000));
    add(['container_last_seen', 'gauge', LAST_SEEN], Math.trunc(clock.now() / 1000));
    if (path !== MACHINE && !known.sandboxes.has(identity.name)) return; // containers of a pod share its sandbox's network
    for (const { name, receive, transmit } of await cgroups.network(path))
      for (const [metric, value, help] of networkValues(receive, transmit))
        add([`container_network_${metric}_total`, 'counter', `Cumulative count of ${help}`], value, {
          interface: name,
        });
  }

  /** The labels of a cgroup, or undefined for a container that is not in the runtime. */
  #identityOf(path: string, { containers, sandboxes }: Known): Identity | undefined {
    const none = { container: '', id: path, image: '', name: '', namespace: '', pod: '' };
    const id = CONTAINER.exec(lastOf(path))?.[1];
    const container = containers.get(id ?? '');
    const sandbox = sandboxes.get(container?.podSandboxId ?? id ?? '');
    if (id !== undefined) {
      if (sandbox === undefined) return undefined;
      const image = container?.image?.userSpecifiedImage || (container?.image?.image ?? '');
      const { name: pod = '', namespace = '' } = sandbox.metadata ?? {};
      return { ...none, container: container?.metadata?.name ?? '', image, name: id, namespace, pod };
    }
    const uid = POD.exec(lastOf(path))?.[1]?.replaceAll('_', '-');
    const { name: pod = '', namespace = '' } = this.#options.pod(uid ?? '')?.metadata ?? {};
    return { ...none, namespace, pod };
  }

  #addMachine(families: Families): void {
    const { numCores, memoryCapacity, swapCapacity, bootID, machineID, systemUUID } = this.#options.machine;
    const labels = { boot_id: bootID, machine_id: machineID, system_uuid: systemUUID };
    families.add(['machine_cpu_cores', 'gauge', 'Number of logical CPU cores.'], labels, numCores);
    families.add(
      ['machine_memory_bytes', 'gauge', 'Amount of memory installed on the machine.'],
      labels,
      memoryCapacity,
    );
    const swap = 'Amount of swap memory available on the machine.';
    families.add(['machine_swap_bytes', 'gauge', swap], labels, swapCapacity);
    families.add(
      ['machine_scrape_error', 'gauge', '1 if there was an error while getting machine metrics, 0 otherwise.'],
      {},
      0,
    );
  }
}

type Counters = NetworkCounters['receive'];

const networkValues = (receive: Counters, transmit: Counters) =>
  [
    ['receive_bytes', receive.bytes, 'bytes received'],
    ['receive_packets', receive.packets, 'packets received'],
    ['receive_packets_dropped', receive.dropped, 'packets dropped while receiving'],
    ['receive_errors', receive.errors, 'errors encountered while receiving'],
    ['transmit_bytes', transmit.bytes, 'bytes transmitted'],
    ['transmit_packets', transmit.packets, 'packets transmitted'],
    ['transmit_packets_dropped', transmit.dropped, 'packets dropped while transmitting'],
    ['transmit_errors', transmit.errors, 'errors encountered while transmitting'],
  ] as const;

const SCRAPE_ERROR = '1 if there was an error while getting container metrics, 0 otherwise';
const START = 'Start time of the container since unix epoch in seconds.';
const LAST_SEEN = 'Last time a container was seen by the exporter';

type Described = readonly [name: string, type: 'counter' | 'gauge', help: string];

/** Samples by metric. */
class Families {
  readonly #byName = new Map<string, { readonly described: Described; readonly samples: Sample[] }>();

  add(described: Described, labels: Labels, value: number): void {
    const own = this.#byName.get(described[0]) ?? { described, samples: [] };
    own.samples.push({ labels, value });
    this.#byName.set(described[0], own);
  }

  all(): Family[] {
    return [...this.#byName.values()].map(({ described: [name, type, help], samples }) => ({
      name,
      type,
      help,
      samples,
    }));
  }
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** Labels sorted by name, like Prometheus's client. */
const sorted = (labels: Labels): Labels =>
  Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
