import { defined } from '#lib/machinery/defined.ts';
import { badRequest, expired, notAcceptable, StatusError, tooLargeResourceVersion } from '#lib/machinery/errors.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { apiVersion } from '#lib/machinery/schema.ts';
import { CellBudget } from '#lib/server/registry/cell-budget.ts';
import { servedObject } from '#lib/server/registry/store/encode.ts';
import { listReadAt } from '#lib/server/registry/store/read-at.ts';
import { type Selection, select } from '#lib/server/registry/store/selection.ts';
import { decodeContinue, encodeContinue, INCONSISTENT } from '#lib/storage/continue.ts';
import { StoreError } from '#lib/storage/errors.ts';
import type { ListPage, ListRequest, ObjectStream, ReadAt, StoredObject } from '#lib/storage/storage.ts';
import type { ApiResponse } from '../api.ts';
import type { Negotiation } from '../negotiate.ts';
import { type ListOptions, listOptions } from '../options.ts';
import { goType, negotiatedResponse, respond } from '../respond.ts';
import type { Scope } from '../scope.ts';
import { type Batches, type Chunks, forWhole, listBody } from '../serialize/chunks.ts';
import { jsonList, jsonMetadataList, jsonTable, listedObject } from '../serialize/json-list.ts';
import { listedMetadata, metadataList } from '../serialize/partial-metadata.ts';
import { type Listing, protobufList, protobufMetadataList } from '../serialize/protobuf-list.ts';
import { includeObject, inRowOrder, type TableRequest, tableHead, tableRow } from '../serialize/table.ts';
import { type Allowance, allowanceOf } from './list-bounds.ts';
import { fitting, measure, mostBytes } from './list-measure.ts';

/** GET of a collection. An unpaged list is written while it is read. */
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
    return respondList(scope, want, bounded(scope, want, pageBody(page)), listMetadata(scope, page, selection.prefix));
  }
  const open = (at: ReadAt) => opened(scope, { ...selection, ...start, at });
  const { version, ...read } = await open(start.at);
  const again = async () => (await open({ kind: 'exact', version })).batches;
  const listing = bounded(scope, want, { ...read, again });
  return respondList(scope, want, listing, listMetadata(scope, { version }, selection.prefix));
}

/** A listing that returns 413 before its first byte if the response is too long. */
interface Bounded extends Listing, Pick<ObjectStream, 'size'> {
  /** Absent if the length is not limited. */
  readonly allowance?: Allowance;
}

/** Returns the listing within the limits of its form and of the front door. */
function bounded({ lists, context }: Scope, { mediaType }: Negotiation, listing: Bounded): Bounded {
  if (mediaType === 'application/yaml') return { ...listing, batches: forWhole(listing.batches) };
  const allowance = allowanceOf(lists, context.request);
  if (allowance === undefined) return listing;
  return { ...listing, allowance, measure: (chunks) => measure(chunks, allowance) };
}

/** Returns the listing of one page. */
export const pageBody = ({ objects }: ListPage): Bounded => ({
  batches: oneBatch(objects),
  again: async () => oneBatch(objects),
  size: async () => ({ objects: objects.length, bytes: objects.reduce((sum, { body }) => sum + body.length, 0) }),
});

async function* oneBatch(objects: readonly StoredObject[]) {
  yield objects;
}

/** Returns the page that the options select. */
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

/** Converts an error of a list. Two errors have different texts than in other reads. */
function refused(error: unknown, prefix: string, { at, afterKey }: Start): unknown {
  if (!(error instanceof StoreError)) return error;
  if (error.code === 'Expired' && afterKey !== undefined) return expiredToken(prefix, afterKey);
  if (error.code === 'Expired') return expired('The resourceVersion for the provided list is too old.');
  // The server does not wait for an exact version, so the client is not asked to retry.
  if (error.code === 'FutureVersion' && at.kind === 'exact') {
    return tooLargeResourceVersion(error.requested ?? 0, error.head ?? 0, 0);
  }
  return error;
}

/** Throws 406 for `as=PartialObjectMetadata`, which names a single object. */
export function refuseSingle({ definition }: Scope, want: Negotiation): void {
  if (want.as?.kind !== 'PartialObjectMetadata') return;
  const { custom, listKind, scheme } = definition;
  const type = custom ? 'unstructured.UnstructuredList' : goType({ group: scheme.kind.group, kind: listKind });
  throw notAcceptable(`you requested PartialObjectMetadata, but the requested object is a list (*${type})`);
}

type Start = Pick<ListRequest, 'at' | 'afterKey'>;

/** Returns the position at which the page begins: after a continue token's key at its version, or at the version in the options. */
function startOf(options: ListOptions, prefix: string): Start {
  const { continueToken, resourceVersion, resourceVersionMatch, limit } = options;
  // A page at a version means exactly that version, as it did before resourceVersionMatch existed. A list of a single object is not a page.
  const paged = limit > 0 && prefix.endsWith('/');
  const match = resourceVersionMatch === '' && paged ? 'Exact' : resourceVersionMatch;
  if (continueToken === '') return { at: listReadAt(resourceVersion, match) };
  const { version, afterKey, issuedAt } = decodeContinue(prefix, continueToken);
  if (resourceVersion !== '' && resourceVersion !== '0')
    throw badRequest('specifying resource version is not allowed when using continue');
  if (version === INCONSISTENT) return { at: { kind: 'fresh' }, afterKey };
  return { at: { kind: 'exact', version, ...defined({ issuedAt }) }, afterKey };
}

/**
 * Returns upstream's error for a token whose version has expired. The client may continue at the latest version and accept an inconsistent
 * list.
 */
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

/** Returns the ListMeta of a page: its version, continue token and remaining item count. */
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

/** Responds with the objects in the negotiated form, written while they are read, except for YAML. */
export async function respondList(
  scope: Scope,
  want: Negotiation,
  listing: Bounded,
  metadata: JsonObject,
): Promise<ApiResponse> {
  const { as, mediaType } = want;
  const cleaned = metadata['continue'] === '' ? { resourceVersion: metadata['resourceVersion'] ?? '' } : metadata;
  const shown: Shown = { scope, listing, metadata: as === undefined ? metadata : cleaned };
  if (mediaType === 'application/yaml') return respond(await wholeList(shown, as), want);
  const chunks = mediaType === 'application/json' ? boundedJson(shown, want) : protobufChunks(shown, as);
  return { status: 200, headers: { 'content-type': mediaType }, body: await listBody(chunks), ends: true };
}

interface Shown {
  readonly scope: Scope;
  readonly listing: Bounded;
  readonly metadata: JsonObject;
}

type As = Negotiation['as'];

/** Returns the list as JSON. If a limit applies, the length is checked before the first byte. */
function boundedJson(shown: Shown, want: Negotiation): Chunks {
  const { scope, listing } = shown;
  const { allowance } = listing;
  const chunks = jsonChunks(shown, listing.batches, want);
  if (allowance === undefined) return chunks;
  return fitting(chunks, allowance, {
    most: () => mostBytes(scope.definition, want, listing.size),
    again: async () => jsonChunks(shown, await listing.again(), want),
  });
}

function jsonChunks(shown: Shown, batches: Batches, { as, pretty }: Negotiation): Chunks {
  const { scope, metadata } = shown;
  const { definition, context } = scope;
  const written = { pretty, turn: context.request.turn };
  if (as === undefined) return jsonList(definition, batches, metadata, written);
  if (as.kind === 'Table') return jsonTable(definition, batches, tableRequest(shown, as.version), written);
  return jsonMetadataList(definition, batches, { version: as.version, metadata }, written);
}

function protobufChunks({ scope, listing, metadata }: Shown, as: As): Chunks {
  const { definition, context } = scope;
  const { turn } = context.request;
  if (as === undefined) return protobufList(definition, listing, metadata, turn);
  return protobufMetadataList(definition, listing, { version: as.version, metadata }, turn);
}

function tableRequest({ scope: { context }, metadata }: Shown, version: string): TableRequest {
  const include = includeObject(context.request.query);
  return { metadata, include, now: context.now, version, headers: true, budget: new CellBudget() };
}

/** Maps each object and yields to other requests in between. */
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

async function wholeList(shown: Shown, as: As): Promise<JsonObject> {
  const { scope, listing, metadata } = shown;
  const { definition } = scope;
  const { printer, scheme } = definition;
  if (as === undefined) {
    const items = await mapped(scope, listing.batches, (stored) => listedObject(definition, stored));
    return { kind: definition.listKind, apiVersion: apiVersion(scheme.kind), metadata, items };
  }
  const { kind, version } = as;
  if (kind === 'Table') {
    const request = tableRequest(shown, version);
    const rows = await mapped(scope, inRowOrder(definition, listing.batches), (stored) =>
      tableRow(printer, servedObject(definition, stored), request),
    );
    return { ...tableHead(printer, request), rows: rows.length === 0 && printer.nullRows === true ? null : rows };
  }
  const items = await mapped(scope, listing.batches, (stored) => listedMetadata(definition, stored, version));
  return { ...metadataList({ version, metadata }), items: items.length === 0 ? null : items };
}
