import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { isDeleting, nameOf } from '#lib/machinery/meta.ts';
import { at, has, items, text } from '#lib/machinery/unstructured.ts';
import { parseQuantity, quantityMilliValue } from '#lib/machinery/resource/quantity.ts';
import { conditionOf, conditionsOf } from '../workload/conditions.ts';
import { phaseOf } from '../workload/pod.ts';
import type { Sample, Samples } from './sample.ts';

/** Milliseconds for which a pod that begins may use more than it will: upstream's --horizontal-pod-autoscaler-cpu-initialization-period. */
const INITIALIZATION = 300_000;
/** Within which a pod that is not ready never was: upstream's --horizontal-pod-autoscaler-initial-readiness-delay. */
const READINESS_DELAY = 30_000;

export interface Groups {
  readonly ready: number;
  readonly unready: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
  readonly ignored: ReadonlySet<string>;
}

/** Upstream's groupPods. */
export function groupPods(pods: readonly JsonObject[], samples: Samples, resource: string, now: number): Groups {
  const by = Map.groupBy(pods, (pod) => groupOf(pod, samples.get(nameOf(pod)), resource, now));
  const names = (group: Group): ReadonlySet<string> => new Set((by.get(group) ?? []).map(nameOf));
  const ready = by.get('ready')?.length ?? 0;
  return { ready, unready: names('unready'), missing: names('missing'), ignored: names('ignored') };
}

type Group = 'ready' | 'unready' | 'missing' | 'ignored';

function groupOf(pod: JsonObject, sample: Sample | undefined, resource: string, now: number): Group {
  if (isDeleting(pod) || phaseOf(pod) === 'Failed') return 'ignored';
  if (phaseOf(pod) === 'Pending') return 'unready';
  if (sample === undefined) return 'missing';
  return resource === 'cpu' && isWarmingUp(pod, sample, now) ? 'unready' : 'ready';
}

function isWarmingUp(pod: JsonObject, sample: Sample, now: number): boolean {
  const ready = conditionOf(conditionsOf(pod), 'Ready');
  const start = Date.parse(text(objectAt(pod, 'status'), 'startTime'));
  if (ready === undefined || Number.isNaN(start)) return true;
  const changed = Date.parse(text(ready, 'lastTransitionTime')) || 0;
  const isNot = text(ready, 'status') === 'False';
  if (start + INITIALIZATION > now) return isNot || sample.time < changed + sample.window;
  return isNot && start + READINESS_DELAY > changed;
}

/** What each pod, or one container of each, requests in thousandths. A text says why it cannot be told. */
export function requestsOf(
  pods: readonly JsonObject[],
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

/** What is requested for the pod as a whole counts: KEP-2837. */
function requestOfPod(pod: JsonObject, resource: string): number | string {
  const whole = at(objectAt(pod, 'spec'), 'resources', 'requests');
  if (whole === undefined || Object.keys(whole).length === 0) return requestOfContainers(pod, resource, '');
  return has(whole, resource) ? milli(text(whole, resource)) : requestOfContainers(pod, resource, '');
}

function requestOfContainers(pod: JsonObject, resource: string, container: string): number | string {
  const spec = objectAt(pod, 'spec');
  const sidecars = items(spec, 'initContainers').filter((one) => text(one, 'restartPolicy') === 'Always');
  const all = [...items(spec, 'containers'), ...sidecars];
  const meant = all.filter((one) => container === '' || text(one, 'name') === container);
  if (meant.length === 0 && container !== '') return `container ${container} not found in Pod ${nameOf(pod)}`;
  const without = meant.find((one) => !has(at(one, 'resources', 'requests'), resource));
  if (without !== undefined)
    return `missing request for ${resource} in container ${text(without, 'name')} of Pod ${nameOf(pod)}`;
  return meant.reduce((sum, one) => sum + milli(text(at(one, 'resources', 'requests'), resource)), 0);
}
