import type { JsonObject } from '#lib/machinery/json-value.ts';
import { typeFacts } from '../types.ts';

const BOOLEANS: ReadonlySet<string> = new Set([
  'allowWatchBookmarks',
  'force',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'sendInitialEvents',
  'watch',
]);
const INTEGERS: ReadonlySet<string> = new Set(['gracePeriodSeconds', 'limit', 'timeoutSeconds']);

const WRITE = ['dryRun', 'fieldManager', 'fieldValidation'];
const DELETE = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
];
const SELECT = [
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
];
const LIST = ['allowWatchBookmarks', ...SELECT, 'watch'];

/** The query parameters of an action, except `pretty`. */
export const QUERY: Readonly<Record<string, readonly string[]>> = {
  get: [],
  list: LIST,
  watch: LIST,
  watchlist: LIST,
  post: WRITE,
  put: WRITE,
  patch: [...WRITE, 'force'],
  delete: DELETE,
  deletecollection: [...new Set([...DELETE, ...SELECT])],
};

/** An OpenAPI parameter in a path or query. */
export type Parameter = JsonObject & { readonly in: string; readonly name: string };

const schema = (type: string): JsonObject => ({ type, uniqueItems: true });

/** A required path parameter. */
export const pathParameter = (name: string): Parameter => ({
  in: 'path',
  name,
  required: true,
  schema: schema('string'),
});

/** An optional query parameter with the type in upstream's document. */
export function queryParameter(name: string): Parameter {
  const type = BOOLEANS.has(name) ? 'boolean' : INTEGERS.has(name) ? 'integer' : 'string';
  return { in: 'query', name, schema: schema(type) };
}

/** The query parameters of a connect operation: the fields of its options kind. */
export function optionParameters(type: string): Parameter[] {
  return typeFacts(type)
    .fields.filter(({ number, value }) => number > 0 && value.form !== 'time')
    .map(({ name, value }) => {
      const of = value.form === 'list' ? value.of.form : value.form;
      const shown = of === 'bool' ? 'boolean' : of === 'int32' || of === 'int64' ? 'integer' : 'string';
      return { in: 'query', name, schema: schema(shown) };
    });
}
