import type { Container, Pod, ResourceRequirements } from '#lib/api/types/core.v1.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { uidOf } from '#lib/machinery/meta.ts';
import { canonicalQuantity, milliValue, signOf, wholeValue } from '#lib/machinery/resource/quantities.ts';
import { quantityText } from '#lib/machinery/resource/quantity.ts';
import { UpdateContainerResourcesRequest } from '#lib/node/cri-api/generated/runtime-v1.ts';
import type { PodResourceState } from '../allocation/pod-resource-state.ts';
import type { ConfigSettings } from './config-settings.ts';
import { containerLinuxResources } from './linux-resources.ts';

/** Resources of a container that can change while it runs, in millicores and bytes. 0 means not set. */
export interface ResizableResources {
  readonly cpuRequest: bigint;
  readonly cpuLimit: bigint;
  readonly memoryRequest: bigint;
  readonly memoryLimit: bigint;
}

/** A resource that can change while a container runs. */
export type ResizableResource = 'memory' | 'cpu';

/** A running container with its desired and its current resources. */
export interface ContainerResize {
  readonly container: Container;
  readonly containerID: string;
  readonly desired: ResizableResources;
  readonly current: ResizableResources;
}

const RESOURCES: readonly ResizableResource[] = ['memory', 'cpu'];

/** The resources that a pod and its containers last received. Unknown ones count as not set. */
export type ActuatedResources = Pick<PodResourceState, 'podResources' | 'containerResources'>;

/** The resize of a running container to the resources in its spec, or undefined if none is needed (upstream: computePodResizeAction). */
export function containerResize(
  pod: Pod,
  container: Container,
  { id, actuated }: { readonly id: string; readonly actuated: ActuatedResources },
): ContainerResize | undefined {
  const desired = resizable(container.resources, pod.spec.resources);
  const given = actuated.containerResources(uidOf(pod), container.name) ?? {};
  const current = resizable(given, actuated.podResources(uidOf(pod))?.pod);
  return same(desired, current) ? undefined : { container, containerID: id, desired, current };
}

/** Whether the pod-level CPU or memory differs from what was last set (upstream: computePodLevelResourcesResizeAction). */
export const podLevelResizes = (pod: Pod, actuated: ActuatedResources): boolean =>
  !same(
    resizable(pod.spec.resources ?? {}, undefined),
    resizable(actuated.podResources(uidOf(pod))?.pod ?? {}, undefined),
  );

/** Whether the resize policy of the container requires a restart. */
export const requiresRestart = (resize: ContainerResize): boolean =>
  RESOURCES.some((resource) => {
    const policy = resize.container.resizePolicy?.find(({ resourceName }) => resourceName === resource);
    return (
      policy?.restartPolicy === 'RestartContainer' &&
      (resize.desired[`${resource}Request`] !== resize.current[`${resource}Request`] ||
        resize.desired[`${resource}Limit`] !== resize.current[`${resource}Limit`])
    );
  });

/** The containers whose memory or CPU changes, in the order of the changes: decreases come first. */
export function inOrder(resizes: readonly ContainerResize[], resource: ResizableResource): ContainerResize[] {
  const less = resizes.filter((one) => change(one, resource) < 0n).reverse();
  return [...less, ...resizes.filter((one) => change(one, resource) > 0n)];
}

/**
 * The requirements of a container after its memory or CPU changed. When the CPU changes, the memory is already new, because it changes
 * first.
 */
export function resizedResources(
  { container, desired, current }: ContainerResize,
  resource: ResizableResource,
): ResourceRequirements {
  const cpu = resource === 'cpu' ? desired : current;
  const amounts = (milliCPU: bigint, bytes: bigint): Record<string, Quantity> => ({
    cpu: canonicalQuantity(`${milliCPU}m`),
    memory: quantityText({ unscaled: bytes, scale: 0, format: 'BinarySI' }),
  });
  return {
    ...container.resources,
    limits: amounts(cpu.cpuLimit, desired.memoryLimit),
    requests: amounts(cpu.cpuRequest, desired.memoryRequest),
  };
}

/** The request that sets the new memory or CPU of a container. */
export function updateResourcesRequest(
  pod: Pod,
  resize: ContainerResize,
  { resource, settings }: { readonly resource: ResizableResource; readonly settings: ConfigSettings },
): UpdateContainerResourcesRequest {
  const resources = resizedResources(resize, resource);
  const linux = containerLinuxResources(pod, { ...resize.container, resources }, settings);
  return UpdateContainerResourcesRequest.fromPartial({ containerId: resize.containerID, linux });
}

/** The memory limits in bytes, by container, that a resize decreases. The current usage of these containers must be lower. */
export const decreasingMemoryLimits = (resizes: readonly ContainerResize[]): ReadonlyMap<string, bigint> =>
  new Map(
    inOrder(resizes, 'memory')
      .filter(({ desired, current }) => desired.memoryLimit !== 0n && isLower(desired.memoryLimit, current.memoryLimit))
      .map(({ container, desired }) => [container.name, desired.memoryLimit]),
  );

/** A container's requirements, with the limits of its pod for missing ones (upstream: GetLimits). */
export function givenResources({ spec }: Pod, { resources }: Container): ResourceRequirements {
  const limits = { ...resources.limits };
  for (const name of RESOURCES) {
    const whole = ownField(spec.resources?.limits, name);
    if (whole !== undefined && signOf(whole) !== 0 && signOf(ownField(limits, name) ?? '0') === 0) limits[name] = whole;
  }
  return { ...resources, ...(Object.keys(limits).length === 0 ? {} : { limits }) };
}

const isLower = (desired: bigint, current: bigint): boolean => current === 0n || desired < current;

/** A container's resources, with the limits of its pod for missing ones. */
function resizable(own: ResourceRequirements, pod: ResourceRequirements | undefined): ResizableResources {
  const limit = (name: ResizableResource): Quantity => {
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

/** The increase of a container's resource: of its limit, or else of its request. 0 if unchanged. */
function change({ desired, current }: ContainerResize, resource: ResizableResource): bigint {
  const limit = resource === 'cpu' ? desired.cpuLimit - current.cpuLimit : desired.memoryLimit - current.memoryLimit;
  if (limit !== 0n) return limit;
  return resource === 'cpu' ? desired.cpuRequest - current.cpuRequest : desired.memoryRequest - current.memoryRequest;
}

const same = (a: ResizableResources, b: ResizableResources): boolean =>
  a.cpuRequest === b.cpuRequest &&
  a.cpuLimit === b.cpuLimit &&
  a.memoryRequest === b.memoryRequest &&
  a.memoryLimit === b.memoryLimit;
