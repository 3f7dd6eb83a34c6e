import { createHash } from 'node:crypto';
import { AtOnce } from '#lib/machinery/at-once.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { tooManyRequests, unauthorized } from '#lib/machinery/errors.ts';
import type { Authentication, TokenAuthenticator, TokenContext } from './authenticator.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';

/** The limits of a cache of results. */
export interface CacheOptions {
  readonly clock: Clock;
  /** How long a result is valid, in ms. */
  readonly ttl: number;
  readonly metrics?: TokenCacheMetrics | undefined;
}

/** A cacheable rejection: the authenticator worked and rejected the token. */
interface Refusal {
  readonly refused: string;
}

/** Like TokenAuthenticator, but returns cacheable rejections. A thrown rejection is not cached. */
export type AskedAuthenticator = (
  token: string,
  context: TokenContext,
) => Promise<Authentication | Refusal | undefined>;

interface CacheEntry {
  until: number;
  readonly answer: Promise<Authentication | undefined>;
  isThere: boolean;
}

/** The maximum number of cached users, and of other results. The oldest entry is evicted. */
const CAPACITY = 10_000;
/**
 * How long a rejection is cached, in ms. An invalid token then does not cause a call per request, and new permissions still take effect
 * soon.
 */
const REFUSED = 10_000;
/**
 * The number of tokens that are authenticated concurrently. Others wait. Their senders are not authenticated yet, so no other limit applies
 * before this one.
 */
const AT_ONCE = 32;
/** The maximum number of waiting tokens, including those whose clients disconnected. */
const WAITING = 256;

/**
 * Caches results by token and audiences and shares a pending call. Rejections are cached for ten seconds and never evict users. Errors and
 * the tokens themselves are not cached. At most 32 tokens are authenticated at once. Throws StatusError: 401 for a rejection, 429 if 256
 * tokens wait.
 */
export function cachedTokens(authenticate: AskedAuthenticator, options: CacheOptions): TokenAuthenticator {
  const { clock, ttl, metrics } = options;
  const users = new Map<string, CacheEntry>();
  const others = new Map<string, CacheEntry>();
  const asking = new AtOnce(AT_ONCE);
  return async (token, context) => {
    const key = keyOf(token, context.audiences);
    const now = clock.monotonic();
    const known = [users.get(key), others.get(key)].find((entry) => entry !== undefined && now < entry.until);
    if (known !== undefined) return told(known, metrics);
    if (asking.waiting >= WAITING) throw tooManyRequests('too many unknown tokens, please try again later', 1);
    const asked = asking.run(() => authenticate(token, context));
    const answer = asked.then(accepted);
    void metrics?.fetched(answer);
    void metrics?.missed(answer);
    const entry: CacheEntry = { until: now + ttl, answer, isThere: false };
    put(others, key, entry);
    asked.then(
      (found) => {
        entry.isThere = true;
        if (isRefusal(found)) entry.until = clock.monotonic() + Math.min(ttl, REFUSED);
        else if (found !== undefined) {
          remove(others, key, entry);
          put(users, key, entry);
        }
      },
      () => remove(others, key, entry),
    );
    return answer;
  };
}

/** Adds an entry as the newest one and evicts the oldest if there are too many. */
function put(held: Map<string, CacheEntry>, key: string, entry: CacheEntry): void {
  held.delete(key);
  held.set(key, entry);
  const [oldest] = held.keys();
  if (held.size > CAPACITY && oldest !== undefined) held.delete(oldest);
}

function remove(held: Map<string, CacheEntry>, key: string, entry: CacheEntry): void {
  if (held.get(key) === entry) held.delete(key);
}

const isRefusal = (found: Awaited<ReturnType<AskedAuthenticator>>): found is Refusal =>
  found !== undefined && 'refused' in found;

function accepted(found: Awaited<ReturnType<AskedAuthenticator>>): Authentication | undefined {
  if (isRefusal(found)) throw unauthorized(found.refused);
  return found;
}

/** Counts a pending result as a miss. */
function told(held: CacheEntry, metrics: TokenCacheMetrics | undefined): CacheEntry['answer'] {
  if (held.isThere) metrics?.hit();
  else void metrics?.missed(held.answer);
  return held.answer;
}

/** Includes the lengths, so that different parts cannot produce the same key. */
function keyOf(token: string, audiences: readonly string[] | undefined): string {
  const digest = createHash('sha256');
  for (const part of [token, ...(audiences === undefined ? [] : ['audiences', ...audiences])])
    digest.update(`${part.length}:${part}`);
  return digest.digest('base64');
}
