import type { Clock } from '#lib/machinery/clock.ts';
import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { ImageServiceDefinition, RuntimeServiceDefinition } from '#lib/node/cri-api/generated/runtime-v1.ts';

type Methods = RuntimeServiceDefinition['methods'] & ImageServiceDefinition['methods'];
/** CRI methods with a single response, by their names on the wire. */
type Method = Exclude<Methods[keyof Methods]['name'], `Stream${string}` | 'GetContainerEvents'>;

/** Upstream's operation types for the methods. */
const OPERATION_TYPES: Readonly<Record<Method, string>> = {
  Version: 'version',
  Status: 'status',
  RuntimeConfig: 'runtime_config',
  UpdateRuntimeConfig: 'update_runtime_config',
  RunPodSandbox: 'run_podsandbox',
  StopPodSandbox: 'stop_podsandbox',
  RemovePodSandbox: 'remove_podsandbox',
  PodSandboxStatus: 'podsandbox_status',
  ListPodSandbox: 'list_podsandbox',
  PodSandboxStats: 'podsandbox_stats',
  ListPodSandboxStats: 'list_podsandbox_stats',
  ListPodSandboxMetrics: 'list_podsandbox_metrics',
  UpdatePodSandboxResources: 'update_podsandbox_resources',
  CreateContainer: 'create_container',
  StartContainer: 'start_container',
  StopContainer: 'stop_container',
  RemoveContainer: 'remove_container',
  ListContainers: 'list_containers',
  ContainerStatus: 'container_status',
  ContainerStats: 'container_stats',
  ListContainerStats: 'list_container_stats',
  UpdateContainerResources: 'update_container',
  CheckpointContainer: 'checkpoint_container',
  ReopenContainerLog: 'reopen_container_log',
  ExecSync: 'exec_sync',
  Exec: 'exec',
  Attach: 'attach',
  PortForward: 'port_forward',
  ListMetricDescriptors: 'list_metric_descriptors',
  ListImages: 'list_images',
  ImageStatus: 'image_status',
  PullImage: 'pull_image',
  RemoveImage: 'remove_image',
  ImageFsInfo: 'image_fs_info',
};
const TYPES: ReadonlyMap<string, string> = new Map(Object.entries(OPERATION_TYPES));

const LABELS = ['operation_type'];
/** Bucket limits in seconds: upstream's ExponentialBuckets(.005, 2.5, 14). */
const BUCKETS = Array.from({ length: 13 }).reduce<number[]>((all) => [...all, (all.at(-1) ?? 0) * 2.5], [0.005]);

/** Counts and times the calls of a container runtime (upstream: instrumented_services.go). */
export class RuntimeOperations implements Collector {
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #operations = new Value({
    type: 'counter',
    name: 'kubelet_runtime_operations_total',
    help: 'Cumulative number of runtime operations by operation type.',
    labels: LABELS,
  });
  readonly #seconds = new Histogram({
    name: 'kubelet_runtime_operations_duration_seconds',
    help: 'Duration in seconds of runtime operations. Broken down by operation type.',
    labels: LABELS,
    buckets: BUCKETS,
  });
  readonly #errors = new Value({
    type: 'counter',
    name: 'kubelet_runtime_operations_errors_total',
    help: 'Cumulative number of runtime operation errors by operation type.',
    labels: LABELS,
  });

  constructor(clock: Pick<Clock, 'monotonic'>) {
    this.#clock = clock;
  }

  /**
   * Called when a call of a method begins, with its name on the wire. Returns a function to call once at its end. Other methods are not
   * counted.
   */
  begin(method: string): (isFailed: boolean) => void {
    const type = TYPES.get(method);
    if (type === undefined) return () => undefined;
    const started = this.#clock.monotonic();
    return (isFailed) => {
      this.#operations.add(1, [type]);
      this.#seconds.observe((this.#clock.monotonic() - started) / 1000, [type]);
      if (isFailed) this.#errors.add(1, [type]);
    };
  }

  collect(): readonly Family[] {
    return [this.#operations, this.#seconds, this.#errors].flatMap((metric) => metric.collect());
  }
}
