import type {
  Container,
  Pod,
  PodSpec,
  PodStatus,
  PodTemplateSpec,
  ResourceRequirements,
} from '#lib/api/types/core.v1.ts';
import type { ObjectMeta } from '#lib/api/types/meta.v1.ts';
import { isHugePages, isOvercommitAllowed } from '#lib/helpers/component-helpers/resource/resource-names.ts';
import { aggregateContainers } from '#lib/helpers/component-helpers/resource/resource-totals.ts';
import { ownField, setField } from '#lib/machinery/json-value.ts';
import { roundResources } from '#lib/machinery/resource/quantities.ts';
import { defaultContainer } from './default-containers.ts';
import { defaultVolume } from './default-volumes.ts';
import { containersOf } from './validation/visit.ts';

/** Upstream's defaults for a pod in addition to those of its spec, and the fields that upstream's conversion sets. */
export function defaultPod({ metadata, spec, status }: Pod): void {
  defaultPodSpec(spec);
  for (const container of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) requestLimits(container);
  defaultPodResources(spec);
  spec.enableServiceLinks ??= true;
  if (spec.hostNetwork === true) hostPorts(spec);
  const grace = spec.terminationGracePeriodSeconds;
  if (grace !== undefined && grace < 0) spec.terminationGracePeriodSeconds = 1;
  dropLegacyAnnotations(metadata);
  podIPs(status);
}

/** Upstream's defaults for a template: those of its spec. Removes old annotations that fields replaced. */
export function defaultPodTemplate(template: PodTemplateSpec): void {
  defaultPodSpec(template.spec);
  dropLegacyAnnotations(template.metadata);
}

function defaultPodSpec(spec: PodSpec): void {
  spec.dnsPolicy ||= 'ClusterFirst';
  spec.restartPolicy ||= 'Always';
  spec.schedulerName ||= 'default-scheduler';
  spec.terminationGracePeriodSeconds ??= 30;
  spec.securityContext ??= {};
  aliasServiceAccount(spec);
  for (const volume of spec.volumes ?? []) defaultVolume(volume);
  for (const container of containersOf(spec)) defaultContainer(container);
  roundResources(spec, 'overhead');
  if (spec.resources !== undefined) roundResources(spec.resources, 'limits', 'requests');
}

/** Sets `serviceAccountName` and its old name `serviceAccount` to the same value. The former takes precedence. */
export function aliasServiceAccount(spec: PodSpec): void {
  const name = spec.serviceAccountName || (spec.serviceAccount ?? '');
  if (name === '') return;
  spec.serviceAccountName = name;
  spec.serviceAccount = name;
}

/** Sets missing requests of a container to its limits. */
function requestLimits({ resources }: Container): void {
  if (resources.limits !== undefined) fill((resources.requests ??= {}), Object.entries(resources.limits));
}

function fill(list: Record<string, string>, values: Iterable<readonly [string, string]>): void {
  for (const [name, value] of values) {
    if (ownField(list, name) === undefined) setField(list, name, value);
  }
}

const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);

/** Derives missing pod-level resources from the containers, if the pod sets at least one of them. */
function defaultPodResources(spec: PodSpec): void {
  const { resources } = spec;
  if (resources === undefined) return;
  const stated = [resources.limits, resources.requests].some((list) => Object.keys(list ?? {}).length > 0);
  if (stated) defaultHugePages(spec, resources);
  const limits = Object.entries(resources.limits ?? {});
  if (limits.length === 0) return;
  const sums = [...aggregateContainers(spec, 'requests')].filter(
    ([name]) => isPodLevel(name) && isOvercommitAllowed(name),
  );
  const own = limits.filter(([name]) => isPodLevel(name));
  if (sums.length + own.length > 0) fill((resources.requests ??= {}), [...sums, ...own]);
}

function defaultHugePages(spec: PodSpec, resources: ResourceRequirements): void {
  const isRequested = (name: string): boolean => ownField(resources.requests, name) !== undefined;
  const sums = [...aggregateContainers(spec, 'limits')].filter(([name]) => isHugePages(name) && !isRequested(name));
  if (sums.length > 0) fill((resources.limits ??= {}), sums);
}

/** With host networking, sets each host port to the container port. */
function hostPorts(spec: PodSpec): void {
  for (const { ports } of [...(spec.containers ?? []), ...(spec.initContainers ?? [])]) {
    for (const port of ports ?? []) port.hostPort ||= port.containerPort;
  }
}

const LEGACY = ['', '-statuses'].flatMap((suffix) =>
  ['pod.beta.kubernetes.io', 'pod.alpha.kubernetes.io'].map((prefix) => `${prefix}/init-container${suffix || 's'}`),
);

/** Removes the annotations that once defined init containers. */
function dropLegacyAnnotations({ annotations }: ObjectMeta): void {
  if (annotations === undefined) return;
  for (const name of LEGACY) delete annotations[name];
}

/** Makes `podIP` the first of `podIPs`. If they differ, `podIP` wins, because old kubelets write only that field. */
function podIPs(status: PodStatus): void {
  const ip = status.podIP ?? '';
  const first = status.podIPs?.[0]?.ip ?? '';
  if (ip === first) return;
  if (ip === '') status.podIP = first;
  else status.podIPs = [{ ip }];
}
