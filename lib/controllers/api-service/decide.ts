import type { CustomResourceDefinition } from '#lib/api/types/apiextensions.v1.ts';
import type { APIService } from '#lib/api/types/apiregistration.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { labelsOf } from '#lib/machinery/meta.ts';
import { builtInPriorities, CUSTOM_PRIORITIES } from '#lib/server/aggregation/priorities.ts';

/** The label of API services that this controller manages. */
export const MANAGED = 'kube-aggregator.kubernetes.io/automanaged';

/** Names of the API services of a definition's served versions. */
export const servedNames = ({ spec: { group, versions } }: CustomResourceDefinition): string[] =>
  (versions ?? []).filter(({ served }) => served).map(({ name }) => `${name}.${group}`);

/** The part of an API service that this controller sets. */
export type Desired = Pick<APIService, 'metadata' | 'spec'>;

/** The API service of a group version, built-in or served by a definition. Undefined if the group version is not served. */
export function desired(name: string, isServed: boolean): Desired | undefined {
  const builtIn = builtInPriorities(name);
  if (builtIn === undefined && !isServed) return undefined;
  const dot = name.indexOf('.');
  return {
    metadata: { name, labels: { [MANAGED]: builtIn === undefined ? 'true' : 'onstart' } },
    spec: { group: name.slice(dot + 1), version: name.slice(0, dot), ...(builtIn ?? CUSTOM_PRIORITIES) },
  };
}

/** Whether this controller manages the API service. It leaves services that a user created alone. */
export const isManaged = (service: APIService): boolean => (labelsOf(service)[MANAGED] ?? '') !== '';

/** Whether no write is needed: the API service is as desired, or a user created it. */
export function isSettled(current: APIService | undefined, next: Desired | undefined): boolean {
  if (current === undefined) return next === undefined;
  return !isManaged(current) || (next !== undefined && equal(current.spec, next.spec));
}
