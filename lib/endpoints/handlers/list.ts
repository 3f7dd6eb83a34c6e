import { defined } from '#lib/machinery/defined.ts';
import { badRequest, expired, notAcceptable, StatusError, tooLargeResourceVersion } from '#lib/machinery/errors.ts';
import { decodeContinue, encodeContinue, INCONSISTENT } from '#lib/storage/continue.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { inTurns } from '#lib/machinery/steps.ts';
import { CellBudget } from '#lib/registry/cell-budget.ts';
import { listReadAt } from '#lib/registry/store/read-at.ts';
import { select, type Selection } from '#lib/registry/store/selection.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { ListPage, ListRequest, ObjectStream, ReadAt, StoredObject } from '#lib/storage/storage.ts';
import type { ApiResponse } from '../api.ts';
import type { Negotiation } from '../negotiate.ts';
import { listOptions, type ListOptions } from '../options.ts';
import { goType, negotiatedResponse, respond } from '../respond.ts';
import type { Scope } from '../scope.ts';
import { jsonList, listBody, protobufList } from '../serialize/list.ts';
import { partialMetadata } from '../serialize/partial-metadata.ts';
import { includeObject, tableSteps } from '../serialize/table.ts';
import { servedObject } from '#lib/registry/store/encode.ts';

/** GET of a collection. What has no limit is written while it is read. */
export async function listHandler(scope: Scope): Promise<ApiResponse> {
  const { context, definition, cluster } = scope;
  const want = negotiatedResponse(scope);
  const options = listOptions(context.request.query);
  const { namespace, name } = context.info;
  const selection = select(definition, { ...options, cluster, namespace, name });
  const start = startOf(options, selection.prefix);
  refuseSingle(scope, want);
  if (options.limit > 0) {
    const page = await listPage(scope, options, selection, start);
    return respondList(scope, want, pageBody(page), listMetadata(scope, page, selection.prefix));
  }
  const open = (at: ReadAt) => opened(scope, { ...selection, ...start, at });
  const { version, batches } = await open(start.at);
  const again = async () => (await open({ kind: 'exact', version })).batches;
  return respondList(scope, want, { batches, again }, listMetadata(scope, { version }, selection.prefix));
}

/** The objects of a list in batches; `again` reads the same objects once more. */
interface Listing {
  readonly batches: ObjectStream['batches'];
  again(): Promise<ObjectStream['batches']>;
}

/** The listing of one page. */
export const pageBody = ({ objects }: ListPage): Listing => ({
  batches: oneBatch(objects),
  again: async () => oneBatch(objects),
});

async function* oneBatch(objects: readonly StoredObject[]) {
  yield objects;
}

/** The page that the options ask for. */
export async function listPage(
  scope: Scope,
  options: ListOptions,
  selection: Selection,
  start = startOf(options, selection.prefix),
): Promise<ListPage> {
  return scope.definition.storage.list({ ...selection, ...start, limit: options.limit }).catch((error: unknown) => {
    throw refused(error, selection.prefix, start);
  });
}

async function opened({ definition }: Scope, request: Omit<ListRequest, 'limit'>): Promise<ObjectStream> {
  return definition.storage.stream(request).catch((error: unknown) => {
    throw refused(error, request.prefix, request);
  });
}

/** Two refusals of a list read otherwise than of other reads. */
function refused(error: unknown, prefix: string, { at, afterKey }: Start): unknown {
  if (!(error instanceof StoreError)) return error;
  if (error.code === 'Expired' && afterKey !== undefined) return expiredToken(prefix, afterKey);
  if (error.code === 'Expired') return expired('The resourceVersion for the provided list is too old.');
  // Nothing waits for an exact version to come, so the client is not asked to try again.
  if (error.code === 'FutureVersion' && at.kind === 'exact') {
    return tooLargeResourceVersion(error.requested ?? 0, error.head ?? 0, 0);
  }
  return error;
}

/** `as=PartialObjectMetadata` names a single object. */
export function refuseSingle({ definition }: Scope, want: Negotiation): void {
  if (want.as?.kind !== 'PartialObjectMetadata') return;
  const { custom, listKind, scheme } = definition;
  const type = custom ? 'unstructured.UnstructuredList' : goType({ group: scheme.kind.group, kind: listKind });
  throw notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (*${type})`);
}

type Start = Pick<ListRequest, 'at' | 'afterKey'>;

/** Where the page begins: behind a continue token's key at its version, or at the version that the options name. */
function startOf(options: ListOptions, prefix: string): Start {
  const { continueToken, resourceVersion, resourceVersionMatch, limit } = options;
  // A page of a version is of exactly that version, as it was before there was a match to say so; one object is no page.
  const paged = limit > 0 && prefix.endsWith('/');
  const match = resourceVersionMatch === '' && paged ? 'Exact' : resourceVersionMatch;
  if (continueToken === '') return { at: listReadAt(resourceVersion, match) };
  const { version, afterKey, issuedAt } = decodeContinue(prefix, continueToken);
  if (resourceVersion !== '' && resourceVersion !== '0')
    throw badRequest('specifying resource version is not allowed when using continue');
  if (version === INCONSISTENT) return { at: { kind: 'fresh' }, afterKey };
  return { at: { kind: 'exact', version, ...defined({ issuedAt }) }, afterKey };
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

/** The ListMeta of a page: its version, continue token and remaining item count. */
export function listMetadata(scope: Scope, page: Omit<ListPage, 'objects'>, prefix: string): JsonObject {
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

/** The objects in the negotiated form: spliced from stored bytes where it is JSON or protobuf. */
export async function respondList(
  scope: Scope,
  want: Negotiation,
  { batches, again }: Listing,
  metadata: JsonObject,
): Promise<ApiResponse> {
  const { definition } = scope;
  if (want.as !== undefined) return respond(await transformed(scope, want, batches, metadata), want);
  const headers = { 'content-type': want.mediaType };
  if (want.mediaType === 'application/json' && !want.pretty) {
    return { status: 200, headers, body: await listBody(jsonList(definition, batches, metadata)), ends: true };
  }
  if (want.mediaType === 'application/vnd.kubernetes.protobuf') {
    return {
      status: 200,
      headers,
      body: await listBody(protobufList(definition, batches, metadata, again)),
      ends: true,
    };
  }
  return respond(await wholeList(scope, batches, metadata), want);
}

type Batches = Listing['batches'];

/** Maps each object, and lets other requests through in between. */
async function mapped(
  { context: { request } }: Scope,
  batches: Batches,
  map: (stored: StoredObject) => JsonObject,
): Promise<JsonObject[]> {
  const items: JsonObject[] = [];
  for await (const batch of batches) {
    for (const stored of batch) {
      items.push(map(stored));
      const pause = request.turn?.();
      if (pause !== undefined) await pause;
    }
  }
  return items;
}

async function wholeList(scope: Scope, batches: Batches, metadata: JsonObject): Promise<JsonObject> {
  const { definition } = scope;
  const items = await mapped(scope, batches, (stored) => {
    const { kind, apiVersion: version, ...rest } = servedObject(definition, stored);
    return definition.scheme.typedItems ? { apiVersion: version ?? '', kind: kind ?? '', ...rest } : rest;
  });
  return { kind: definition.listKind, apiVersion: apiVersion(definition.scheme.kind), metadata, items };
}

async function transformed(
  scope: Scope,
  want: Negotiation,
  batches: Batches,
  metadata: JsonObject,
): Promise<JsonObject> {
  const { definition, context } = scope;
  const { kind, version } = want.as as NonNullable<Negotiation['as']>;
  const cleaned = metadata['continue'] === '' ? { resourceVersion: metadata['resourceVersion'] ?? '' } : metadata;
  if (kind === 'Table') {
    const include = includeObject(context.request.query);
    const served = await mapped(scope, batches, (stored) => servedObject(definition, stored));
    const shown = { include, now: context.now, version, headers: true, budget: new CellBudget() };
    return inTurns(tableSteps(definition, served, { metadata: cleaned, ...shown }), context.request.turn);
  }
  const items = await mapped(scope, batches, (stored) => partialMetadata(servedObject(definition, stored), version));
  const some = items.length === 0 ? null : items;
  return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata: cleaned, items: some };
}
