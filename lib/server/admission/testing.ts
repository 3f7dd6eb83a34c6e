import { decodedAs } from '#lib/api/testing.ts';
import { defined } from '#lib/machinery/defined.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf, namespaceOf } from '#lib/machinery/meta.ts';
import type { User } from '#lib/server/authentication/user.ts';
import type { Attributes, Operation } from '#lib/server/registry/admission.ts';
import { builtInScheme } from '#lib/server/registry/built-in-scheme.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import { aRequestContext } from '#lib/server/request/testing.ts';
import type { Lookup, ResourceAt } from '#lib/storage/lookup.ts';

interface AttributesInput {
  readonly operation?: Operation;
  readonly group?: string;
  readonly resource: string;
  readonly kind?: string;
  readonly subresource?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly object?: JsonObject;
  readonly oldObject?: JsonObject;
  readonly user?: User;
  /** The warnings, latencies and other facts of the request. */
  readonly context?: RequestContext;
  annotate?(key: string, value: string): void;
}

/** Works for any kind, because the server's own plugins do not convert. */
const SCHEME = builtInScheme({ group: '', version: 'v1', kind: 'Pod' });

/** Returns a request for plugins under test. Default: a create by jane. */
export function anAttributes({
  group = '',
  resource,
  kind = '',
  object,
  oldObject,
  ...rest
}: AttributesInput): Attributes {
  const user = rest.user ?? { name: 'jane', groups: [] };
  return {
    operation: rest.operation ?? 'CREATE',
    kind: { group, version: 'v1', kind },
    resource: { group, version: 'v1', resource },
    subresource: rest.subresource ?? '',
    namespace: rest.namespace ?? '',
    name: rest.name ?? '',
    ...defined({ object, oldObject }),
    dryRun: false,
    user,
    scheme: SCHEME,
    options: undefined,
    annotate: (key, value) => rest.annotate?.(key, value),
    context: rest.context ?? aRequestContext({}, { user }),
  };
}

/** Returns a lookup of these objects of version v1, by `group/resource`. Missing fields have the decoder's values. */
export function lookupOf(objects: Readonly<Record<string, readonly JsonObject[]>>): Lookup {
  const list = async <T extends JsonObject>(place: ResourceAt<T>): Promise<T[]> => {
    const { group, resource, namespace = '' } = place;
    const all = objects[`${group}/${resource}`] ?? [];
    const found = all.filter((one) => namespace === '' || namespaceOf(one) === namespace);
    return found.map((one) => decodedAs({ ...place, version: 'v1' }, one));
  };
  const find = async <T extends JsonObject>(place: ResourceAt<T>, name: string): Promise<T | undefined> =>
    (await list(place)).find((one) => nameOf(one) === name);
  const named = async <T extends JsonObject>(place: ResourceAt<T>, prefix: string): Promise<Map<string, T>> =>
    new Map(
      (await list(place)).filter((one) => nameOf(one).startsWith(prefix)).map((one) => [nameOf(one), one] as const),
    );
  return { list, find, findFresh: find, named };
}
