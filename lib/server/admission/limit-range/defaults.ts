import type { Container, LimitRange, Pod } from '#lib/api/types/core.v1.ts';
import { setField } from '#lib/machinery/json-value.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';

const ANNOTATION = 'kubernetes.io/limit-ranger';

const GROUPS = [
  { field: 'containers', shown: 'container' },
  { field: 'initContainers', shown: 'init container' },
] as const;

/** Sets the missing requests and limits of containers, and lists them in an annotation. */
export function setDefaults(pod: Pod, range: LimitRange): void {
  const limits = (range.spec.limits ?? []).filter(({ type }) => type === 'Container');
  const requests = new Map(limits.flatMap(({ defaultRequest }) => sortedEntries(defaultRequest)));
  const upper = new Map(limits.flatMap((limit) => sortedEntries(limit.default)));
  const said = GROUPS.flatMap(({ field, shown }) =>
    (pod.spec[field] ?? []).flatMap((container) => [
      ...say('request', fill(container, 'requests', requests), `${shown} ${container.name}`),
      ...say('limit', fill(container, 'limits', upper), `${shown} ${container.name}`),
    ]),
  );
  if (said.length === 0) return;
  setField((pod.metadata.annotations ??= {}), ANNOTATION, `LimitRanger plugin set: ${said.join('; ')}`);
}

const say = (what: string, names: readonly string[], who: string): string[] =>
  names.length === 0 ? [] : [`${names.join(', ')} ${what} for ${who}`];

/** Sets missing resources. Returns their names, sorted. */
function fill({ resources }: Container, list: 'requests' | 'limits', defaults: ReadonlyMap<string, string>): string[] {
  const missing = [...defaults].filter(([name]) => !Object.hasOwn(resources[list] ?? {}, name));
  for (const [name, value] of missing) setField((resources[list] ??= {}), name, value);
  return missing.map(([name]) => name).sort();
}
