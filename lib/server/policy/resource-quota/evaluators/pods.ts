import { typedObject } from '#lib/api/typed.ts';
import type { Container, Pod, PodAffinityTerm } from '#lib/api/types/core.v1.ts';
import { PODS } from '#lib/api/types/resources.ts';
import { isPodTerminal } from '#lib/helpers/component-helpers/pod/phase.ts';
import { hasPodLevelResources, podResources } from '#lib/helpers/component-helpers/resource/pod-resources.ts';
import type { Usage } from '#lib/helpers/component-helpers/resource/resource-list.ts';
import {
  isExtendedResource,
  isHugePages,
  isNativeResource,
} from '#lib/helpers/component-helpers/resource/resource-names.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { deletionTimeOf } from '#lib/machinery/meta.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { podQOS } from '#lib/server/registry/kinds/core/pod/qos.ts';
import type { Evaluator } from '../evaluator.ts';
import { classMatches, type ScopeRequirement } from '../scopes.ts';

const COUNT = 'count/pods';
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const NAMES: readonly string[] = [
  COUNT,
  'pods',
  ...COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
];
/** If a quota limits one of these, every container must request or limit it. This reproduces a bug of upstream. */
const REQUIRED = ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);
const OF_DEVICES = 'deviceclass.resource.kubernetes.io/';

/** Counts pods that have not terminated, with their requests and limits. */
export const pods: Evaluator<Pod> = {
  group: '',
  resource: 'pods',
  hasScopes: true,
  handles({ operation, subresource, object, oldObject }) {
    if (subresource === 'resize') return operation === 'UPDATE';
    if (subresource !== '') return false;
    if (operation === 'CREATE') return true;
    return operation === 'UPDATE' && oldObject !== undefined && isTerminating(oldObject) !== isTerminating(object);
  },
  counts: (name) =>
    NAMES.includes(name) || isHugePages(name) || isHugePages(name.replace(/^requests\./, '')) || isExtended(name),
  usage(pod, now) {
    const used = new Map([[COUNT, '1']]);
    if (isOver(pod, now)) return used;
    return new Map([...used, ...computeUsage(podResources(pod, 'requests'), podResources(pod, 'limits'))]);
  },
  inScope,
  constraint,
};

const isExtended = (name: string): boolean =>
  name.startsWith('requests.') && (!isNativeResource(name) || name.startsWith(`requests.${OF_DEVICES}`));

/** Returns requests and limits under the names that quotas use. */
function computeUsage(requests: Usage, limits: Usage): Usage {
  const used = new Map([['pods', '1']]);
  for (const [name, value] of requests) {
    const known = COMPUTE.includes(name) || isHugePages(name);
    if (known) used.set(name, value);
    if (known || isExtendedResource(name) || name.startsWith(OF_DEVICES)) used.set(`requests.${name}`, value);
  }
  for (const [name, value] of limits) if (COMPUTE.includes(name)) used.set(`limits.${name}`, value);
  return used;
}

/** Whether the pod has terminated, or its deletion grace period is over, so that a lost node does not block a successor. */
function isOver(pod: Pod, now: number): boolean {
  return isPodTerminal(pod) || now > (endOfGrace(pod) ?? Number.POSITIVE_INFINITY);
}

/** Returns the time in ms since 1970 at which a deleted Pod stops counting. Undefined if it is not deleted. */
export function endOfGrace(pod: JsonObject): number | undefined {
  const grace = typedObject(PODS, pod).metadata.deletionGracePeriodSeconds;
  const deletion = deletionTimeOf(pod);
  return grace === undefined || deletion === undefined ? undefined : deletion.getTime() + Number(grace) * 1000;
}

/** Whether the pod has a deadline, after which it ends. */
const isTerminating = ({ spec }: Pod): boolean => Number(spec.activeDeadlineSeconds ?? -1) >= 0;

const isBestEffort = ({ spec }: Pod): boolean => podQOS(spec) === 'BestEffort';

function inScope(pod: Pod, requirement: ScopeRequirement): boolean {
  switch (requirement.scope) {
    case 'Terminating':
      return isTerminating(pod);
    case 'NotTerminating':
      return !isTerminating(pod);
    case 'BestEffort':
      return isBestEffort(pod);
    case 'NotBestEffort':
      return !isBestEffort(pod);
    case 'PriorityClass':
      return classMatches(pod.spec.priorityClassName ?? '', requirement);
    case 'CrossNamespacePodAffinity':
      return affinityTerms(pod).some(
        ({ namespaces = [], namespaceSelector }) => namespaces.length > 0 || namespaceSelector !== undefined,
      );
    default:
      return false;
  }
}

function affinityTerms({ spec }: Pod): PodAffinityTerm[] {
  return [spec.affinity?.podAffinity, spec.affinity?.podAntiAffinity].flatMap((affinity) => {
    const preferred = affinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
    return [
      ...(affinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
      ...preferred.map(({ podAffinityTerm }) => podAffinityTerm),
    ];
  });
}

function constraint({ spec }: Pod, limited: readonly string[]): string | undefined {
  if (hasPodLevelResources(spec)) return undefined;
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const missing = REQUIRED.filter((name) => limited.includes(name))
    .sort()
    .flatMap((name) => {
      const silent = containers.filter((container) => !saysAll(container, name)).map((one) => one.name);
      return silent.length === 0 ? [] : [`${name} for: ${[...new Set(silent)].sort().join(',')}`];
    });
  return missing.length === 0 ? undefined : `must specify ${missing.join('; ')}`;
}

function saysAll({ resources }: Container, resource: string): boolean {
  const { requests, limits } = resources;
  return computeUsage(new Map(sortedEntries(requests)), new Map(sortedEntries(limits))).has(resource);
}
