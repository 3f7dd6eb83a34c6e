import type { Container, Pod } from '#lib/api/types/core.v1.ts';
import { phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { podReadyCondition } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { hasNoField, ownField } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { parseQuantity, quantityMilliValue } from '#lib/machinery/resource/quantity.ts';
import type { Sample, Samples } from './sample.ts';

/** The time in ms during which a starting pod may use more than usual: upstream's --horizontal-pod-autoscaler-cpu-initialization-period. */
const INITIALIZATION = 300_000;
/**
 * The time in ms after its start within which an unready pod counts as never ready: upstream's
 * --horizontal-pod-autoscaler-initial-readiness-delay.
 */
const READINESS_DELAY = 30_000;

/** The number of ready pods, and the names of the others by the reason why they do not count. */
export interface Groups {
  readonly ready: number;
  readonly unready: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
}

/** Upstream's groupPods. `now` is in ms since 1970. */
export function groupPods(pods: readonly Pod[], samples: Samples, resource: string, now: number): Groups {
  const by = Map.groupBy(pods, (pod) => groupOf(pod, samples.get(nameOf(pod)), resource, now));
  const names = (group: Group): ReadonlySet<string> => new Set((by.get(group) ?? []).map(nameOf));
  const ready = by.get('ready')?.length ?? 0;
  return { ready, unready: names('unready'), missing: names('missing'), ignored: names('ignored') };
}

type Group = 'ready' | 'unready' | 'missing' | 'ignored';

function groupOf(pod: Pod, sample: Sample | undefined, resource: string, now: number): Group {
  if (isDeleting(pod) || phaseOf(pod) === 'Failed') return 'ignored';
  if (phaseOf(pod) === 'Pending') return 'unready';
  if (sample === undefined) return 'missing';
  return resource === 'cpu' && isWarmingUp(pod, sample, now) ? 'unready' : 'ready';
}

function isWarmingUp(pod: Pod, sample: Sample, now: number): boolean {
  const { startTime = '' } = pod.status;
  const ready = podReadyCondition(pod);
  const start = Date.parse(startTime);
  if (ready === undefined || Number.isNaN(start)) return true;
  const changed = Date.parse(ready.lastTransitionTime ?? '') || 0;
  const isNot = ready.status === 'False';
  if (start + INITIALIZATION > now) return isNot || sample.time < changed + sample.window;
  return isNot && start + READINESS_DELAY > changed;
}

/** The requests of each pod, or of one container of each, in thousandths by pod name. Returns a message if they are not available. */
export function requestsOf(
  pods: readonly Pod[],
  resource: string,
  container: string,
): ReadonlyMap<string, number> | string {
  const requests = new Map<string, number>();
  for (const pod of pods) {
    const request = container === '' ? requestOfPod(pod, resource) : requestOfContainers(pod, resource, container);
    if (typeof request === 'string') return request;
    requests.set(nameOf(pod), request);
  }
  return requests;
}

const milli = (value: string): number => Number(quantityMilliValue(parseQuantity(value)));

/** A pod-level request replaces those of its containers: KEP-2837. */
function requestOfPod(pod: Pod, resource: string): number | string {
  const whole = pod.spec.resources?.requests;
  if (whole === undefined || hasNoField(whole)) return requestOfContainers(pod, resource, '');
  const request = ownField(whole, resource);
  return request === undefined ? requestOfContainers(pod, resource, '') : milli(request);
}

function requestOfContainers(pod: Pod, resource: string, container: string): number | string {
  const { containers, initContainers = [] } = pod.spec;
  const all = [...(containers ?? []), ...initContainers.filter(isSidecar)];
  const meant = all.filter(({ name }) => container === '' || name === container);
  if (meant.length === 0 && container !== '') return `container ${container} not found in Pod ${nameOf(pod)}`;
  const requestOf = ({ resources }: Container): string | undefined => ownField(resources.requests, resource);
  const without = meant.find((one) => requestOf(one) === undefined);
  if (without !== undefined)
    return `missing request for ${resource} in container ${without.name} of Pod ${nameOf(pod)}`;
  return meant.reduce((sum, one) => sum + milli(requestOf(one) ?? '0'), 0);
}
