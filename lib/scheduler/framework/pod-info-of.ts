import type { Pod, PodAffinityTerm, PodSpec, WeightedPodAffinityTerm } from '#lib/api/types/core.v1.ts';
import { hasPodLevelRequests, podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import { isSidecar } from '#lib/helpers/component-helpers/resource/sidecar.ts';
import { podClaims } from '#lib/helpers/component-helpers/storage/ephemeral/pod-claims.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { deletionTimeOf, labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import type { AffinityTerm, HostPort, PodInfo, WeightedAffinityTerm } from './pod-info.ts';
import { amountOf, resourceOf } from './resource.ts';

/** The assumed requests of containers without any, for comparing nodes. */
const DEFAULTS: readonly (readonly [string, string])[] = [
  ['cpu', '100m'],
  ['memory', '200Mi'],
];

const known = new WeakMap<Pod, PodInfo>();

/**
 * Upstream's NewPodInfo. Treats invalid affinity as none and sets `affinityFault`. Caches the result for each object, because every change
 * reads it.
 */
export function podInfoOf(pod: Pod): PodInfo {
  const info = known.get(pod) ?? newPodInfo(pod);
  known.set(pod, info);
  return info;
}

function newPodInfo(pod: Pod): PodInfo {
  const requests = podResources(pod, 'requests');
  return {
    pod,
    uid: uidOf(pod),
    namespace: namespaceOf(pod),
    name: nameOf(pod),
    labels: labelsOf(pod),
    priority: pod.spec.priority ?? 0,
    deleted: deletionTimeOf(pod)?.getTime(),
    requests: resourceOf(requests),
    nonZero: nonZeroOf(pod, requests),
    hostPorts: hostPortsOf(pod.spec),
    claims: podClaims(pod).map(({ name }) => name),
    ...affinityOf(pod),
  };
}

function nonZeroOf(pod: Pod, requests: Usage): PodInfo['nonZero'] {
  const isSaid = hasPodLevelRequests(pod.spec);
  const missing = new Map(DEFAULTS.filter(([name]) => !isSaid || !requests.has(name)));
  const all = missing.size === 0 ? requests : podResources(pod, 'requests', missing);
  return { milliCpu: amountOf(all.get('cpu') ?? '0', 'milli'), memory: amountOf(all.get('memory') ?? '0') };
}

/** The host ports of the containers that run for the pod's whole life. */
function hostPortsOf({ initContainers = [], containers }: PodSpec): HostPort[] {
  return [...initContainers.filter(isSidecar), ...(containers ?? [])]
    .flatMap(({ ports = [] }) => ports)
    .flatMap(({ hostIP: ip = '0.0.0.0', protocol = 'TCP', hostPort: port = 0 }) =>
      port > 0 ? [{ ip, protocol, port }] : [],
    );
}

type Affinity = Pick<
  PodInfo,
  | 'affinityFault'
  | 'requiredAffinityTerms'
  | 'requiredAntiAffinityTerms'
  | 'preferredAffinityTerms'
  | 'preferredAntiAffinityTerms'
>;

function affinityOf(pod: Pod): Affinity {
  const { podAffinity: to, podAntiAffinity: against } = pod.spec.affinity ?? {};
  const faults: string[] = [];
  const terms = <F, T>(name: string, from: readonly F[] | undefined, parse: (pod: Pod, term: F) => T): T[] => {
    try {
      return (from ?? []).map((term) => parse(pod, term));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      faults.push(`${name}: ${error.message}`);
      return [];
    }
  };
  const found = {
    requiredAffinityTerms: terms('requiredAffinityTerms', to?.requiredDuringSchedulingIgnoredDuringExecution, termOf),
    requiredAntiAffinityTerms: terms(
      'requiredAntiAffinityTerms',
      against?.requiredDuringSchedulingIgnoredDuringExecution,
      termOf,
    ),
    preferredAffinityTerms: terms(
      'preferredAffinityTerms',
      to?.preferredDuringSchedulingIgnoredDuringExecution,
      weightedTermOf,
    ),
    preferredAntiAffinityTerms: terms(
      'preferredAntiAffinityTerms',
      against?.preferredDuringSchedulingIgnoredDuringExecution,
      weightedTermOf,
    ),
  };
  return { affinityFault: faults.length === 0 ? undefined : aggregateText(faults), ...found };
}

const weightedTermOf = (pod: Pod, { podAffinityTerm, weight }: WeightedPodAffinityTerm): WeightedAffinityTerm => ({
  ...termOf(pod, podAffinityTerm),
  weight,
});

/** Parses a term. Without namespaces and a namespace selector it applies to the pod's own namespace. */
function termOf(
  pod: Pod,
  { namespaces = [], namespaceSelector, labelSelector, topologyKey }: PodAffinityTerm,
): AffinityTerm {
  const isOwn = namespaces.length === 0 && namespaceSelector === undefined;
  return {
    selector: selectorFromObject(labelSelector),
    namespaces: new Set(isOwn ? [namespaceOf(pod)] : namespaces),
    namespaceSelector: selectorFromObject(namespaceSelector),
    topologyKey,
  };
}
