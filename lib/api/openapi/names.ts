/** The names of types, groups and operations in published documents. */
import { typeNames } from '../types.ts';

const PACKAGES: readonly (readonly [RegExp, string])[] = [
  [/^meta\./, 'io.k8s.apimachinery.pkg.apis.'],
  [/^apiextensions\./, 'io.k8s.apiextensions-apiserver.pkg.apis.'],
  [/^apiregistration\./, 'io.k8s.kube-aggregator.pkg.apis.'],
  [/^(?:api|runtime|util|version)\./, 'io.k8s.apimachinery.pkg.'],
];

/** `io.k8s.api.core.v1.PodSpec` for `core.v1.PodSpec`. */
export function schemaName(type: string): string {
  return (PACKAGES.find(([pattern]) => pattern.test(type))?.[1] ?? 'io.k8s.api.') + type;
}

let shortNames: ReadonlyMap<string, string> | undefined;

/** `core.v1.PodSpec` for `io.k8s.api.core.v1.PodSpec`. Undefined if no such type is built in. */
export function shortName(schema: string): string | undefined {
  shortNames ??= new Map(typeNames().map((type) => [schemaName(type), type]));
  return shortNames.get(schema);
}

/** The text with its first letter in upper case. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** `rbacAuthorization` for `rbac.authorization.k8s.io`, `core` for the core group. */
export function groupName(group: string): string {
  if (group === '') return 'core';
  const [first = '', ...rest] = group.replace(/\.k8s\.io$/, '').split('.');
  return first + rest.map(capital).join('');
}

/** The parts of operation IDs that depend on the group and version. */
export interface OperationNames {
  /** `apps_v1`. */
  readonly tag: string;
  /** `AppsV1`. */
  readonly groupVersion: string;
}

/** The names of a group and version: `core_v1` for the core group. */
export function operationNames({ group, version }: { group: string; version: string }): OperationNames {
  const name = groupName(group);
  return { tag: `${name}_${version}`, groupVersion: capital(name) + capital(version) };
}
