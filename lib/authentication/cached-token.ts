import { createHash } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Authentication, TokenAuthenticator } from './authenticator.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';

/** The bounds of a cache of answers. */
export interface CacheOptions {
  readonly clock: Clock;
  /** How long an answer holds, in milliseconds. */
  readonly ttl: number;
  readonly metrics?: TokenCacheMetrics | undefined;
}

interface CacheEntry {
  readonly until: number;
  readonly answer: Promise<Authentication | undefined>;
  isThere: boolean;
}

/** Answers that are held at most; the oldest goes first. */
const CAPACITY = 10_000;

/** Asks once for a token and its audiences, also while the answer is awaited. Faults and refusals are not kept, tokens never. */
export function cachedTokens(authenticate: TokenAuthenticator, options: CacheOptions): TokenAuthenticator {
  const { clock, ttl, metrics } = options;
  const held = new Map<string, CacheEntry>();
  return (token, context) => {
    const key = keyOf(token, context.audiences);
    const known = held.get(key);
    if (known !== undefined && clock.monotonic() < known.until) return told(known, metrics);
    const answer = authenticate(token, context);
    void metrics?.fetched(answer);
    void metrics?.missed(answer);
    const entry: CacheEntry = { until: clock.monotonic() + ttl, answer, isThere: false };
    held.delete(key);
    held.set(key, entry);
    if (held.size > CAPACITY) held.delete(held.keys().next().value ?? '');
    answer.then(
      () => (entry.isThere = true),
      () => held.get(key) === entry && held.delete(key),
    );
    return answer;
  };
}

/** An answer that is still fetched is no hit. */
function told(held: CacheEntry, metrics: TokenCacheMetrics | undefined): CacheEntry['answer'] {
  if (held.isThere) metrics?.hit();
  else void metrics?.missed(held.answer);
  return held.answer;
}

/** Lengths keep what stands side by side apart. */
function keyOf(token: string, audiences: readonly string[] | undefined): string {
  const digest = createHash('sha256');
  for (const part of [token, ...(audiences === undefined ? [] : ['audiences', ...audiences])])
    digest.update(`${part.length}:${part}`);
  return digest.digest('base64');
}
