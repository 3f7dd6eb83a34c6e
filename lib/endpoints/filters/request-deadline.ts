import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import type { ApiRequest, RequestInfo } from '../api.ts';
import type { Filter } from './filter.ts';

/** Upstream's --request-timeout, in milliseconds. */
export const MAX_TIMEOUT = 60_000;
const LONG_SUBRESOURCES: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward']);

/** What may stay open for as long as its client likes. */
export const isLongRunning = ({ verb, subresource }: RequestInfo): boolean =>
  verb === 'watch' || verb === 'proxy' || LONG_SUBRESOURCES.has(subresource);

/** The request's `timeout`, at most a minute. Throws 400 where it is no duration. */
export function timeoutOf({ query }: ApiRequest): number {
  const text = query.get('timeout') ?? '';
  if (text === '') return MAX_TIMEOUT;
  const asked = milliseconds(text);
  return asked > 0 ? Math.min(asked, MAX_TIMEOUT) : MAX_TIMEOUT;
}

function milliseconds(text: string): number {
  try {
    return Number(parseDuration(text) / 1_000_000n);
  } catch (error) {
    if (error instanceof Error) throw badRequest(`invalid timeout specified in the request URL - ${error.message}`);
    throw error;
  }
}

function refuseLate(answered: AbortSignal): void {
  if (answered.aborted) return;
  throw new StatusError('Timeout', 'Timeout: request did not complete within the allotted timeout', {});
}

/** A reason that costs no stack trace. */
const ANSWERED = 'answered';

/**
 * Answers 504 where a request takes too long; its work goes on unheard. A read without a timeout of its own waits for nobody
 * (a body, a webhook), and is spared the timer.
 */
export const requestDeadline: Filter = (next, ports) => async (request, state) => {
  const spared = (request.method === 'GET' || request.method === 'HEAD') && !request.query.has('timeout');
  if (spared || isLongRunning(state.info)) return next(request, state);
  const timeout = timeoutOf(request);
  const answered = new AbortController();
  const late = ports.clock.sleep(timeout, answered.signal).then(() => refuseLate(answered.signal));
  const answer = next(request, state);
  try {
    await Promise.race([answer, late]);
    return await answer;
  } finally {
    answered.abort(ANSWERED);
  }
};
