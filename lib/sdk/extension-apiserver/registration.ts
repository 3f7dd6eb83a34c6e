import type { APIService } from '#lib/api/types/apiregistration.v1.ts';
import { API_SERVICES } from '#lib/api/types/resources.ts';
import type { Client } from '#lib/client/client.ts';
import { clientset } from '#lib/client/clientset.ts';
import type { Reconciler } from '#lib/client/controller/reconciler.ts';
import { ignore, ignoreNotFound } from '#lib/client/ignore.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { annotationsOf, labelsOf, nameOf } from '#lib/machinery/meta.ts';
import { functionAnnotations } from './annotated-apis.ts';
import type { AggregatedApiDeclaration } from './declaration.ts';
import { API_REGISTRATION } from './names.ts';

/** The label of APIServices that this reconciler manages. It is used to find those of APIs that are no longer declared. */
const MANAGED_BY = 'app.kubernetes.io/managed-by';
const { reconciler: MANAGER, name: ALL } = API_REGISTRATION;

/** The APIs that are currently declared. */
export interface DeclaredApis {
  declarations(): readonly AggregatedApiDeclaration[];
  /** Calls `changed` whenever the declarations change. */
  onDeclared?(changed: () => void): void;
  /** The name of the function to invoke for an API. Undefined by default: the server then calls the function itself. */
  functionName?(declaration: AggregatedApiDeclaration): string | undefined;
}

/** Maintains an APIService without a Service for each API that a function serves. Discovery then lists the API as locally served. */
export function aggregatedApiRegistration(untyped: Client, declared: DeclaredApis): Reconciler {
  const client = clientset(untyped);
  const names = (): ReadonlySet<string> => new Set(declared.declarations().map(serviceName));
  return {
    name: MANAGER,
    initial: [ALL],
    keys: ({ group, resource, name }) =>
      group === API_SERVICES.group && resource === API_SERVICES.resource && names().has(name) ? [ALL] : [],
    subscribe: (add) => declared.onDeclared?.(() => add(ALL)),
    async reconcile() {
      for (const declaration of declared.declarations()) {
        const wanted = desired(declaration, declared.functionName?.(declaration));
        const ref = { resource: API_SERVICES, namespace: '', name: serviceName(declaration) };
        const current = await client.get(ref);
        if (current === undefined) await client.create(API_SERVICES, wanted).catch(ignore('AlreadyExists'));
        else if (isLocal(current) && !isAsDeclared(current, wanted)) {
          const annotations = { ...annotationsOf(current), ...wanted.metadata.annotations };
          await client.update(ref, { ...current, metadata: { ...current.metadata, annotations }, spec: wanted.spec });
        }
      }
      const wanted = names();
      for (const one of await client.list(API_SERVICES, { labelSelector: `${MANAGED_BY}=${MANAGER}` })) {
        const name = nameOf(one);
        if (isLocal(one) && !wanted.has(name))
          await client.delete({ resource: API_SERVICES, namespace: '', name }).catch(ignoreNotFound);
      }
      return undefined;
    },
  };
}

const serviceName = ({ group, version }: AggregatedApiDeclaration): string => `${version}.${group}`;

/**
 * Whether this reconciler created the APIService and it still has no Service. A user's own server takes over the API by setting a Service.
 */
const isLocal = (one: APIService): boolean => labelsOf(one)[MANAGED_BY] === MANAGER && !one.spec.service;

/** Whether the object has at least the declared spec and annotations. */
const isAsDeclared = (current: APIService, { metadata, spec }: Wanted): boolean => {
  const annotations = annotationsOf(current);
  const wanted = Object.entries(metadata.annotations ?? {});
  return equal(current.spec, spec) && wanted.every(([name, value]) => annotations[name] === value);
};

type Wanted = Pick<APIService, 'metadata' | 'spec'>;

const desired = (declaration: AggregatedApiDeclaration, functionName: string | undefined): Wanted => {
  const { group, version, groupPriorityMinimum, versionPriority } = declaration;
  return {
    metadata: {
      name: serviceName(declaration),
      labels: { [MANAGED_BY]: MANAGER },
      ...(functionName === undefined ? {} : { annotations: functionAnnotations(functionName, declaration) }),
    },
    spec: { group, version, groupPriorityMinimum, versionPriority },
  };
};
