import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { RpcError, type ServiceHandlers } from '#lib/machinery/rpc.ts';
import { TokenBucket } from '#lib/machinery/token-bucket.ts';
import type {
  ContainerResources,
  PodResources,
  PodResourcesListerDefinition,
} from '#lib/node/kubelet-api/generated/podresources-v1.ts';
import type { PodResourcesListerDefinition as AlphaDefinition } from '#lib/node/kubelet-api/generated/podresources-v1alpha1.ts';
import type { PodResourcesProviders } from './providers.ts';

/** The rate limit in requests per second for both versions together, and the burst. */
const QPS = 100;
const BURST = 10;

/** The services of `pod-resources/kubelet.sock`. */
export interface PodResourcesServers {
  readonly v1: ServiceHandlers<PodResourcesListerDefinition>;
  /** Deprecated upstream. Only reports devices. */
  readonly v1alpha1: ServiceHandlers<AlphaDefinition>;
}

/** Reports to monitoring agents which resources pods have. Rejects more than 100 requests per second with ResourceExhausted. */
export function podResourcesServers(providers: PodResourcesProviders, clock: Clock): PodResourcesServers {
  const { pods, devices, cpus, memory } = providers;
  const bucket = new TokenBucket({ qps: QPS, burst: BURST, clock });
  /** Applies the rate limit to a handler. */
  const limited =
    <Q, A>(answer: (request: Q) => A) =>
    async (request: Q): Promise<A> => {
      if (!bucket.allow()) throw new RpcError('ResourceExhausted', 'rejected by rate limit');
      return answer(request);
    };
  return {
    v1: {
      list: limited(() => {
        const active = pods.getActivePods();
        devices.updateAllocatedDevices();
        return { podResources: active.map((pod) => podResourcesOf(providers, pod)) };
      }),
      getAllocatableResources: limited(() => ({
        devices: devices.getAllocatableDevices(),
        cpuIds: cpus.getAllocatableCPUs(),
        memory: memory.getAllocatableMemory(),
      })),
      get: limited(({ podName, podNamespace }) => {
        const pod = pods.getPodByName(podNamespace, podName);
        if (pod === undefined) throw new Error(`pod ${podName} in namespace ${podNamespace} not found`);
        return { podResources: podResourcesOf(providers, pod) };
      }),
    },
    v1alpha1: {
      list: limited(() => {
        const all = pods.getPods();
        devices.updateAllocatedDevices();
        return { podResources: all.map((pod) => ({ ...nameOf(pod), containers: alphaContainers(providers, pod) })) };
      }),
    },
  };
}

const nameOf = ({ metadata }: Pod): { readonly name: string; readonly namespace: string } => ({
  name: metadata.name ?? '',
  namespace: metadata.namespace ?? '',
});

/** Sidecars and regular containers, without other init containers. */
const podResourcesOf = (providers: PodResourcesProviders, pod: Pod): PodResources => ({
  ...nameOf(pod),
  containers: [...(pod.spec.initContainers ?? []).filter(isSidecar), ...(pod.spec.containers ?? [])].map((container) =>
    containerResourcesOf(providers, pod, container),
  ),
});

function containerResourcesOf(providers: PodResourcesProviders, pod: Pod, container: Container): ContainerResources {
  const { name } = container;
  const uid = pod.metadata.uid ?? '';
  return {
    name,
    devices: providers.devices.getDevices(uid, name),
    cpuIds: providers.cpus.getCPUs(uid, name),
    memory: providers.memory.getMemory(uid, name),
    dynamicResources: providers.dynamicResources.getDynamicResources(pod, container),
  };
}

const alphaContainers = (
  { devices }: PodResourcesProviders,
  { metadata, spec }: Pod,
): { name: string; devices: { resourceName: string; deviceIds: string[] }[] }[] =>
  (spec.containers ?? []).map(({ name }) => ({
    name,
    devices: devices
      .getDevices(metadata.uid ?? '', name)
      .map(({ resourceName, deviceIds }) => ({ resourceName, deviceIds })),
  }));
