import type { Container, Pod, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import { isSidecar } from '#lib/component-helpers/resource/sidecar.ts';
import { UpdateContainerResourcesRequest } from '#lib/cri-api/generated/runtime-v1.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { milliValue, signOf, wholeValue } from '#lib/machinery/resource/quantities.ts';
import type { ConfigSettings } from './config-settings.ts';
import { containerLinuxResources } from './linux-resources.ts';

/** Resources of a container that can change while it runs: thousandths of a CPU, and bytes; 0 for none. */
export interface ResizableResources {
  readonly cpuRequest: bigint;
  readonly cpuLimit: bigint;
  readonly memoryRequest: bigint;
  readonly memoryLimit: bigint;
}

/** A running container, the resources that it shall have and those that it was given. */
export interface ContainerResize {
  readonly container: Container;
  readonly containerID: string;
  readonly desired: ResizableResources;
  readonly current: ResizableResources;
}

/** The changes that bring the resources of running containers to their spec. Memory changes before CPU. */
export interface PodResize {
  /** In the order of the changes: those that take away come first. */
  readonly memory: readonly ContainerResize[];
  readonly cpu: readonly ContainerResize[];
  /** Containers whose resize policy asks for a restart: they are killed with the message `Container NAME resize requires restart`. */
  readonly restart: readonly ContainerResize[];
}

/** The resources that containers of a pod were given last, of those that run. */
export interface ActuatedResources {
  /** Undefined for a container that does not run. Resources are empty where nothing is known of them. */
  container(name: string): { readonly id: string; readonly resources: ResourceRequirements } | undefined;
  /** Those of the pod as a whole. */
  readonly pod: ResourceRequirements | undefined;
}

const RESOURCES = ['memory', 'cpu'] as const;
type Resource = (typeof RESOURCES)[number];

/** The resizes of a pod whose spec was admitted (upstream: computePodResizeAction of each container). */
export function computePodResize({ spec }: Pod, actuated: ActuatedResources): PodResize {
  const containers = [...(spec.initContainers ?? []).filter(isSidecar), ...(spec.containers ?? [])];
  const resizes = containers.flatMap((container): ContainerResize[] => {
    const running = actuated.container(container.name);
    if (running === undefined) return [];
    const desired = resizable(container.resources, spec.resources);
    const current = resizable(running.resources, actuated.pod);
    return [{ container, containerID: running.id, desired, current }];
  });
  const restart = resizes.filter(requiresRestart);
  const kept = resizes.filter((one) => !restart.includes(one));
  return { memory: inOrder(kept, 'memory'), cpu: inOrder(kept, 'cpu'), restart };
}

/** The request that gives a container its new memory or CPU. Memory is new already where the CPU changes: it changes first. */
export function updateResourcesRequest(
  pod: Pod,
  { container, containerID, desired, current }: ContainerResize,
  { resource, settings }: { readonly resource: Resource; readonly settings: ConfigSettings },
): UpdateContainerResourcesRequest {
  const cpu = resource === 'cpu' ? desired : current;
  const resources = {
    ...container.resources,
    limits: { cpu: `${cpu.cpuLimit}m`, memory: String(desired.memoryLimit) },
    requests: { cpu: `${cpu.cpuRequest}m`, memory: String(desired.memoryRequest) },
  };
  const linux = containerLinuxResources(pod, { ...container, resources }, settings);
  return UpdateContainerResourcesRequest.fromPartial({ containerId: containerID, linux });
}

/** The limits of memory, in bytes by container, that a resize takes below those of now: no container may use more already. */
export const decreasingMemoryLimits = ({ memory }: PodResize): ReadonlyMap<string, bigint> =>
  new Map(
    memory
      .filter(({ desired, current }) => desired.memoryLimit !== 0n && isLower(desired.memoryLimit, current.memoryLimit))
      .map(({ container, desired }) => [container.name, desired.memoryLimit]),
  );

const isLower = (desired: bigint, current: bigint): boolean => current === 0n || desired < current;

/** A container's resources; limits that it does not have are those of its pod. */
function resizable(own: ResourceRequirements, pod: ResourceRequirements | undefined): ResizableResources {
  const limit = (name: Resource): Quantity => {
    const said = ownField(own.limits, name) ?? '0';
    return signOf(said) === 0 ? (ownField(pod?.limits, name) ?? '0') : said;
  };
  return {
    cpuRequest: milliValue(ownField(own.requests, 'cpu') ?? '0'),
    cpuLimit: milliValue(limit('cpu')),
    memoryRequest: wholeValue(ownField(own.requests, 'memory') ?? '0'),
    memoryLimit: wholeValue(limit('memory')),
  };
}

/** How much more of a resource a container gets, by its limit or else by its request; 0 for no change. */
function change({ desired, current }: ContainerResize, resource: Resource): bigint {
  const limit = resource === 'cpu' ? desired.cpuLimit - current.cpuLimit : desired.memoryLimit - current.memoryLimit;
  if (limit !== 0n) return limit;
  return resource === 'cpu' ? desired.cpuRequest - current.cpuRequest : desired.memoryRequest - current.memoryRequest;
}

const requiresRestart = (resize: ContainerResize): boolean =>
  RESOURCES.some((resource) => {
    const policy = resize.container.resizePolicy?.find(({ resourceName }) => resourceName === resource);
    return policy?.restartPolicy === 'RestartContainer' && change(resize, resource) !== 0n;
  });

function inOrder(resizes: readonly ContainerResize[], resource: Resource): ContainerResize[] {
  const less = resizes.filter((one) => change(one, resource) < 0n).reverse();
  return [...less, ...resizes.filter((one) => change(one, resource) > 0n)];
}
