import type { Clock } from '#lib/machinery/clock.ts';
import { parseDuration } from '#lib/machinery/duration.ts';
import { badRequest, StatusError } from '#lib/machinery/errors.ts';
import { within } from '#lib/machinery/wait/within.ts';
import type { ApiRequest } from '#lib/server/request/api-request.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import type { RequestInfo } from '#lib/server/request/request-info.ts';
import type { ApiResponse } from '../api.ts';
import type { Filter } from './filter.ts';

/** Upstream's --request-timeout in ms. */
export const MAX_TIMEOUT = 60_000;
const LONG_SUBRESOURCES: ReadonlySet<string> = new Set(['attach', 'exec', 'proxy', 'log', 'portforward', 'channel']);

/** Whether a request has no time limit. */
export const isLongRunning = ({ verb, subresource }: RequestInfo): boolean =>
  verb === 'watch' || verb === 'proxy' || LONG_SUBRESOURCES.has(subresource);

/** Returns the request's `timeout`, at most a minute. Throws 400 if it is not a duration. */
export function timeoutOf({ query }: ApiRequest): number {
  const text = query.get('timeout') ?? '';
  if (text === '') return MAX_TIMEOUT;
  const requested = milliseconds(text);
  return requested > 0 ? Math.min(requested, MAX_TIMEOUT) : MAX_TIMEOUT;
}

function milliseconds(text: string): number {
  try {
    return Number(parseDuration(text) / 1_000_000n);
  } catch (error) {
    if (error instanceof Error) throw badRequest(`invalid timeout specified in the request URL - ${error.message}`);
    throw error;
  }
}

function tooLate({ outcome }: RequestContext): StatusError {
  outcome.terminated = true;
  return new StatusError('Timeout', 'Timeout: request did not complete within the allotted timeout', {});
}

/** The interval in ms at which the longest waits are checked. */
const LOOK = 1000;

/** Times out requests without a timeout of their own. They share one timer, because one timer each would cost as much as authorization. */
class LongestWaits {
  readonly #clock: Clock;
  /** The monotonic deadline of each request, earliest first. */
  readonly #late = new Map<() => void, number>();
  #isLooking = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Resolves with the response, or rejects with Timeout at most a second after the deadline. */
  within(answer: Promise<ApiResponse>, context: RequestContext): Promise<ApiResponse> {
    return new Promise((resolve, reject) => {
      const end = (): void => reject(tooLate(context));
      this.#late.set(end, this.#clock.monotonic() + MAX_TIMEOUT);
      const done = (): void => void this.#late.delete(end);
      answer.then(resolve, reject).finally(done);
      if (!this.#isLooking) void this.#look();
    });
  }

  async #look(): Promise<void> {
    this.#isLooking = true;
    while (this.#late.size > 0) {
      await this.#clock.sleep(LOOK);
      const now = this.#clock.monotonic();
      for (const [end, at] of this.#late) {
        if (at > now) break;
        end();
        this.#late.delete(end);
      }
    }
    this.#isLooking = false;
  }
}

/**
 * Returns 504 if a request takes too long, and discards its eventual result. A read without its own timeout depends on no other party (a
 * body, a webhook), so it needs no timer.
 */
export const requestDeadline: Filter = (next, { clock }) => {
  const longest = new LongestWaits(clock);
  return async (context) => {
    const { request, info } = context;
    const own = request.query.has('timeout');
    const spared = (request.method === 'GET' || request.method === 'HEAD') && !own;
    if (spared || isLongRunning(info)) return next(context);
    if (!own) return longest.within(next(context), context);
    return within(timeoutOf(request), () => next(context), { clock, error: () => tooLate(context) });
  };
};
