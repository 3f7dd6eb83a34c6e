import { podClaims } from '#lib/component-helpers/storage/ephemeral/pod-claims.ts';
import { hasPodLevelRequests, podResources } from '#lib/component-helpers/resource/pod-resources.ts';
import { aggregateText } from '#lib/machinery/aggregate.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { selectorFromObject } from '#lib/machinery/labels/selector.ts';
import { deletionTimeOf, labelsOf, nameOf, namespaceOf, uidOf } from '#lib/machinery/meta.ts';
import { at, count, has, items, text, texts } from '#lib/machinery/unstructured.ts';
import type { Usage } from '#lib/component-helpers/resource/resource-list.ts';
import { isSidecar } from '#lib/component-helpers/resource/sidecar.ts';
import type { AffinityTerm, HostPort, PodInfo, WeightedAffinityTerm } from './pod-info.ts';
import { amountOf, resourceOf } from './resource.ts';

const REQUIRED = 'requiredDuringSchedulingIgnoredDuringExecution';
const PREFERRED = 'preferredDuringSchedulingIgnoredDuringExecution';
/** What containers that do not say count for, where nodes are compared. */
const DEFAULTS: readonly (readonly [string, string])[] = [
  ['cpu', '100m'],
  ['memory', '200Mi'],
];

const known = new WeakMap<JsonObject, PodInfo>();

/** Upstream's NewPodInfo. Affinity that makes no sense counts as none, and is told of. The same object is looked at once: each change asks. */
export function podInfoOf(pod: JsonObject): PodInfo {
  const info = known.get(pod) ?? newPodInfo(pod);
  known.set(pod, info);
  return info;
}

function newPodInfo(pod: JsonObject): PodInfo {
  const spec = objectAt(pod, 'spec');
  const requests = podResources(pod, 'requests');
  return {
    pod,
    uid: uidOf(pod),
    namespace: namespaceOf(pod),
    name: nameOf(pod),
    labels: labelsOf(pod),
    priority: Number(count(spec, 'priority')),
    deleted: deletionTimeOf(pod)?.getTime(),
    requests: resourceOf(requests),
    nonZero: nonZeroOf(pod, requests),
    hostPorts: hostPortsOf(spec),
    claims: podClaims(pod).map(({ name }) => name),
    ...affinityOf(pod),
  };
}

function nonZeroOf(pod: JsonObject, requests: Usage): PodInfo['nonZero'] {
  const isSaid = hasPodLevelRequests(objectAt(pod, 'spec'));
  const missing = new Map(DEFAULTS.filter(([name]) => !isSaid || !requests.has(name)));
  const all = missing.size === 0 ? requests : podResources(pod, 'requests', missing);
  return { milliCpu: amountOf(all.get('cpu') ?? '0', 'milli'), memory: amountOf(all.get('memory') ?? '0') };
}

/** Of what runs as long as the pod. */
function hostPortsOf(spec: JsonObject | undefined): HostPort[] {
  return [...items(spec, 'initContainers').filter(isSidecar), ...items(spec, 'containers')]
    .flatMap((container) => items(container, 'ports'))
    .filter((port) => count(port, 'hostPort') > 0)
    .map((port) => ({
      ip: text(port, 'hostIP') || '0.0.0.0',
      protocol: text(port, 'protocol') || 'TCP',
      port: Number(count(port, 'hostPort')),
    }));
}

type Affinity = Pick<
  PodInfo,
  | 'affinityFault'
  | 'requiredAffinityTerms'
  | 'requiredAntiAffinityTerms'
  | 'preferredAffinityTerms'
  | 'preferredAntiAffinityTerms'
>;

function affinityOf(pod: JsonObject): Affinity {
  const to = at(pod, 'spec', 'affinity', 'podAffinity');
  const against = at(pod, 'spec', 'affinity', 'podAntiAffinity');
  const faults: string[] = [];
  const terms = <T>(name: string, from: JsonObject[], parse: (pod: JsonObject, term: JsonObject) => T): T[] => {
    try {
      return from.map((term) => parse(pod, term));
    } catch (error) {
      if (!(error instanceof StatusError)) throw error;
      faults.push(`${name}: ${error.message}`);
      return [];
    }
  };
  const found = {
    requiredAffinityTerms: terms('requiredAffinityTerms', items(to, REQUIRED), termOf),
    requiredAntiAffinityTerms: terms('requiredAntiAffinityTerms', items(against, REQUIRED), termOf),
    preferredAffinityTerms: terms('preferredAffinityTerms', items(to, PREFERRED), weightedTermOf),
    preferredAntiAffinityTerms: terms('preferredAntiAffinityTerms', items(against, PREFERRED), weightedTermOf),
  };
  return { affinityFault: faults.length === 0 ? undefined : aggregateText(faults), ...found };
}

function weightedTermOf(pod: JsonObject, term: JsonObject): WeightedAffinityTerm {
  return { ...termOf(pod, objectAt(term, 'podAffinityTerm') ?? {}), weight: Number(count(term, 'weight')) };
}

/** Without namespaces and a selector of them the pod's own is meant. */
function termOf(pod: JsonObject, term: JsonObject): AffinityTerm {
  const named = texts(term, 'namespaces');
  const isOwn = named.length === 0 && !has(term, 'namespaceSelector');
  return {
    selector: selectorFromObject(objectAt(term, 'labelSelector')),
    namespaces: new Set(isOwn ? [namespaceOf(pod)] : named),
    namespaceSelector: selectorFromObject(objectAt(term, 'namespaceSelector')),
    topologyKey: text(term, 'topologyKey'),
  };
}
