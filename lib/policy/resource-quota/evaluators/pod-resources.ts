import { objectAt, setField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, items, text } from '#lib/machinery/unstructured.ts';
import { aggregateContainers } from '#lib/registry/kinds/core/pod/resource-totals.ts';
import { compareQuantities, quantities, signOf } from '#lib/registry/kinds/shared/quantities.ts';
import { isHugePages } from '#lib/registry/kinds/shared/resource-names.ts';
import { sum, usageAt, type Usage } from '../usage.ts';

type List = 'requests' | 'limits';

const isPodLevel = (name: string): boolean => name === 'cpu' || name === 'memory' || isHugePages(name);

const podLevel = (spec: JsonObject | undefined, list: List): [string, string][] =>
  quantities(objectAt(spec, 'resources'), list).filter(([name]) => isPodLevel(name));

/** Whether the pod as a whole says what it needs. */
export const hasPodLevelResources = (spec: JsonObject | undefined): boolean =>
  podLevel(spec, 'requests').length + podLevel(spec, 'limits').length > 0;

/** What a pod needs: its containers at their peak or what the pod says as a whole, and its runtime's overhead. */
export function podResources(pod: JsonObject, list: List): Usage {
  const spec = objectAt(pod, 'spec') ?? {};
  const own: Usage = new Map([...aggregateContainers(withActual(pod, spec, list), list), ...podLevel(spec, list)]);
  const overhead = [...usageAt(spec, 'overhead')];
  const added = list === 'requests' ? overhead : overhead.filter(([name]) => signOf(own.get(name) ?? '0') !== 0);
  return sum(own, new Map(added));
}

/** The spec with what containers were really given, where that is more: of a resize that is under way, or cannot be. */
function withActual(pod: JsonObject, spec: JsonObject, list: List): JsonObject {
  const status = objectAt(pod, 'status');
  const infeasible = items(status, 'conditions').some(
    (one) => text(one, 'type') === 'PodResizePending' && text(one, 'reason') === 'Infeasible',
  );
  const given = (field: string, statuses: string): JsonObject[] => {
    const known = new Map(items(status, statuses).map((one) => [text(one, 'name'), one]));
    return items(spec, field).map((container) => {
      const actual = known.get(text(container, 'name'));
      return actual === undefined ? container : resized(container, actual, { list, infeasible });
    });
  };
  if (items(status, 'containerStatuses').length + items(status, 'initContainerStatuses').length === 0) return spec;
  return {
    ...spec,
    containers: given('containers', 'containerStatuses'),
    initContainers: given('initContainers', 'initContainerStatuses'),
  };
}

function resized(
  container: JsonObject,
  status: JsonObject,
  { list, infeasible }: { list: List; infeasible: boolean },
): JsonObject {
  const running = objectAt(status, 'resources');
  if (running === undefined) return container;
  const sources = [
    usageAt(running, list),
    ...(list === 'requests' ? [usageAt(status, 'allocatedResources')] : []),
    ...(infeasible ? [] : [usageAt(at(container, 'resources'), list)]),
  ];
  const most: JsonObject = {};
  for (const [name, value] of sources.flatMap((source) => [...source])) {
    const before = most[name];
    if (before === undefined || compareQuantities(value, before) > 0) setField(most, name, value);
  }
  return { ...container, resources: { ...objectAt(container, 'resources'), [list]: most } };
}
