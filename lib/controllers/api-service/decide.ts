import { arrayAt, equal, isObject, objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { builtInPriorities, CUSTOM_PRIORITIES } from './priorities.ts';

export const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';

/** Names of the API services of a definition's served versions. */
export function servedNames(definition: JsonObject): string[] {
  const spec = objectAt(definition, 'spec');
  const group = stringAt(spec, 'group') ?? '';
  return arrayAt(spec, 'versions')
    .filter(isObject)
    .filter((version) => ownField(version, 'served') === true)
    .map((version) => `${stringAt(version, 'name') ?? ''}.${group}`);
}

/** The API service of a group version, built-in or served by some definition; undefined where nothing serves it. */
export function desired(name: string, isServed: boolean): JsonObject | undefined {
  const builtIn = builtInPriorities(name);
  if (builtIn === undefined && !isServed) return undefined;
  const dot = name.indexOf('.');
  return {
    metadata: { name, labels: { [MANAGED]: builtIn === undefined ? 'true' : 'onstart' } },
    spec: { group: name.slice(dot + 1), version: name.slice(0, dot), ...(builtIn ?? CUSTOM_PRIORITIES) },
  };
}

/** An API service that someone made by hand is theirs. */
export const isManaged = (service: JsonObject): boolean => (labelsOf(service)[MANAGED] ?? '') !== '';

/** Whether there is nothing to do: what is there, if anything, is as it should be, or someone's own. */
export function isSettled(current: JsonObject | undefined, next: JsonObject | undefined): boolean {
  if (current === undefined) return next === undefined;
  return !isManaged(current) || (next !== undefined && equal(objectAt(current, 'spec'), objectAt(next, 'spec')));
}
