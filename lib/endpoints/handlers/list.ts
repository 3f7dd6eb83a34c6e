import { notAcceptable, StatusError, tooLargeResourceVersion } from '#lib/machinery/errors.ts';
import { decodeContinue, encodeContinue, INCONSISTENT } from '#lib/storage/continue.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { listReadAt } from '#lib/registry/store/read-at.ts';
import { select, type Selection } from '#lib/registry/store/selection.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { ListPage, ReadAt, StoredObject } from '#lib/storage/storage.ts';
import type { ApiResponse } from '../api.ts';
import type { Negotiated } from '../negotiate.ts';
import { listOptions, type ListOptions } from '../options.ts';
import { goType, negotiated, respond } from '../respond.ts';
import type { Scope } from '../scope.ts';
import { jsonList, protobufList } from '../serialize/list.ts';
import { partialMetadata } from '../serialize/partial-metadata.ts';
import { includeObject, table } from '../serialize/table.ts';
import { servedObject } from '../serialize/view.ts';

/** GET of a collection. */
export async function listHandler(scope: Scope): Promise<ApiResponse> {
  const { context, definition, cluster } = scope;
  const options = listOptions(context.request.query);
  const want = negotiated(scope);
  refuseSingle(scope, want);
  const { namespace, name } = context.info;
  const selection = select(definition, { ...options, cluster, namespace, name });
  const page = await listPage(scope, options, selection);
  return respondList(scope, want, page, listMetadata(scope, page, selection.prefix));
}

/** The page that the options ask for. */
export async function listPage(scope: Scope, options: ListOptions, selection: Selection): Promise<ListPage> {
  const { at, afterKey } = startOf(options, selection.prefix);
  const { limit } = options;
  const request = { ...selection, at, limit, ...(afterKey === undefined ? {} : { afterKey }) };
  return scope.definition.storage.list(request).catch((error: unknown) => {
    throw error instanceof StoreError ? refused(error, at, selection.prefix, afterKey) : error;
  });
}

/** Two refusals of a list read otherwise than of other reads. */
function refused(error: StoreError, at: ReadAt, prefix: string, afterKey: string | undefined): Error {
  if (error.code === 'Expired' && afterKey !== undefined) return expiredToken(prefix, afterKey);
  // Nothing waits for an exact version to come, so the client is not asked to try again.
  if (error.code === 'FutureVersion' && at.kind === 'exact') {
    return tooLargeResourceVersion(error.requested ?? 0, error.head ?? 0, 0);
  }
  return error;
}

/** `as=PartialObjectMetadata` names a single object. */
export function refuseSingle({ definition }: Scope, want: Negotiated): void {
  if (want.as?.kind !== 'PartialObjectMetadata') return;
  const { custom, listKind, scheme } = definition;
  const type = custom ? 'unstructured.UnstructuredList' : goType({ group: scheme.kind.group, kind: listKind });
  throw notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (*${type})`);
}

/** Where the page begins: behind a continue token's key at its version, or at the version that the options name. */
function startOf(options: ListOptions, prefix: string): { at: ReadAt; afterKey?: string } {
  const { continueToken, resourceVersion, resourceVersionMatch } = options;
  if (continueToken === '') return { at: listReadAt(resourceVersion, resourceVersionMatch) };
  const { version, afterKey, issuedAt } = decodeContinue(prefix, continueToken);
  if (version === INCONSISTENT) return { at: { kind: 'fresh' }, afterKey };
  return { at: { kind: 'exact', version, ...(issuedAt === undefined ? {} : { issuedAt }) }, afterKey };
}

/** Upstream's answer to a token whose version is gone: the client may go on at the newest state, knowingly. */
function expiredToken(prefix: string, afterKey: string): StatusError {
  const token = encodeContinue(prefix, { version: INCONSISTENT, afterKey });
  return new StatusError(
    'Expired',
    `The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.`,
    undefined,
    410,
    { continue: token },
  );
}

export function listMetadata(scope: Scope, page: ListPage, prefix: string): JsonObject {
  const { nextAfter, remaining, version } = page;
  const metadata: JsonObject = { resourceVersion: String(version) };
  if (nextAfter !== undefined) {
    metadata['continue'] = encodeContinue(prefix, {
      version,
      afterKey: nextAfter,
      issuedAt: scope.context.now.getTime(),
    });
    if (remaining !== undefined) metadata['remainingItemCount'] = remaining;
  } else if (scope.definition.custom) metadata['continue'] = '';
  return metadata;
}

/** The page in the negotiated form: spliced from stored bytes where it is JSON or protobuf. */
export function respondList(scope: Scope, want: Negotiated, page: ListPage, metadata: JsonObject): ApiResponse {
  const { definition } = scope;
  const { objects } = page;
  if (want.as !== undefined) return respond(transformed(scope, want, objects, metadata), want);
  const headers = { 'content-type': want.mediaType };
  if (want.mediaType === 'application/json' && !want.pretty) {
    return { status: 200, headers, body: jsonList(definition, objects, metadata) };
  }
  if (want.mediaType === 'application/vnd.kubernetes.protobuf') {
    return { status: 200, headers, body: protobufList(definition, objects, metadata) };
  }
  return respond(wholeList(scope, objects, metadata), want);
}

function wholeList({ definition }: Scope, objects: readonly StoredObject[], metadata: JsonObject): JsonObject {
  const items = objects.map((stored) => {
    const { kind, apiVersion: version, ...rest } = servedObject(definition, stored);
    return definition.scheme.typedItems ? { apiVersion: version ?? '', kind: kind ?? '', ...rest } : rest;
  });
  return { kind: definition.listKind, apiVersion: apiVersion(definition.scheme.kind), metadata, items };
}

function transformed(
  scope: Scope,
  want: Negotiated,
  objects: readonly StoredObject[],
  metadata: JsonObject,
): JsonObject {
  const { definition, context } = scope;
  const { kind, version } = want.as as NonNullable<Negotiated['as']>;
  const served = objects.map((stored) => servedObject(definition, stored));
  const cleaned = metadata['continue'] === '' ? { resourceVersion: metadata['resourceVersion'] ?? '' } : metadata;
  if (kind === 'Table') {
    const include = includeObject(context.request.query);
    return table(definition, served, { metadata: cleaned, include, now: context.now, version, headers: true });
  }
  const items = served.map((object) => partialMetadata(object, version));
  return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata: cleaned, items };
}
