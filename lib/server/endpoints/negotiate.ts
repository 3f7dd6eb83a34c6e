import { notAcceptable, StatusError, unsupportedMediaType } from '#lib/machinery/errors.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';

/** A media type that objects serialize to. */
export type MediaType = 'application/json' | 'application/yaml' | 'application/vnd.kubernetes.protobuf';

/** The negotiated response format: a serialization and an optional transformation of the object. */
export interface Negotiation {
  readonly mediaType: MediaType;
  readonly pretty: boolean;
  readonly as?: { readonly kind: TransformKind; readonly version: 'v1' | 'v1beta1' };
}
/** The kinds that a client can request with `as=`. */
export type TransformKind = 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** A Table has no protobuf form. */
const PROTOBUF = 'application/vnd.kubernetes.protobuf';
/** All media types to which objects serialize. The first is the default. */
export const MEDIA_TYPES: readonly MediaType[] = ['application/json', 'application/yaml', PROTOBUF];
const TRANSFORMS: ReadonlySet<string> = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);

/** One clause of an Accept header. */
export interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** The media types and transformations that an endpoint offers. */
export interface Offer {
  readonly mediaTypes: readonly MediaType[];
  /** The media types of transformed objects. Default: the same. */
  readonly transformMediaTypes?: readonly MediaType[];
  /** Whether Table and PartialObjectMetadata are offered. */
  readonly transforms: boolean;
  /** False if Table is not one of the transforms. */
  readonly tables?: boolean;
}

/**
 * Chooses by the Accept header like upstream's NegotiateOutputMediaType: the client's order, wildcards, and transforms by `as`, `v` and
 * `g`. Throws 406 if no offer matches.
 */
export function negotiate(request: Pick<ApiRequest, 'headers' | 'query'>, offer: Offer): Negotiation {
  const chosen = choose(request, offer);
  if (chosen === undefined) throw onlyAccepted(MEDIA_TYPES);
  return chosen;
}

/** Like `negotiate`, but returns undefined if no offer matches. */
export function choose(request: Pick<ApiRequest, 'headers' | 'query'>, offer: Offer): Negotiation | undefined {
  const accept = request.headers['accept'];
  const pretty = isPretty(request);
  if (accept === undefined || accept.trim() === '') return { mediaType: 'application/json', pretty };
  for (const clause of parseAccept(accept)) {
    const chosen = fit(clause, offer, pretty);
    if (chosen !== undefined) return chosen;
  }
  return undefined;
}

/**
 * Rejects a client that accepts none of the media types produced. Upstream's web services do so before negotiation. They match
 * case-sensitively and do not match `type/*`.
 */
export function refuseUnknownAccept({ headers }: Pick<ApiRequest, 'headers'>, made: readonly string[]): void {
  const accept = headers['accept'];
  if (accept === undefined || accept.trim() === '') return;
  if (parseAccept(accept).some(({ type }) => type === '*/*' || made.includes(type))) return;
  const message = `406: Not Acceptable\n\nAvailable representations: ${made.join(', ')}`;
  throw new StatusError('NotAcceptable', message, {});
}

/** Returns the 406 for a request that accepts none of the offered media types. */
export const onlyAccepted = (mediaTypes: readonly string[]): Error =>
  notAcceptable(`only the following media types are accepted: ${mediaTypes.join(', ')}`);

/** Returns upstream's 415 for a body in an unsupported format. */
export const unknownMediaType = (accepted: readonly string[] = MEDIA_TYPES): StatusError =>
  unsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  );

/** Matches user agents of tools that show responses to people: terminals and browsers. */
const READ_BY_PEOPLE = /^(?:curl|Wget|Mozilla\/5\.0)/;
const TRUE: ReadonlySet<string> = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

/** Whether to indent JSON: if `pretty` requests it, or if the client shows the response to a person. */
export function isPretty({ headers, query }: Pick<ApiRequest, 'headers' | 'query'>): boolean {
  const value = query.get('pretty') ?? '';
  return value === '' ? READ_BY_PEOPLE.test(headers['user-agent'] ?? '') : TRUE.has(value);
}

function fit(clause: Clause, offer: Offer, pretty: boolean): Negotiation | undefined {
  const kind = clause.parameters.get('as');
  if (!streams(clause)) return undefined;
  const offered = kind === undefined ? offer.mediaTypes : (offer.transformMediaTypes ?? offer.mediaTypes);
  const mediaType = offered.find((type) => matches(clause.type, type) && !(kind === 'Table' && type === PROTOBUF));
  if (mediaType === undefined) return undefined;
  if (kind === undefined) return { mediaType, pretty: pretty || clause.parameters.get('pretty') === '1' };
  const version = clause.parameters.get('v');
  if (kind === 'Table' && offer.tables === false) return undefined;
  if (!offer.transforms || !TRANSFORMS.has(kind) || clause.parameters.get('g') !== 'meta.k8s.io') return undefined;
  if (version !== 'v1' && version !== 'v1beta1') return undefined;
  return { mediaType, pretty, as: { kind: kind as TransformKind, version } };
}

/** Whether the clause's `stream` parameter is valid for its type. YAML has no watch stream. */
const streams = ({ type, parameters }: Clause): boolean => {
  const stream = parameters.get('stream') ?? '';
  return stream === '' || (stream === 'watch' && type !== 'application/yaml');
};

function matches(range: string, offered: string): boolean {
  return range === '*/*' || range === offered || (range.endsWith('/*') && offered.startsWith(range.slice(0, -1)));
}

/** The maximum number of Accept clauses considered. Clients send fewer than ten, but a header of a megabyte holds 500,000. */
const MAX_CLAUSES = 1000;

/** Returns the clauses of an Accept header, best first: by quality, then in the order given. */
export function parseAccept(accept: string): Clause[] {
  const clauses = accept.split(',', MAX_CLAUSES).map(parseClause);
  return clauses.sort((a, b) => b.quality - a.quality);
}

function parseClause(text: string): Clause {
  const [type = '', ...rest] = text.split(';').map((part) => part.trim());
  const parameters = new Map(rest.map((part) => [part.split('=')[0] ?? '', part.slice(part.indexOf('=') + 1)]));
  const quality = Number(parameters.get('q') ?? 1);
  return { type, parameters, quality: Number.isNaN(quality) ? 1 : quality };
}
