import type { Container, Pod, ResourceFieldSelector } from '#lib/api/types/core.v1.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import { isHugePages } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { milliValue, signOf, wholeValue } from '#lib/machinery/resource/quantities.ts';

/** Quantities by resource name, in the format of API objects. */
export type ResourceList = Readonly<Record<string, Quantity>>;

const PLAIN = ['cpu', 'memory', 'ephemeral-storage'];

/**
 * The value of a container's resource in units of the selector's divisor, rounded up (upstream: ExtractContainerResourceValue). Throws
 * Error with upstream's text for a resource that the downward API does not support.
 */
export function containerResourceValue({ resource, divisor }: ResourceFieldSelector, container: Container): string {
  const match = /^(?<list>requests|limits)\.(?<name>.*)$/s.exec(resource);
  const list = match?.groups?.['list'] === 'requests' ? 'requests' : 'limits';
  const name = match?.groups?.['name'] ?? '';
  if (!PLAIN.includes(name) && !isHugePages(name)) throw new Error(`unsupported container resource : ${resource}`);
  const amount = ownField(container.resources[list], name) ?? '0';
  const unit = signOf(divisor) === 0 ? '1' : divisor;
  return String(
    name === 'cpu' ? ceiling(milliValue(amount), milliValue(unit)) : ceiling(wholeValue(amount), wholeValue(unit)),
  );
}

const ceiling = (amount: bigint, unit: bigint): bigint => (amount + unit - 1n) / unit;

/**
 * Returns the resource value of the container that `ref` names, or of `own` if `ref` names none. Throws Error with upstream's text if the
 * pod does not have the container.
 */
export function podResourceValue(ref: ResourceFieldSelector, pod: Pod, own?: Container): string {
  const name = ref.containerName ?? '';
  return containerResourceValue(ref, name === '' && own !== undefined ? own : containerNamed(pod, name));
}

/** The value for the container that `ref` names, with the node's allocatable resources as default limits. For downward API volumes. */
export const allocatableResourceValue = (ref: ResourceFieldSelector, pod: Pod, allocatable: ResourceList): string =>
  containerResourceValue(ref, withDefaultLimits(containerNamed(pod, ref.containerName ?? ''), allocatable));

function containerNamed({ spec }: Pod, name: string): Container {
  const found = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].find((one) => one.name === name);
  if (found === undefined) throw new Error(`container ${name} not found`);
  return found;
}

/** The container with limits from `allocatable` for the basic resources that it does not limit (upstream: MergeContainerResourceLimits). */
export function withDefaultLimits(container: Container, allocatable: ResourceList): Container {
  const { limits } = container.resources;
  const missing = PLAIN.flatMap((name): [string, Quantity][] => {
    const most = ownField(allocatable, name);
    return most === undefined || signOf(ownField(limits, name) ?? '0') !== 0 ? [] : [[name, most]];
  });
  return {
    ...container,
    resources: { ...container.resources, limits: { ...limits, ...Object.fromEntries(missing) } },
  };
}

/**
 * The pod with default limits for its containers without limits: the pod-level ones, or else the node's allocatable resources (upstream:
 * defaultPodLimitsForDownwardAPI). Init containers stay unchanged.
 */
export function withDefaultPodLimits(pod: Pod, allocatable: ResourceList): Pod {
  const most = defaultLimits(pod, allocatable);
  const containers = (pod.spec.containers ?? []).map((container) => withDefaultLimits(container, most));
  return { ...pod, spec: { ...pod.spec, containers } };
}

/** The default limits for a container of the pod. */
export function defaultLimits({ spec }: Pod, allocatable: ResourceList): ResourceList {
  const said = ['cpu', 'memory'].flatMap((name): [string, Quantity][] => {
    const limit = ownField(spec.resources?.limits, name) ?? '0';
    return signOf(limit) === 0 || ownField(allocatable, name) === undefined ? [] : [[name, limit]];
  });
  return { ...allocatable, ...Object.fromEntries(said) };
}
