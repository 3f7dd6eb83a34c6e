import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { annotationsOf, creationTimeOf, uidOf } from '#lib/machinery/meta.ts';
import { count, items, text } from '#lib/machinery/unstructured.ts';
import { isActive, isReady, phaseOf, readySince } from './pod.ts';

const COST = 'controller.kubernetes.io/pod-deletion-cost';
const PHASES: Readonly<Record<string, number>> = { Unknown: 1, Running: 2 };

/** What the order asks of a pod, worked out once. */
interface Candidate {
  readonly pod: JsonObject;
  readonly uid: string;
  readonly isAssigned: number;
  readonly phase: number;
  readonly isReady: number;
  readonly cost: number;
  /** Active pods beside it on its node, of its owner and its owner's other dependents. */
  readonly company: number;
  readonly readySince: number | undefined;
  readonly restarts: readonly [number, number];
  readonly created: number | undefined;
}

/**
 * Pods in the order in which they are given up, as upstream's ActivePodsWithRanks: what has come least far first, then what
 * costs least, has most company on its node, was ready for the shortest time, restarted most, is youngest. Times count by
 * their order of magnitude, and uids decide among the like, so that not always the youngest goes.
 */
export function inDeletionOrder(
  pods: readonly JsonObject[],
  related: readonly JsonObject[],
  now: number,
): readonly JsonObject[] {
  const onNode = new Map<string, number>();
  for (const pod of related.filter(isActive)) onNode.set(nodeOf(pod), (onNode.get(nodeOf(pod)) ?? 0) + 1);
  const candidates = pods.map((pod) => candidateOf(pod, onNode.get(nodeOf(pod)) ?? 0));
  return candidates.sort((a, b) => compare(a, b, now)).map(({ pod }) => pod);
}

const nodeOf = (pod: JsonObject): string => text(objectAt(pod, 'spec'), 'nodeName');

const candidateOf = (pod: JsonObject, company: number): Candidate => ({
  pod,
  uid: uidOf(pod),
  isAssigned: Number(nodeOf(pod) !== ''),
  phase: PHASES[phaseOf(pod)] ?? 0,
  isReady: Number(isReady(pod)),
  cost: costOf(annotationsOf(pod)[COST] ?? ''),
  company,
  readySince: readySince(pod),
  restarts: restartsOf(pod),
  created: creationTimeOf(pod)?.getTime(),
});

/** An int32 without a plus sign or leading zeros; anything else costs nothing. */
function costOf(value: string): number {
  const cost = /^(?:0|-?[1-9]\d{0,9})$/.test(value) ? Number(value) : 0;
  return cost === (cost | 0) ? cost : 0;
}

/** The most restarts of a container, and of a sidecar. */
function restartsOf(pod: JsonObject): readonly [number, number] {
  const initial = items(objectAt(pod, 'spec'), 'initContainers').filter(
    (one) => text(one, 'restartPolicy') === 'Always',
  );
  const sidecars = new Set(initial.map((one) => text(one, 'name')));
  const status = objectAt(pod, 'status');
  const most = (all: JsonObject[]): number => Math.max(0, ...all.map((one) => Number(count(one, 'restartCount'))));
  const ofSidecars = items(status, 'initContainerStatuses').filter((one) => sidecars.has(text(one, 'name')));
  return [most(items(status, 'containerStatuses')), most(ofSidecars)];
}

function compare(a: Candidate, b: Candidate, now: number): number {
  return (
    a.isAssigned - b.isAssigned ||
    a.phase - b.phase ||
    a.isReady - b.isReady ||
    a.cost - b.cost ||
    b.company - a.company ||
    (a.isReady === 1 && byAge(a, b, 'readySince', now)) ||
    b.restarts[0] - a.restarts[0] ||
    b.restarts[1] - a.restarts[1] ||
    byAge(a, b, 'created', now)
  );
}

/** Who has no time first, then the younger by the logarithm of the age. */
function byAge(a: Candidate, b: Candidate, field: 'readySince' | 'created', now: number): number {
  const [first, second] = [a[field], b[field]];
  if (first === second) return 0;
  if (first === undefined) return -1;
  if (second === undefined) return 1;
  return magnitude(now - first) - magnitude(now - second) || (a.uid < b.uid ? -1 : 1);
}

/** Of nanoseconds, as upstream reckons. */
const magnitude = (milliseconds: number): number => (milliseconds > 0 ? Math.trunc(Math.log2(milliseconds * 1e6)) : -1);
