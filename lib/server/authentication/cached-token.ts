import { createHash } from 'node:crypto';
import { AtOnce } from '#lib/machinery/at-once.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { tooManyRequests, unauthorized } from '#lib/machinery/errors.ts';
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

/** Users that are held at most, and other answers; the oldest goes first. */
const CAPACITY = 10_000;
/** Milliseconds that a refusal is kept: a wrong token asks nobody at every request, and new rights count soon. */
const REFUSED = 10_000;
/** Tokens that are asked about at once; more wait. Whoever sends them is not known yet, and no other limit comes before this one. */
const AT_ONCE = 32;
/** Tokens that wait at most: those whose senders have left wait too. */
const WAITING = 256;

/**
 * Asks once for a token and its audiences, also while the answer is awaited. A refusal is kept for ten seconds, and takes no place
 * from users; faults are not kept, tokens never. Asks about 32 tokens at once. Throws StatusError: 401 for a refusal, 429 if 256
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

/** The newest entry; the oldest one goes where there are too many. */
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
