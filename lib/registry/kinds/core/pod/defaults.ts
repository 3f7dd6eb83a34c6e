import { objectAt, ownField, setField, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, ensure, flag, has, integer, items, text, unlessText } from '#lib/machinery/unstructured.ts';
import { roundResources } from '#lib/machinery/resource/quantities.ts';
import { isHugePages, isOvercommitAllowed } from '#lib/component-helpers/resource/resource-names.ts';
import { defaultContainer } from './default-containers.ts';
import { defaultVolume } from './default-volumes.ts';
import { aggregateContainers } from '#lib/component-helpers/resource/resource-totals.ts';
import { containersOf } from './validation/visit.ts';

/** Upstream's defaults of a pod, beyond those of any spec, and what its conversion settles. */
export function defaultPod(pod: JsonObject): void {
  const spec = ensure(pod, 'spec');
  defaultPodSpec(spec);
  for (const container of [...items(spec, 'containers'), ...items(spec, 'initContainers')]) requestLimits(container);
  defaultPodResources(spec);
  spec['enableServiceLinks'] ??= true;
  if (flag(spec, 'hostNetwork') === true) hostPorts(spec);
  const grace = integer(spec, 'terminationGracePeriodSeconds');
  if (grace !== undefined && grace < 0) spec['terminationGracePeriodSeconds'] = 1;
  dropLegacyAnnotations(objectAt(pod, 'metadata'));
  podIPs(objectAt(pod, 'status'));
}

/** Of a template: its spec's, and annotations that are dropped. */
export function defaultPodTemplate(template: JsonObject): void {
  ensure(template, 'metadata');
  defaultPodSpec(ensure(template, 'spec'));
  dropLegacyAnnotations(objectAt(template, 'metadata'));
}

function defaultPodSpec(spec: JsonObject): void {
  unlessText(spec, 'dnsPolicy', 'ClusterFirst');
  unlessText(spec, 'restartPolicy', 'Always');
  unlessText(spec, 'schedulerName', 'default-scheduler');
  spec['terminationGracePeriodSeconds'] ??= 30;
  ensure(spec, 'securityContext');
  aliasServiceAccount(spec);
  for (const volume of items(spec, 'volumes')) defaultVolume(volume);
  for (const container of containersOf(spec)) defaultContainer(container);
  roundResources(spec, 'overhead');
  const resources = objectAt(spec, 'resources');
  if (resources !== undefined) roundResources(resources, 'limits', 'requests');
}

/** `serviceAccount` is the old name of `serviceAccountName`, which wins. */
export function aliasServiceAccount(spec: JsonObject): void {
  const name = text(spec, 'serviceAccountName') || text(spec, 'serviceAccount');
  if (name === '') return;
  spec['serviceAccountName'] = name;
  spec['serviceAccount'] = name;
}

/** A container of a pod requests what it limits, unless it says otherwise. */
function requestLimits(container: JsonObject): void {
  const resources = objectAt(container, 'resources');
  const limits = objectAt(resources, 'limits');
  if (resources === undefined || limits === undefined) return;
  fill(ensure(resources, 'requests'), Object.entries(limits) as [string, string][]);
}

function fill(list: JsonObject, values: Iterable<readonly [string, string]>): void {
  for (const [name, value] of values) {
    if (ownField(list, name) === undefined) setField(list, name, value);
  }
}

const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);

/** A pod that sets some of its own resources gets the others from its containers. */
function defaultPodResources(spec: JsonObject): void {
  const resources = objectAt(spec, 'resources');
  if (resources === undefined) return;
  const stated = ['limits', 'requests'].some((list) => Object.keys(objectAt(resources, list) ?? {}).length > 0);
  if (stated) defaultHugePages(spec, resources);
  const limits = objectAt(resources, 'limits') ?? {};
  if (Object.keys(limits).length === 0) return;
  const sums = [...aggregateContainers(spec, 'requests')].filter(
    ([name]) => isPodLevel(name) && isOvercommitAllowed(name),
  );
  const own = Object.entries(limits).filter(([name]) => isPodLevel(name)) as [string, string][];
  if (sums.length + own.length > 0) fill(ensure(resources, 'requests'), [...sums, ...own]);
}

function defaultHugePages(spec: JsonObject, resources: JsonObject): void {
  const requests = objectAt(resources, 'requests');
  const sums = [...aggregateContainers(spec, 'limits')].filter(([name]) => isHugePages(name) && !has(requests, name));
  if (sums.length > 0) fill(ensure(resources, 'limits'), sums);
}

/** On the host's network a container's ports are the host's. */
function hostPorts(spec: JsonObject): void {
  for (const container of [...items(spec, 'containers'), ...items(spec, 'initContainers')]) {
    for (const port of items(container, 'ports')) {
      if (count(port, 'hostPort') === 0 && has(port, 'containerPort')) port['hostPort'] = port['containerPort'] as Json;
    }
  }
}

const LEGACY = ['', '-statuses'].flatMap((suffix) =>
  ['pod.beta.kubernetes.io', 'pod.alpha.kubernetes.io'].map((prefix) => `${prefix}/init-container${suffix || 's'}`),
);

/** Annotations by which init containers were once written. */
function dropLegacyAnnotations(metadata: JsonObject | undefined): void {
  const annotations = objectAt(metadata, 'annotations');
  if (annotations === undefined) return;
  for (const name of LEGACY) delete annotations[name];
}

/** `podIP` is the first of `podIPs`; where they differ it wins, as old kubelets write it alone. */
function podIPs(status: JsonObject | undefined): void {
  const ip = text(status, 'podIP');
  const first = text(items(status, 'podIPs')[0], 'ip');
  if (status === undefined || ip === first) return;
  if (ip === '') status['podIP'] = first;
  else status['podIPs'] = [{ ip }];
}
