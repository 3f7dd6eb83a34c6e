import { objectAt, setField, type JsonObject } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import { sum, usageAt, type Usage } from './resource-list.ts';
import { aggregateContainers } from './resource-totals.ts';
import { isSidecar } from './sidecar.ts';
import { compareQuantities, quantities, signOf } from '#lib/machinery/resource/quantities.ts';
import { isHugePages } from './resource-names.ts';

type List = 'requests' | 'limits';

const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);

const podLevel = (holder: JsonObject | undefined, list: List): [string, string][] =>
  quantities(objectAt(holder, 'resources'), list).filter(([name]) => isPodLevel(name));

/** Whether the pod as a whole says what it needs. */
export const hasPodLevelResources = (spec: JsonObject | undefined): boolean =>
  podLevel(spec, 'requests').length + podLevel(spec, 'limits').length > 0;

/** Whether the pod as a whole says what it asks for. */
export const hasPodLevelRequests = (spec: JsonObject | undefined): boolean => podLevel(spec, 'requests').length > 0;

/**
 * What a pod needs: its containers at their peak or what the pod says as a whole, and its runtime's overhead. `missing` is what a
 * container counts for that does not say.
 */
export function podResources(pod: JsonObject, list: List, missing?: Usage): Usage {
  const spec = objectAt(pod, 'spec') ?? {};
  const given = withMissing(withActual(pod, spec, list), list, missing);
  const own: Usage = new Map([...aggregateContainers(given, list), ...podLevelActual(pod, spec, list)]);
  const overhead = [...usageAt(spec, 'overhead')];
  const added = list === 'requests' ? overhead : overhead.filter(([name]) => signOf(own.get(name) ?? '0') !== 0);
  return sum(own, new Map(added));
}

function withMissing(spec: JsonObject, list: List, missing: Usage | undefined): JsonObject {
  if (missing === undefined) return spec;
  const filled = (field: string): JsonObject[] =>
    items(spec, field).map((container) => {
      const resources = objectAt(container, 'resources');
      const said = { ...Object.fromEntries(missing), ...objectAt(resources, list) };
      return { ...container, resources: { ...resources, [list]: said } };
    });
  return { ...spec, containers: filled('containers'), initContainers: filled('initContainers') };
}

/** Whether a resize that was asked for cannot be. */
const isInfeasible = (pod: JsonObject): boolean =>
  items(objectAt(pod, 'status'), 'conditions').some(
    (one) => text(one, 'type') === 'PodResizePending' && text(one, 'reason') === 'Infeasible',
  );

/** The spec with what containers were really given, where that is more: of a resize that is under way, or cannot be. */
function withActual(pod: JsonObject, spec: JsonObject, list: List): JsonObject {
  const status = objectAt(pod, 'status');
  if (items(status, 'containerStatuses').length + items(status, 'initContainerStatuses').length === 0) return spec;
  const infeasible = isInfeasible(pod);
  const given = (field: string, statuses: string, counts: (container: JsonObject) => boolean): JsonObject[] => {
    const known = new Map(items(status, statuses).map((one) => [text(one, 'name'), one]));
    return items(spec, field).map((container) => {
      const actual = known.get(text(container, 'name'));
      return actual === undefined || !counts(container) ? container : resized(container, actual, { list, infeasible });
    });
  };
  return {
    ...spec,
    containers: given('containers', 'containerStatuses', () => true),
    initContainers: given('initContainers', 'initContainerStatuses', isSidecar),
  };
}

/** What the pod as a whole says; while it is resized, at least what it was given. */
function podLevelActual(pod: JsonObject, spec: JsonObject, list: List): [string, string][] {
  const said = podLevel(spec, list);
  const status = objectAt(pod, 'status');
  if (said.length === 0 || status === undefined) return said;
  const most = objectAt(resized(spec, status, { list, infeasible: isInfeasible(pod) }), 'resources');
  const names = new Set(said.map(([name]) => name));
  return quantities(most, list).filter(([name]) => names.has(name));
}

function resized(
  holder: JsonObject,
  status: JsonObject,
  { list, infeasible }: { list: List; infeasible: boolean },
): JsonObject {
  const running = objectAt(status, 'resources');
  if (running === undefined) return holder;
  const sources = [
    usageAt(running, list),
    ...(list === 'requests' ? [usageAt(status, 'allocatedResources')] : []),
    ...(infeasible ? [] : [usageAt(objectAt(holder, 'resources'), list)]),
  ];
  const most: JsonObject = {};
  for (const [name, value] of sources.flatMap((source) => [...source])) {
    const before = most[name];
    if (before === undefined || compareQuantities(value, before) > 0) setField(most, name, value);
  }
  return { ...holder, resources: { ...objectAt(holder, 'resources'), [list]: most } };
}
