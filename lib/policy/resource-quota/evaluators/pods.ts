import { typedPart } from '#lib/api/typed.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { deletionTimeOf } from '#lib/machinery/meta.ts';
import { at, has, integer, items, text, texts } from '#lib/machinery/unstructured.ts';
import { podQOS } from '#lib/registry/kinds/core/pod/qos.ts';
import { isExtendedResource, isHugePages, isNativeResource } from '#lib/component-helpers/resource/resource-names.ts';
import type { Evaluator } from '../evaluator.ts';
import { classMatches, type ScopeRequirement } from '../scopes.ts';
import { usageAt, type Usage } from '#lib/component-helpers/resource/resource-list.ts';
import { hasPodLevelResources, podResources } from '#lib/component-helpers/resource/pod-resources.ts';

const COUNT = 'count/pods';
const COMPUTE = ['cpu', 'memory', 'ephemeral-storage'];
const NAMES: readonly string[] = [
  COUNT,
  'pods',
  ...COMPUTE.flatMap((name) => [name, `requests.${name}`, `limits.${name}`]),
];
/** Where one of these is limited, every container has to say what it needs of it: upstream's mistake, kept. */
const REQUIRED = ['cpu', 'memory'].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]);
const OF_DEVICES = 'deviceclass.resource.kubernetes.io/';

/** Pods that are not over, and what they request and may use. */
export const pods: Evaluator = {
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

/** As quotas name what is requested and limited. */
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

/** Over by itself, or deleted and beyond the time that it was given, so that a lost node blocks no successor. */
function isOver(pod: JsonObject, now: number): boolean {
  const phase = text(objectAt(pod, 'status'), 'phase');
  return phase === 'Failed' || phase === 'Succeeded' || now > (endOfGrace(pod) ?? Number.POSITIVE_INFINITY);
}

/** When a pod that was deleted ceases to count, in milliseconds. */
export function endOfGrace(pod: JsonObject): number | undefined {
  const grace = integer(objectAt(pod, 'metadata'), 'deletionGracePeriodSeconds');
  const deletion = deletionTimeOf(pod);
  return grace === undefined || deletion === undefined ? undefined : deletion.getTime() + Number(grace) * 1000;
}

/** A pod that ends by itself. */
const isTerminating = (pod: JsonObject): boolean =>
  Number(integer(objectAt(pod, 'spec'), 'activeDeadlineSeconds') ?? -1) >= 0;

const isBestEffort = (pod: JsonObject): boolean => podQOS(typedPart(objectAt(pod, 'spec') ?? {})) === 'BestEffort';

function inScope(pod: JsonObject, requirement: ScopeRequirement): boolean {
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
      return classMatches(text(objectAt(pod, 'spec'), 'priorityClassName'), requirement);
    case 'CrossNamespacePodAffinity':
      return affinityTerms(pod).some((term) => texts(term, 'namespaces').length > 0 || has(term, 'namespaceSelector'));
    default:
      return false;
  }
}

function affinityTerms(pod: JsonObject): JsonObject[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((field) => {
    const affinity = at(pod, 'spec', 'affinity', field);
    const preferred = items(affinity, 'preferredDuringSchedulingIgnoredDuringExecution');
    return [
      ...items(affinity, 'requiredDuringSchedulingIgnoredDuringExecution'),
      ...preferred.map((one) => objectAt(one, 'podAffinityTerm') ?? {}),
    ];
  });
}

function constraint(pod: JsonObject, limited: readonly string[]): string | undefined {
  const spec = objectAt(pod, 'spec');
  if (hasPodLevelResources(spec)) return undefined;
  const containers = [...items(spec, 'containers'), ...items(spec, 'initContainers')];
  const missing = REQUIRED.filter((name) => limited.includes(name))
    .sort()
    .flatMap((name) => {
      const silent = containers.filter((container) => !saysAll(container, name)).map((one) => text(one, 'name'));
      return silent.length === 0 ? [] : [`${name} for: ${[...new Set(silent)].sort().join(',')}`];
    });
  return missing.length === 0 ? undefined : `must specify ${missing.join('; ')}`;
}

function saysAll(container: JsonObject, name: string): boolean {
  const resources = objectAt(container, 'resources');
  return computeUsage(usageAt(resources, 'requests'), usageAt(resources, 'limits')).has(name);
}
