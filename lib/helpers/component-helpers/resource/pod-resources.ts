import type {
  Container,
  ContainerStatus,
  Pod,
  PodSpec,
  PodStatus,
  ResourceRequirements,
} from '#lib/api/types/core.v1.ts';
import type { Quantity } from '#lib/api/types/scalars.ts';
import { ownField, setField } from '#lib/machinery/json-value.ts';
import { compareQuantities, signOf } from '#lib/machinery/resource/quantities.ts';
import { sum, type Usage, usageOf } from './resource-list.ts';
import { isHugePages } from './resource-names.ts';
import { aggregateContainers } from './resource-totals.ts';
import { isSidecar } from './sidecar.ts';

type List = 'requests' | 'limits';

/** A pod, one of its containers, or its status. */
interface Holder {
  readonly resources?: ResourceRequirements;
}

const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);

const podLevel = (holder: Holder | undefined, list: List): [string, string][] =>
  [...usageOf(holder?.resources?.[list])].filter(([name]) => isPodLevel(name));

/** Whether the spec has pod-level requests or limits. */
export const hasPodLevelResources = (spec: PodSpec): boolean =>
  podLevel(spec, 'requests').length + podLevel(spec, 'limits').length > 0;

/** Whether the spec has pod-level requests. */
export const hasPodLevelRequests = (spec: PodSpec): boolean => podLevel(spec, 'requests').length > 0;

/**
 * The resources that a pod needs: the peak of its containers or its pod-level resources, plus the overhead of its runtime class. `missing`
 * holds the amounts for containers that specify none.
 */
export function podResources(pod: Pod, list: List, missing?: Usage): Usage {
  const given = withMissing(withActual(pod, list), list, missing);
  const own: Usage = new Map([...aggregateContainers(given, list), ...podLevelActual(pod, list)]);
  const overhead = [...usageOf(pod.spec.overhead)];
  const added = list === 'requests' ? overhead : overhead.filter(([name]) => signOf(own.get(name) ?? '0') !== 0);
  return sum(own, new Map(added));
}

function withMissing(spec: PodSpec, list: List, missing: Usage | undefined): PodSpec {
  if (missing === undefined) return spec;
  const filled = (containers: readonly Container[] | null | undefined): Container[] =>
    (containers ?? []).map((container) => {
      const { resources } = container;
      const said = { ...Object.fromEntries(missing), ...resources?.[list] };
      return { ...container, resources: { ...resources, [list]: said } };
    });
  return { ...spec, containers: filled(spec.containers), initContainers: filled(spec.initContainers) };
}

/** Whether a requested resize is infeasible. */
const isInfeasible = ({ status: { conditions = [] } }: Pod): boolean =>
  conditions.some(({ type, reason }) => type === 'PodResizePending' && reason === 'Infeasible');

/** The spec with the actual resources of containers that exceed their spec. They differ during a resize, or if a resize is infeasible. */
function withActual(pod: Pod, list: List): PodSpec {
  const { spec, status } = pod;
  const { containerStatuses = [], initContainerStatuses = [] } = status ?? {};
  if (containerStatuses.length + initContainerStatuses.length === 0) return spec;
  const infeasible = isInfeasible(pod);
  const given = (
    containers: readonly Container[] | null | undefined,
    statuses: readonly ContainerStatus[],
    counts: (container: Container) => boolean,
  ): Container[] => {
    const known = new Map(statuses.map((one) => [one.name, one]));
    return (containers ?? []).map((container) => {
      const actual = known.get(container.name);
      return actual === undefined || !counts(container) ? container : resized(container, actual, { list, infeasible });
    });
  };
  return {
    ...spec,
    containers: given(spec.containers, containerStatuses, () => true),
    initContainers: given(spec.initContainers, initContainerStatuses, isSidecar),
  };
}

/** The pod-level resources. During a resize, at least the actual ones. */
function podLevelActual(pod: Pod, list: List): [string, string][] {
  const { spec, status } = pod;
  const said = podLevel(spec, list);
  if (said.length === 0 || status === undefined) return said;
  const { resources } = resized(spec, status, { list, infeasible: isInfeasible(pod) });
  const names = new Set(said.map(([name]) => name));
  return [...usageOf(resources?.[list])].filter(([name]) => names.has(name));
}

function resized<H extends Holder>(
  holder: H,
  { resources: running, allocatedResources }: ContainerStatus | PodStatus,
  { list, infeasible }: { list: List; infeasible: boolean },
): H {
  if (running === undefined) return holder;
  const sources = [
    usageOf(running[list]),
    ...(list === 'requests' ? [usageOf(allocatedResources)] : []),
    ...(infeasible ? [] : [usageOf(holder.resources?.[list])]),
  ];
  const most: Record<string, Quantity> = {};
  for (const [name, value] of sources.flatMap((source) => [...source])) {
    const before = ownField(most, name);
    if (before === undefined || compareQuantities(value, before) > 0) setField(most, name, value);
  }
  return { ...holder, resources: { ...holder.resources, [list]: most } };
}
