import type { Pod, PodStatus } from '#lib/api/types/core.v1.ts';
import { podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { amountOf } from '#lib/scheduler/framework/resource.ts';
import { podQOS } from '#lib/server/registry/kinds/core/pod/qos.ts';
import type { NodeEventRecorder } from '../events/recorder.ts';
import { setDisruptionTarget } from '../eviction/disruption-target.ts';
import type { AdmissionFailure } from '../lifecycle/predicate.ts';
import { isCriticalPod } from '../types/critical-pod.ts';

const REASON = 'Preempting';
const MESSAGE = 'Preempted in order to admit critical pod';

/** The amount of a resource that must still be freed, in the scheduler's units. */
export interface Requirement {
  readonly resource: string;
  readonly quantity: number;
}

/** The ports of preemption on the node. */
export interface PreemptionPorts {
  /** The admitted pods that have not terminated. */
  pods(): readonly Pod[];
  /** Kills a pod and waits until it has terminated. `change` is applied to its status. Rejects if that takes too long. */
  killPod(pod: Pod, change: (status: PodStatus) => void): Promise<void>;
  readonly recorder: NodeEventRecorder;
  readonly clock: Clock;
}

/**
 * Makes room for a critical pod that only lacks resources, by killing less important pods (upstream: preemption.HandleAdmissionFailure).
 * Returns the remaining failures. Throws if no set of pods is sufficient.
 */
export async function preemptFor(
  { pods, killPod, recorder, clock }: PreemptionPorts,
  pod: Pod,
  failures: readonly AdmissionFailure[],
): Promise<readonly AdmissionFailure[]> {
  if (!isCriticalPod(pod)) return failures;
  const others = failures.filter((one) => 'predicate' in one);
  if (others.length > 0) return others;
  const required = failures.flatMap((one) =>
    'predicate' in one ? [] : [{ resource: one.name, quantity: one.requested - (one.capacity - one.used) }],
  );
  for (const victim of podsToPreempt(pod, pods(), required)) {
    recorder.event(victim, 'Warning', REASON, MESSAGE);
    const change = (status: PodStatus): void => {
      Object.assign(status, { phase: 'Failed', reason: REASON, message: MESSAGE });
      setDisruptionTarget(victim, status, 'Pod was preempted by Kubelet to accommodate a critical pod.', clock.now());
    };
    // If the pod does not terminate in time, its worker continues. Meanwhile the others are killed.
    await killPod(victim, change).catch(() => undefined);
  }
  return [];
}

/** The pods to kill, best effort first. Throws if all of them together do not free enough (upstream: getPodsToPreempt). */
export function podsToPreempt(preemptor: Pod, pods: readonly Pod[], required: readonly Requirement[]): Pod[] {
  const candidates = pods.filter((pod) => isPreemptable(preemptor, pod));
  const ofClass = (wanted: string): Pod[] => candidates.filter(({ spec }) => podQOS(spec) === wanted);
  const [bestEffort, burstable, guaranteed] = [ofClass('BestEffort'), ofClass('Burstable'), ofClass('Guaranteed')];
  const lacking = without(required, candidates);
  if (lacking.length > 0) throw none(lacking);
  const fromGuaranteed = nearest(guaranteed, without(required, [...bestEffort, ...burstable]));
  const fromBurstable = nearest(burstable, without(required, [...bestEffort, ...fromGuaranteed]));
  const fromBestEffort = nearest(bestEffort, without(required, [...fromBurstable, ...fromGuaranteed]));
  return [...fromBestEffort, ...fromBurstable, ...fromGuaranteed];
}

function isPreemptable(preemptor: Pod, pod: Pod): boolean {
  if (isCriticalPod(preemptor) && !isCriticalPod(pod)) return true;
  const [own, other] = [preemptor.spec.priority, pod.spec.priority];
  return own !== undefined && other !== undefined && own > other;
}

/** Selects pods one at a time, each time the one that covers most of the remaining requirements. */
function nearest(pods: readonly Pod[], required: readonly Requirement[]): Pod[] {
  const left = [...pods];
  const taken: Pod[] = [];
  for (let open = required; open.length > 0; ) {
    const [best] = left.toSorted((a, b) => distance(a, open) - distance(b, open) || bySize(a, b));
    if (best === undefined) throw none(open);
    left.splice(left.indexOf(best), 1);
    taken.push(best);
    open = without(open, [best]);
  }
  return taken;
}

/** The sum of squares of the requirement shares that a pod does not cover. */
const distance = (pod: Pod, required: readonly Requirement[]): number =>
  required.reduce((sum, { resource, quantity }) => {
    const open = Math.max(0, quantity - requestOf(pod, resource));
    return sum + (open / quantity) ** 2;
  }, 0);

const bySize = (a: Pod, b: Pod): number =>
  requestOf(a, 'memory') - requestOf(b, 'memory') || requestOf(a, 'cpu') - requestOf(b, 'cpu');

const without = (required: readonly Requirement[], pods: readonly Pod[]): Requirement[] =>
  required.flatMap(({ resource, quantity }) => {
    const open = pods.reduce((rest, pod) => rest - requestOf(pod, resource), quantity);
    return open > 0 ? [{ resource, quantity: open }] : [];
  });

const requestOf = (pod: Pod, resource: string): number =>
  resource === 'pods'
    ? 1
    : amountOf(podResources(pod, 'requests').get(resource) ?? '0', resource === 'cpu' ? 'milli' : 'one');

const none = (required: readonly Requirement[]): Error =>
  new Error(
    `preemption: error finding a set of pods to preempt: no set of running pods found to reclaim resources: [${required
      .map(({ resource, quantity }) => `(res: ${resource}, q: ${quantity}), `)
      .join('')}]`,
  );
