import { createHash } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import { AtOnce } from '#lib/machinery/at-once.ts';
import { unauthorized } from '#lib/machinery/errors.ts';
import type { Authentication, TokenAuthenticator, TokenContext } from './authenticator.ts';
import type { TokenCacheMetrics } from './token-cache-metrics.ts';

/** The bounds of a cache of answers. */
export interface CacheOptions {
  readonly clock: Clock;
  /** How long an answer holds, in milliseconds. */
  readonly ttl: number;
  readonly metrics?: TokenCacheMetrics | undefined;
}

/** A refusal that would be told again: who refuses knows the token, and does not fail. */
interface Refusal {
  readonly refused: string;
}

/** As TokenAuthenticator, but a refusal that is to be kept is answered. One that is thrown is not kept. */
export type AskedAuthenticator = (
  token: string,
  context: TokenContext,
) => Promise<Authentication | Refusal | undefined>;

interface CacheEntry {
  until: number;
  readonly answer: Promise<Authentication | undefined>;
  isThere: boolean;
}

/** Answers that are held at most; the oldest goes first. */
const CAPACITY = 10_000;
/** Milliseconds that a refusal is kept: a wrong token asks nobody at every request, and new rights count soon. */
const REFUSED = 10_000;
/** Tokens that are asked about at once; more wait. Whoever sends them is not known yet, and no other limit comes before this one. */
const AT_ONCE = 32;

/**
 * Asks once for a token and its audiences, also while the answer is awaited. A refusal is kept for ten seconds; faults are not kept,
 * tokens never. Asks about 32 tokens at once. Throws StatusError (401) for a refusal.
 */
export function cachedTokens(authenticate: AskedAuthenticator, options: CacheOptions): TokenAuthenticator {
  const { clock, ttl, metrics } = options;
  const held = new Map<string, CacheEntry>();
  const asking = new AtOnce(AT_ONCE);
  return (token, context) => {
    const key = keyOf(token, context.audiences);
    const known = held.get(key);
    if (known !== undefined && clock.monotonic() < known.until) return told(known, metrics);
    const asked = asking.run(() => authenticate(token, context));
    const answer = asked.then(accepted);
    void metrics?.fetched(answer);
    void metrics?.missed(answer);
    const entry: CacheEntry = { until: clock.monotonic() + ttl, answer, isThere: false };
    held.delete(key);
    held.set(key, entry);
    if (held.size > CAPACITY) held.delete(held.keys().next().value ?? '');
    asked.then(
      (found) => {
        entry.isThere = true;
        if (isRefusal(found)) entry.until = clock.monotonic() + Math.min(ttl, REFUSED);
      },
      () => held.get(key) === entry && held.delete(key),
    );
    return answer;
  };
}

const isRefusal = (found: Awaited<ReturnType<AskedAuthenticator>>): found is Refusal =>
  found !== undefined && 'refused' in found;

function accepted(found: Awaited<ReturnType<AskedAuthenticator>>): Authentication | undefined {
  if (isRefusal(found)) throw unauthorized(found.refused);
  return found;
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
