import type { ContainerStatus, Pod } from '#lib/api/types/core.v1.ts';
import { nodeNameOf } from '#lib/helpers/component-helpers/pod/node-name.ts';
import { isPodActive, phaseOf } from '#lib/helpers/component-helpers/pod/phase.ts';
import { isPodReady, podReadySince } from '#lib/helpers/component-helpers/pod/readiness.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { annotationsOf, creationTimeOf, uidOf } from '#lib/machinery/meta.ts';

const COST = 'controller.kubernetes.io/pod-deletion-cost';
const PHASES: Readonly<Record<string, number>> = { Unknown: 1, Running: 2 };

/** The properties of a pod that determine the order, computed once. */
interface Candidate {
  readonly pod: Pod;
  readonly uid: string;
  readonly isAssigned: number;
  readonly phase: number;
  readonly isReady: number;
  readonly cost: number;
  /** The number of active pods among `related` that run on its node. */
  readonly company: number;
  readonly readySince: number | undefined;
  readonly restarts: readonly [number, number];
  readonly created: number | undefined;
}

/**
 * Sorts pods in order of deletion, like upstream's ActivePodsWithRanks. The criteria in order: least progress, lowest deletion cost, most
 * related pods on its node, shortest ready time, most restarts, youngest. Times are compared by order of magnitude and ties are broken by
 * uid, so that the youngest is not always deleted. `now` is in ms since 1970.
 */
export function inDeletionOrder(pods: readonly Pod[], related: readonly Pod[], now: number): readonly Pod[] {
  const onNode = new Map<string, number>();
  for (const pod of related.filter(isPodActive)) onNode.set(nodeNameOf(pod), (onNode.get(nodeNameOf(pod)) ?? 0) + 1);
  const candidates = pods.map((pod) => candidateOf(pod, onNode.get(nodeNameOf(pod)) ?? 0));
  return candidates.sort((a, b) => compare(a, b, now)).map(({ pod }) => pod);
}

const candidateOf = (pod: Pod, company: number): Candidate => ({
  pod,
  uid: uidOf(pod),
  isAssigned: Number(nodeNameOf(pod) !== ''),
  phase: PHASES[phaseOf(pod)] ?? 0,
  isReady: Number(isPodReady(pod)),
  cost: costOf(annotationsOf(pod)[COST] ?? ''),
  company,
  readySince: podReadySince(pod),
  restarts: restartsOf(pod),
  created: creationTimeOf(pod)?.getTime(),
});

/** Parses an int32 without a plus sign or leading zeros. Anything else costs 0. */
function costOf(value: string): number {
  const cost = /^(?:0|-?[1-9]\d{0,9})$/.test(value) ? Number(value) : 0;
  return cost === (cost | 0) ? cost : 0;
}

/** The highest restart count of a container, and of a sidecar. */
function restartsOf({ spec, status }: Pod): readonly [number, number] {
  const { initContainers = [] } = spec;
  const { containerStatuses = [], initContainerStatuses = [] } = status;
  const sidecars = new Set(initContainers.filter(isSidecar).map(({ name }) => name));
  const most = (all: readonly ContainerStatus[]): number => Math.max(0, ...all.map(({ restartCount }) => restartCount));
  return [most(containerStatuses), most(initContainerStatuses.filter(({ name }) => sidecars.has(name)))];
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

/** Pods without the time come first, then younger ones, compared by the logarithm of their age. */
function byAge(a: Candidate, b: Candidate, field: 'readySince' | 'created', now: number): number {
  const [first, second] = [a[field], b[field]];
  if (first === second) return 0;
  if (first === undefined) return -1;
  if (second === undefined) return 1;
  return magnitude(now - first) - magnitude(now - second) || (a.uid < b.uid ? -1 : 1);
}

/** The order of magnitude of the time in nanoseconds, as upstream computes it. */
const magnitude = (milliseconds: number): number => (milliseconds > 0 ? Math.trunc(Math.log2(milliseconds * 1e6)) : -1);
