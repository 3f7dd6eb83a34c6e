import type { RequestDigest } from '../rule.ts';

/** The cost of a request: seats while it runs, and additional seats for some ms after its response. */
export interface WorkEstimate {
  readonly initialSeats: number;
  readonly finalSeats: number;
  readonly additionalLatency: number;
}

/** The size of a resource in storage, if known. */
export interface StoredStats {
  readonly objects: number;
  readonly averageBytes: number;
}

/** The ports of work estimates. */
export interface EstimatePorts {
  stats(resource: { readonly group: string; readonly resource: string }): StoredStats | undefined;
  /** The number of watches that will receive the change of this request. */
  watchers(info: RequestDigest['info']): number;
}

const MAX_LIST_SEATS = 100;
const MAX_MUTATING_SEATS = 10;
const BYTES_PER_SEAT = 100_000;
/** The maximum number of bytes of a list in memory, because lists are streamed. */
const MAX_HELD = 1_000_000;
const WATCHES_PER_SEAT = 10;
/** The time in ms for which one change occupies the watches of one seat. */
const EVENT_DURATION = 5;

const ONE: WorkEstimate = { initialSeats: 1, finalSeats: 0, additionalLatency: 0 };
const MUTATING: ReadonlySet<string> = new Set(['create', 'update', 'patch', 'delete']);

/**
 * Estimates the cost of a request. Lists and watches with an initial list cost by their bytes, changes by the number of watches, and all
 * others one seat. Upstream's work estimator. `maxSeats` is the level's limit, 0 for none.
 */
export function estimateWork(
  info: RequestDigest['info'],
  query: URLSearchParams,
  maxSeats: number,
  ports: EstimatePorts,
): WorkEstimate {
  if (info.verb === 'list' || (info.verb === 'watch' && beginsWithList(query)))
    return estimateList(info, query, bounded(maxSeats, MAX_LIST_SEATS), ports);
  if (MUTATING.has(info.verb) && !isSilent(info))
    return estimateEvents(ports.watchers(info), bounded(maxSeats, MAX_MUTATING_SEATS));
  return ONE;
}

const bounded = (maxSeats: number, most: number): number => (maxSeats === 0 ? most : Math.min(maxSeats, most));

/** Whether the request causes no change that watches receive, such as the creation of a service account token. */
const isSilent = ({ resource, subresource }: RequestDigest['info']): boolean =>
  resource === 'serviceaccounts' && subresource === 'token';

function beginsWithList(query: URLSearchParams): boolean {
  const version = query.get('resourceVersion') ?? '';
  return query.get('sendInitialEvents') === 'true' || version === '' || version === '0';
}

function estimateList(
  info: RequestDigest['info'],
  query: URLSearchParams,
  most: number,
  ports: EstimatePorts,
): WorkEstimate {
  const stats = ports.stats(info);
  if (stats === undefined) return ONE;
  const limit = Number(query.get('limit') ?? 0);
  const listed = limit > 0 ? Math.min(limit, stats.objects) : stats.objects;
  const held = Math.min(MAX_HELD, (info.name === '' ? listed : 1) * stats.averageBytes);
  return { ...ONE, initialSeats: Math.max(1, Math.min(most, Math.ceil(held / BYTES_PER_SEAT))) };
}

/** If many watches receive the change, extends the duration instead of the seats. No request then waits for most of the seats at once. */
function estimateEvents(watchers: number, most: number): WorkEstimate {
  if (watchers < WATCHES_PER_SEAT) return ONE;
  const seats = Math.ceil(watchers / WATCHES_PER_SEAT);
  const finalSeats = Math.min(seats, most);
  return { initialSeats: 1, finalSeats, additionalLatency: (seats * EVENT_DURATION) / finalSeats };
}
