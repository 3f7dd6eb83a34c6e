import { setField, type JsonObject } from '#lib/machinery/json-value.ts';
import { at, ensure, has, items, text } from '#lib/machinery/unstructured.ts';
import { quantities } from '#lib/machinery/resource/quantities.ts';

const ANNOTATION = 'kubernetes.io/limit-ranger';

const GROUPS = [
  { field: 'containers', shown: 'container' },
  { field: 'initContainers', shown: 'init container' },
];

/** Sets what containers leave open, and says in an annotation what was set. */
export function setDefaults(pod: JsonObject, range: JsonObject): void {
  const limits = items(at(range, 'spec'), 'limits').filter((limit) => text(limit, 'type') === 'Container');
  const requests = new Map(limits.flatMap((limit) => quantities(limit, 'defaultRequest')));
  const upper = new Map(limits.flatMap((limit) => quantities(limit, 'default')));
  const said = GROUPS.flatMap(({ field, shown }) =>
    items(at(pod, 'spec'), field).flatMap((container) => [
      ...say('request', fill(container, 'requests', requests), `${shown} ${text(container, 'name')}`),
      ...say('limit', fill(container, 'limits', upper), `${shown} ${text(container, 'name')}`),
    ]),
  );
  if (said.length === 0) return;
  setField(ensure(pod, 'metadata', 'annotations'), ANNOTATION, `LimitRanger plugin set: ${said.join('; ')}`);
}

const say = (what: string, names: readonly string[], who: string): string[] =>
  names.length === 0 ? [] : [`${names.join(', ')} ${what} for ${who}`];

/** The names that were missing, sorted. */
function fill(container: JsonObject, field: string, defaults: ReadonlyMap<string, string>): string[] {
  const missing = [...defaults].filter(([name]) => !has(at(container, 'resources', field), name));
  for (const [name, value] of missing) setField(ensure(container, 'resources', field), name, value);
  return missing.map(([name]) => name).sort();
}
