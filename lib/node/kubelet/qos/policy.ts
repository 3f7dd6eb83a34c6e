import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { hasPodLevelRequests } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import { aggregateContainers } from '#lib/helpers/component-helpers/resource/resource-totals.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { ownField } from '#lib/machinery/json-value.ts';
import { wholeValue } from '#lib/machinery/resource/quantities.ts';
import { podQOS } from '#lib/server/registry/kinds/core/pod/qos.ts';
import { isNodeCriticalPod } from '../types/critical-pod.ts';

const GUARANTEED = -997n;
const BEST_EFFORT = 1000n;

/** The QoS class of a pod: that of its status, or else the computed one. */
export function qosClassOf({ spec, status }: Pod): string {
  const { qosClass = '' } = status;
  return qosClass === '' ? podQOS(spec) : qosClass;
}

const memoryOf = ({ resources }: Pick<Container, 'resources'>): bigint =>
  wholeValue(ownField(resources.requests, 'memory') ?? '0');

/**
 * The OOM score adjustment for a container's processes, from -997 to 1000. The kernel first kills those with the highest score (upstream:
 * GetContainerOOMScoreAdjust). `memoryCapacity` is the machine's memory in bytes.
 */
export function containerOOMScoreAdjust(pod: Pod, container: Container, memoryCapacity: bigint): bigint {
  if (isNodeCriticalPod(pod)) return GUARANTEED;
  const qos = qosClassOf(pod);
  if (qos === 'Guaranteed') return GUARANTEED;
  if (qos === 'BestEffort') return BEST_EFFORT;
  const more = remainingMemory(pod);
  const scoreOf = (memory: bigint): bigint => 1000n - (1000n * (memory + more)) / memoryCapacity;
  const own = scoreOf(memoryOf(container));
  const least = isSidecarOf(pod, container) ? scoreOf(leastRegularMemory(pod)) : own;
  const score = own < least ? own : least;
  if (score < 1000n + GUARANTEED) return 1000n + GUARANTEED;
  return score === BEST_EFFORT ? score - 1n : score;
}

const isSidecarOf = ({ spec }: Pod, container: Container): boolean =>
  isSidecar(container) && (spec.initContainers ?? []).some(({ name }) => name === container.name);

function leastRegularMemory({ spec }: Pod): bigint {
  const [first = 0n, ...others] = (spec.containers ?? []).map(memoryOf);
  return others.reduce((least, memory) => (memory < least ? memory : least), first);
}

/** Each container's equal share of the pod-level memory request that exceeds the containers' requests. */
function remainingMemory({ spec }: Pod): bigint {
  const whole = wholeValue(ownField(spec.resources?.requests, 'memory') ?? '0');
  if (whole === 0n || !hasPodLevelRequests(spec)) return 0n;
  const containers = BigInt((spec.containers ?? []).length + (spec.initContainers ?? []).length);
  const given = wholeValue(aggregateContainers(spec, 'requests').get('memory') ?? '0');
  return (whole - given) / containers;
}
