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

/** Resources of a container that can change while it runs: thousandths of a CPU, and bytes; 0 for none. */
export interface ResizableResources {
  readonly cpuRequest: bigint;
  readonly cpuLimit: bigint;
  readonly memoryRequest: bigint;
  readonly memoryLimit: bigint;
}

/** A resource that can change while a container runs. */
export type ResizableResource = 'memory' | 'cpu';

/** A running container, the resources that it shall have and those that it was given. */
export interface ContainerResize {
  readonly container: Container;
  readonly containerID: string;
  readonly desired: ResizableResources;
  readonly current: ResizableResources;
}

const RESOURCES: readonly ResizableResource[] = ['memory', 'cpu'];

/** The resources that a pod and its containers were given last. Those of which nothing is known count as none. */
export type ActuatedResources = Pick<PodResourceState, 'podResources' | 'containerResources'>;

/** The change of a running container to the resources that its spec asks for; undefined for none (upstream: computePodResizeAction). */
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

/** Whether the pod as a whole asks for other CPU or memory than it was given (upstream: computePodLevelResourcesResizeAction). */
export const podLevelResizes = (pod: Pod, actuated: ActuatedResources): boolean =>
  !same(
    resizable(pod.spec.resources ?? {}, undefined),
    resizable(actuated.podResources(uidOf(pod))?.pod ?? {}, undefined),
  );

/** Whether the resize policy of the container asks for a restart. */
export const requiresRestart = (resize: ContainerResize): boolean =>
  RESOURCES.some((resource) => {
    const policy = resize.container.resizePolicy?.find(({ resourceName }) => resourceName === resource);
    return (
      policy?.restartPolicy === 'RestartContainer' &&
      (resize.desired[`${resource}Request`] !== resize.current[`${resource}Request`] ||
        resize.desired[`${resource}Limit`] !== resize.current[`${resource}Limit`])
    );
  });

/** The containers whose memory or CPU changes, in the order of the changes: those that take away come first. */
export function inOrder(resizes: readonly ContainerResize[], resource: ResizableResource): ContainerResize[] {
  const less = resizes.filter((one) => change(one, resource) < 0n).reverse();
  return [...less, ...resizes.filter((one) => change(one, resource) > 0n)];
}

/** The requirements of a container whose memory or CPU is new. Memory is new already where the CPU changes: it changes first. */
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

/** The request that gives a container its new memory or CPU. */
export function updateResourcesRequest(
  pod: Pod,
  resize: ContainerResize,
  { resource, settings }: { readonly resource: ResizableResource; readonly settings: ConfigSettings },
): UpdateContainerResourcesRequest {
  const resources = resizedResources(resize, resource);
  const linux = containerLinuxResources(pod, { ...resize.container, resources }, settings);
  return UpdateContainerResourcesRequest.fromPartial({ containerId: resize.containerID, linux });
}

/** The limits of memory, in bytes by container, that a resize takes below those of now: no container may use more already. */
export const decreasingMemoryLimits = (resizes: readonly ContainerResize[]): ReadonlyMap<string, bigint> =>
  new Map(
    inOrder(resizes, 'memory')
      .filter(({ desired, current }) => desired.memoryLimit !== 0n && isLower(desired.memoryLimit, current.memoryLimit))
      .map(({ container, desired }) => [container.name, desired.memoryLimit]),
  );

/** A container's requirements with the limits of its pod where it has none of its own: what it is given (upstream: GetLimits). */
export function givenResources({ spec }: Pod, { resources }: Container): ResourceRequirements {
  const limits = { ...resources.limits };
  for (const name of RESOURCES) {
    const whole = ownField(spec.resources?.limits, name);
    if (whole !== undefined && signOf(whole) !== 0 && signOf(ownField(limits, name) ?? '0') === 0) limits[name] = whole;
  }
  return { ...resources, ...(Object.keys(limits).length === 0 ? {} : { limits }) };
}

const isLower = (desired: bigint, current: bigint): boolean => current === 0n || desired < current;

/** A container's resources; limits that it does not have are those of its pod. */
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

/** How much more of a resource a container gets, by its limit or else by its request; 0 for no change. */
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
