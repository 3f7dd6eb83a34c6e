import { notAcceptable, StatusError } from '#lib/machinery/errors.ts';
import { type JsonObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { afterTurn } from '#lib/machinery/steps.ts';
import { CellBudget } from '#lib/server/registry/cell-budget.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { Result, WriteResult } from '#lib/server/registry/store/result.ts';
import type { ApiResponse } from './api.ts';
import { MEDIA_TYPES, type Negotiation, negotiate, type Offer } from './negotiate.ts';
import type { Scope } from './scope.ts';
import { encode } from './serialize/encode.ts';
import { partialMetadata } from './serialize/partial-metadata.ts';
import { includeObject, table } from './serialize/table.ts';
import { jsonView, protobufView, resultObject } from './serialize/view.ts';

/** Returns the media types of a resource. Custom resources have no protobuf form, but their metadata has. */
export function offerOf({ custom }: ResourceDefinition): Offer {
  return {
    mediaTypes: custom ? MEDIA_TYPES.slice(0, 2) : MEDIA_TYPES,
    transformMediaTypes: MEDIA_TYPES,
    transforms: true,
  };
}

/** Negotiates the response format of a resource's endpoint. Throws 406. */
export function negotiatedResponse({ context, definition }: Scope): Negotiation {
  const { request, info } = context;
  const tables = !WITHOUT_TABLES.has(`${definition.resource.resource}/${info.subresource}`) || definition.custom;
  return negotiate(request, { ...offerOf(definition), tables });
}

/** Subresources for which upstream produces no Table. */
const WITHOUT_TABLES: ReadonlySet<string> = new Set([
  'apiservices/status',
  'certificatesigningrequests/approval',
  'customresourcedefinitions/status',
  'devicetaintrules/status',
  'podgroups/status',
  'pods/ephemeralcontainers',
  'pods/resize',
  'resourceclaims/status',
  'resourcepoolstatusrequests/status',
]);

/** Ends JSON that is not indented, like Go's encoder. */
const NEWLINE = Buffer.from('\n');

/** Returns one object of the resource in the form that the client requests. */
export function respondObject(scope: Scope, want: Negotiation, result: Result, status = 200): ApiResponse {
  const { definition } = scope;
  if (want.as !== undefined) return transformedResponse(scope, want, resultObject(definition, result), status);
  if (!('stored' in result) || want.pretty || want.mediaType === 'application/yaml') {
    return respond(withKind(definition, resultObject(definition, result)), want, status, definition);
  }
  const protobuf = want.mediaType === 'application/vnd.kubernetes.protobuf';
  const body = protobuf
    ? protobufView(definition, result.stored)
    : Buffer.concat([jsonView(definition, result.stored), NEWLINE]);
  return { status, headers: { 'content-type': want.mediaType }, body };
}

/** Responds to a write. Yields to other requests first, because it encodes the object in one step. */
export const respondWritten = (
  scope: Scope,
  want: Negotiation,
  { result, created }: WriteResult,
): Promise<ApiResponse> =>
  afterTurn(scope.context.request.turn, () => respondObject(scope, want, result, created ? 201 : 200));

/** Returns the object as a Table or as its metadata if the client requests one of them. */
export function transformedResponse(
  { context, definition }: { context: Scope['context']; definition: Transformable },
  want: Negotiation,
  object: JsonObject,
  status = 200,
): ApiResponse {
  const { kind, version } = want.as as NonNullable<Negotiation['as']>;
  if (kind === 'PartialObjectMetadata') return respond(partialMetadata(object, version), want, status);
  if (kind === 'PartialObjectMetadataList') throw notAList(definition);
  const metadata = { resourceVersion: stringAt(objectAt(object, 'metadata'), 'resourceVersion') ?? '' };
  const include = includeObject(context.request.query);
  const request = { metadata, include, now: context.now, version, headers: true, budget: new CellBudget() };
  return respond(table(definition, object, request), want, status);
}

type Transformable = Pick<ResourceDefinition, 'custom' | 'printer' | 'scheme'>;

function notAList({ custom, scheme }: Transformable): StatusError {
  if (custom) return new StatusError(undefined, 'content is not a list');
  return notAcceptable(
    `you requested PartialObjectMetadataList, but the requested object is not a list (*${goType(scheme.kind)})`,
  );
}

/** Returns the Go type that upstream's messages show. */
export const goType = ({ group, kind }: { group: string; kind: string }): string =>
  `${group === '' ? 'core' : group.split('.')[0]}.${kind}`;

function withKind({ scheme }: ResourceDefinition, object: JsonObject): JsonObject {
  return object['kind'] === undefined ? { kind: scheme.kind.kind, apiVersion: scheme.kind.version, ...object } : object;
}

/** Returns any object in the negotiated form. `definition` encodes objects of its kind to protobuf. */
export function respond(
  object: JsonObject,
  want: Pick<Negotiation, 'mediaType' | 'pretty'>,
  status = 200,
  definition?: ResourceDefinition,
): ApiResponse {
  const headers = { 'content-type': want.mediaType };
  return { status, headers, body: encode(object, want, definition?.scheme.encodeProtobuf) };
}
