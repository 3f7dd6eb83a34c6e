import type { JsonObject } from '#lib/machinery/json-value.ts';

/** A kind that the suites test, with a field to change. */
export interface Kind {
  readonly title: string;
  readonly custom: boolean;
  /** `group/resource` as in messages. */
  readonly resource: string;
  collection(namespace: string): string;
  object(name: string, value: string): JsonObject;
  /** A merge patch that sets another value. */
  change(value: string): JsonObject;
  /** The JSON pointer of the value. */
  readonly pointer: string;
}

const configMap: Kind = {
  title: 'a namespaced built-in kind',
  custom: false,
  resource: 'configmaps',
  collection: (namespace) => `/api/v1/namespaces/${namespace}/configmaps`,
  object: (name, a) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a } }),
  change: (a) => ({ data: { a } }),
  pointer: '/data/a',
};

const priorityClass: Kind = {
  title: 'a cluster-scoped built-in kind',
  custom: false,
  resource: 'priorityclasses.scheduling.k8s.io',
  collection: () => '/apis/scheduling.k8s.io/v1/priorityclasses',
  object: (name, description) => ({
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: { name },
    value: 7,
    description,
  }),
  change: (description) => ({ description }),
  pointer: '/description',
};

const cronTab: Kind = {
  title: 'a custom resource',
  custom: true,
  resource: 'crontabs.example.com',
  collection: (namespace) => `/apis/example.com/v1/namespaces/${namespace}/crontabs`,
  object: (name, color) => ({ apiVersion: 'example.com/v1', kind: 'CronTab', metadata: { name }, spec: { color } }),
  change: (color) => ({ spec: { color } }),
  pointer: '/spec/color',
};

export const KINDS: readonly Kind[] = [configMap, priorityClass, cronTab];

/** The value at a JSON pointer; undefined if it does not exist. */
export function valueAt(object: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], object);
}

export const metadataOf = (object: JsonObject): JsonObject => (object['metadata'] ?? {}) as JsonObject;
export const versionOf = (object: JsonObject): string => String(metadataOf(object)['resourceVersion']);
