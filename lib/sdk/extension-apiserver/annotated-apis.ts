import { typedObject } from '#lib/api/typed.ts';
import { API_SERVICES } from '#lib/api/types/resources.ts';
import { annotationsOf } from '#lib/machinery/meta.ts';
import type { FunctionApi, FunctionApis } from '#lib/server/aggregation/function-apis.ts';
import {
  type ApiServiceStore,
  storedApiService,
  storedApiServices,
} from '#lib/server/aggregation/stored-api-services.ts';
import { FUNCTION_ANNOTATION } from '#lib/server/webhook/annotated-functions.ts';
import { parsedObject } from '#lib/storage/lookup.ts';
import type { StoredObject } from '#lib/storage/storage.ts';
import type { AggregatedApiDeclaration } from './declaration.ts';

/**
 * The annotation of an APIService without a Service. Its value is the declaration, as JSON, of the function that serves the group version.
 */
const DECLARATION_ANNOTATION = 'davit.dev/aggregated-api';

/** The annotations of an APIService that identify the function. */
export const functionAnnotations = (
  functionName: string,
  declaration: AggregatedApiDeclaration,
): Record<string, string> => ({
  [FUNCTION_ANNOTATION]: functionName,
  [DECLARATION_ANNOTATION]: JSON.stringify(declaration),
});

/** Creates the API of the function with this name. `declaration` is JSON. Rejects if it is invalid. May load the function's code. */
export type MakeApi = (functionName: string, declaration: string) => Promise<FunctionApi>;

/** The ports of `annotatedApis`. */
export interface AnnotatedApisPorts extends ApiServiceStore {
  readonly make: MakeApi;
}

/**
 * The aggregated APIs of functions that stored APIServices reference in their annotations. Ignores a declaration that is invalid or has
 * another group version than its APIService. Any user with write access to APIServices can write such declarations.
 */
export function annotatedApis({ make, ...store }: AnnotatedApisPorts): FunctionApis {
  const known = new WeakMap<StoredObject, Promise<FunctionApi | undefined>>();
  const apiOf = (stored: StoredObject): Promise<FunctionApi | undefined> => {
    const api = known.get(stored) ?? made(stored, make);
    known.set(stored, api);
    return api;
  };
  return {
    async find(groupVersion) {
      const stored = await storedApiService(store, groupVersion);
      return stored && apiOf(stored);
    },
    async all() {
      const all = await Promise.all((await storedApiServices(store)).map(apiOf));
      return all.filter((api) => api !== undefined);
    },
  };
}

async function made(stored: StoredObject, make: MakeApi): Promise<FunctionApi | undefined> {
  const service = typedObject(API_SERVICES, parsedObject(stored));
  const { [FUNCTION_ANNOTATION]: name, [DECLARATION_ANNOTATION]: declaration } = annotationsOf(service);
  const { group, version, service: behind } = service.spec;
  if (name === undefined || declaration === undefined || behind !== undefined) return undefined;
  const api = await make(name, declaration).catch(() => undefined);
  return api?.version.group === group && api?.version.version === version ? api : undefined;
}
