import { badRequest } from '#lib/machinery/errors.ts';
import { decodeJson } from '#lib/machinery/json.ts';
import { arrayAt, isObject, objectAt, ownField, stringAt, type JsonObject } from '#lib/machinery/json-value.ts';
import type { GroupResource } from '#lib/machinery/schema.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import { validateDeleteOptions, type DeleteOptions } from '#lib/registry/rest/delete.ts';
import { deleteObject } from '#lib/registry/store/delete.ts';
import { decodeDeleteOptions } from '#lib/api/codec/delete-options.ts';
import type { ApiRequest, ApiResponse } from '../api.ts';
import { negotiated, respond, respondObject } from '../respond.ts';
import { operation, type Scope } from '../scope.ts';

/** DELETE of one object: a Status where it is gone, the object where something still holds it. */
export async function deleteHandler(scope: Scope): Promise<ApiResponse> {
  const { context, definition } = scope;
  const { info } = context;
  const want = negotiated(scope);
  const options = await deleteOptions(context.request);
  const op = operation(scope, { dryRun: options.dryRun.length > 0 });
  const { result, deleted, uid } = await deleteObject(definition, op, info.name, options);
  if (!deleted || returnsDeleted(definition.resource)) return respondObject(scope, want, result, 200);
  const { group, resource } = definition.resource;
  const details: JsonObject = { name: info.name, ...(group === '' ? {} : { group }), kind: resource, uid };
  return respond({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', details }, want);
}

/** Kinds whose deletion answers with the object: upstream's ReturnDeletedObject. */
const RETURNED: ReadonlySet<string> = new Set([
  ...[
    'namespaces',
    'persistentvolumeclaims',
    'persistentvolumes',
    'pods',
    'podtemplates',
    'resourcequotas',
    'serviceaccounts',
    'services',
  ].map((r) => `/${r}`),
  ...['deviceclasses', 'devicetaintrules', 'resourceclaims', 'resourceclaimtemplates', 'resourceslices'].map(
    (r) => `resource.k8s.io/${r}`,
  ),
  ...['csidrivers', 'csinodes', 'storageclasses', 'volumeattachments', 'volumeattributesclasses'].map(
    (r) => `storage.k8s.io/${r}`,
  ),
]);

const returnsDeleted = ({ group, resource }: GroupResource): boolean => RETURNED.has(`${group}/${resource}`);

/** DeleteOptions from the body, or from the query where there is none. Throws 400 and 422. */
export async function deleteOptions(request: ApiRequest): Promise<DeleteOptions> {
  const bytes = await request.body();
  const options = bytes.length > 0 ? fromBody(bytes, request) : fromQuery(request.query);
  validateDeleteOptions(options);
  return options;
}

function fromBody(bytes: Uint8Array, request: ApiRequest): DeleteOptions {
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim();
  if (type === 'application/vnd.kubernetes.protobuf') return fromObject(decodeDeleteOptions(bytes));
  const { value } = type === 'application/yaml' ? decodeYaml(bytes) : parseJson(bytes);
  if (!isObject(value)) throw badRequest('the body of the request is not DeleteOptions');
  const kind = stringAt(value, 'kind') ?? '';
  if (kind !== '' && kind !== 'DeleteOptions') {
    throw badRequest(
      `no kind "${kind}" is registered for version "${stringAt(value, 'apiVersion') ?? ''}" in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    );
  }
  return fromObject(value);
}

function parseJson(bytes: Uint8Array) {
  try {
    return decodeJson(bytes);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw badRequest(`couldn't get version/kind; json parse error: ${error.message}`);
  }
}

function fromObject(value: JsonObject): DeleteOptions {
  const grace = ownField(value, 'gracePeriodSeconds');
  const policy = stringAt(value, 'propagationPolicy');
  const orphan = ownField(value, 'orphanDependents');
  const given = objectAt(value, 'preconditions');
  const uid = stringAt(given, 'uid');
  const resourceVersion = stringAt(given, 'resourceVersion');
  return {
    dryRun: arrayAt(value, 'dryRun').filter((item) => typeof item === 'string'),
    ...(grace === undefined || grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(policy === undefined ? {} : { propagationPolicy: policy }),
    ...(typeof orphan === 'boolean' ? { orphanDependents: orphan } : {}),
    ...(given === undefined
      ? {}
      : {
          preconditions: {
            ...(uid === undefined ? {} : { uid }),
            ...(resourceVersion === undefined ? {} : { resourceVersion }),
          },
        }),
  };
}

function fromQuery(query: URLSearchParams): DeleteOptions {
  const grace = query.get('gracePeriodSeconds');
  const policy = query.get('propagationPolicy');
  const orphan = query.get('orphanDependents');
  return {
    dryRun: query.getAll('dryRun'),
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(policy === null ? {} : { propagationPolicy: policy }),
    ...(orphan === null ? {} : { orphanDependents: orphan !== 'false' && orphan !== '0' }),
  };
}
