import type { JsonObject } from '#lib/machinery/json-value.ts';
import { resourceVersionOf } from '#lib/machinery/meta.ts';
import type { ApiResponse } from '#lib/server/endpoints/api.ts';
import { choose, MEDIA_TYPES, type Negotiation, onlyAccepted } from '#lib/server/endpoints/negotiate.ts';
import { encode } from '#lib/server/endpoints/serialize/encode.ts';
import { partialMetadata } from '#lib/server/endpoints/serialize/partial-metadata.ts';
import { includeObject, tableHead, tableRow } from '#lib/server/endpoints/serialize/table.ts';
import { CellBudget } from '#lib/server/registry/cell-budget.ts';
import { printerOf } from './printer.ts';
import { listOf, type ResourceScope } from './scope.ts';

const TYPES = MEDIA_TYPES.slice(0, 2);

/** The response format that the client requests. Throws 406. */
export function negotiated({ request }: Pick<ResourceScope, 'request'>): Negotiation {
  const chosen = choose(request, { mediaTypes: TYPES, transforms: true });
  if (chosen === undefined) throw onlyAccepted(TYPES);
  return chosen;
}

/** Responds with any object as JSON or YAML. */
export function respondJson(scope: Pick<ResourceScope, 'request'>, object: JsonObject, status = 200): ApiResponse {
  const want = negotiated(scope);
  return { status, headers: { 'content-type': want.mediaType }, body: encode(object, want) };
}

/** Responds with an object of the resource in the format that the client requests, such as Table or PartialObjectMetadata. */
export function respondObject(scope: ResourceScope, object: JsonObject, status = 200): ApiResponse {
  const shape = shapeOf(scope, negotiated(scope));
  return respondJson(scope, shape.object(object), status);
}

/** Responds with a list in the format that the client requests. */
export function respondList(scope: ResourceScope, items: readonly JsonObject[], metadata: JsonObject): ApiResponse {
  return respondJson(scope, shapeOf(scope, negotiated(scope)).list(items, metadata));
}

/** The formats of objects and lists. */
export interface Shape {
  object(object: JsonObject, isFirst?: boolean): JsonObject;
  list(items: readonly JsonObject[], metadata: JsonObject): JsonObject;
}

/** The format that a client requested with `as`. */
export function shapeOf(scope: ResourceScope, { as }: Negotiation): Shape {
  if (as === undefined)
    return { object: (object) => object, list: (items, metadata) => listOf(scope, items, metadata) };
  const { version } = as;
  if (as.kind !== 'Table')
    return {
      object: (object) => partialMetadata(object, version),
      list: (items, metadata) => ({
        kind: 'PartialObjectMetadataList',
        apiVersion: `meta.k8s.io/${version}`,
        metadata,
        items: items.map((one) => partialMetadata(one, version)),
      }),
    };
  const printer = printerOf(scope.resource);
  const include = includeObject(scope.request.query);
  const table = (items: readonly JsonObject[], metadata: JsonObject, headers: boolean): JsonObject => {
    const of = {
      metadata,
      include,
      now: new Date(scope.clock.now()),
      version,
      headers,
      budget: new CellBudget(),
    };
    return { ...tableHead(printer, of), rows: items.map((one) => tableRow(printer, one, of)) };
  };
  return {
    object: (object, isFirst = true) => table([object], { resourceVersion: resourceVersionOf(object) }, isFirst),
    list: (items, metadata) => table(items, metadata, true),
  };
}
