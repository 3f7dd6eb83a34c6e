import { badRequest, notFound, StatusError } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { ResourceOf } from '#lib/machinery/schema.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import type { Backends } from '#lib/server/channel/backends.ts';
import type { Admission, Attributes } from '#lib/server/registry/admission.ts';
import type { BuiltInResources } from '#lib/server/registry/built-in.ts';
import { builtInScheme } from '#lib/server/registry/built-in-scheme.ts';
import { annotate } from '#lib/server/request/request-audit.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { ApiResponse } from '../api.ts';
import type { Handler } from '../filters/filter.ts';
import { type ConnectOptions, connectObject } from './connect-options.ts';
import { definitionOf, read } from './stored.ts';

/** The ports of subresources that connect to a backend. */
export interface ConnectPorts {
  readonly builtIn: BuiltInResources;
  readonly cluster: string;
  readonly admission: Admission;
  readonly authorizer: Authorizer;
  readonly backends?: Backends;
}

/** Reads an object of the request's namespace, or of the cluster. Throws a 404 for the request's resource, like upstream. */
export type Reader = <T extends JsonObject>(resource: ResourceOf<T>, name: string, namespaced?: boolean) => Promise<T>;

/** Responds to a connection. `find` reads the objects that it needs. */
export type Connect = (find: Reader, context: RequestContext) => Promise<ApiResponse>;

/** Serves a GET that needs more than stored objects. */
export function readEndpoint({ builtIn, cluster }: ConnectPorts, act: Connect): Handler {
  return (context) => {
    const { info } = context;
    const { namespace } = info;
    const find: Reader = (resource, name, namespaced = true) =>
      read(definitionOf(builtIn, resource), { cluster, namespace: namespaced ? namespace : '' }, name).catch(
        (error: unknown) => {
          if (error instanceof StatusError && error.code === 404) throw notFound(info, name);
          throw error;
        },
      );
    return act(find, context);
  };
}

/** Serves a request with upstream's verb CONNECT, and runs admission for it. */
export function connectEndpoint(ports: ConnectPorts, options: ConnectOptions, act: Connect): Handler {
  const scheme = builtInScheme({ group: '', version: 'v1', kind: options.kind });
  const serve = readEndpoint(ports, act);
  return async (context) => {
    const { request, info, user } = context;
    if (request.query.has('dryRun')) throw badRequest('dryRun is not supported');
    const attributes: Attributes = {
      operation: 'CONNECT',
      kind: scheme.kind,
      scheme,
      resource: { group: info.group, version: info.version, resource: info.resource },
      subresource: info.subresource,
      namespace: info.namespace,
      name: info.name,
      object: connectObject(options, request.query, info.rest),
      dryRun: false,
      options: undefined,
      user,
      annotate: (key, value, shows) => annotate(context, key, value, shows),
      context,
    };
    await ports.admission.admit(attributes);
    await ports.admission.validate(attributes);
    return serve(context);
  };
}
