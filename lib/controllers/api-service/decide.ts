import { arrayAt, isObject, objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { builtInPriorities, CUSTOM_PRIORITIES } from './priorities.ts';

export const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';

/** Names of the API services that a definition's served versions ask for. */
export function namesOf(definition: JsonObject): string[] {
  const spec = objectAt(definition, 'spec');
  const group = stringAt(spec, 'group') ?? '';
  return arrayAt(spec, 'versions')
    .filter(isObject)
    .map((version) => `${stringAt(version, 'name') ?? ''}.${group}`);
}

/** Whether some definition that is not about to end serves the group version that the name says. */
export function isServed(name: string, definitions: readonly JsonObject[]): boolean {
  return definitions.some((definition) => {
    const group = stringAt(objectAt(definition, 'spec'), 'group') ?? '';
    return arrayAt(objectAt(definition, 'spec'), 'versions')
      .filter(isObject)
      .some(
        (version) => ownField(version, 'served') === true && `${stringAt(version, 'name') ?? ''}.${group}` === name,
      );
  });
}

/** The API service by which a group version is served here; undefined where nothing serves it. */
export function desired(name: string, definitions: readonly JsonObject[]): JsonObject | undefined {
  const builtIn = builtInPriorities(name);
  if (builtIn === undefined && !isServed(name, definitions)) return undefined;
  const dot = name.indexOf('.');
  return {
    metadata: { name, labels: { [MANAGED]: builtIn === undefined ? 'true' : 'onstart' } },
    spec: { group: name.slice(dot + 1), version: name.slice(0, dot), ...(builtIn ?? CUSTOM_PRIORITIES) },
  };
}

/** An API service that someone made by hand is theirs. */
export const isManaged = (service: JsonObject): boolean => (labelsOf(service)[MANAGED] ?? '') !== '';
