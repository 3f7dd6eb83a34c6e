import { createHash } from 'node:crypto';
import type { Clock } from '#lib/machinery/clock.ts';
import type { Authentication, TokenAuthenticator } from './authenticator.ts';

export interface CacheOptions {
  readonly clock: Clock;
  /** How long an answer holds, in milliseconds. */
  readonly ttl: number;
}

interface Held {
  readonly until: number;
  readonly answer: Promise<Authentication | undefined>;
}

/** Answers that are held at most; the oldest goes first. */
const CAPACITY = 10_000;

/** Asks once for a token and its audiences, also while the answer is awaited. Faults and refusals are not kept, tokens never. */
export function cachedTokens(authenticate: TokenAuthenticator, { clock, ttl }: CacheOptions): TokenAuthenticator {
  const held = new Map<string, Held>();
  return (token, context) => {
    const key = keyOf(token, context.audiences);
    const known = held.get(key);
    if (known !== undefined && clock.monotonic() < known.until) return known.answer;
    const answer = authenticate(token, context);
    const entry = { until: clock.monotonic() + ttl, answer };
    held.delete(key);
    held.set(key, entry);
    if (held.size > CAPACITY) held.delete(held.keys().next().value ?? '');
    answer.catch(() => held.get(key) === entry && held.delete(key));
    return answer;
  };
}

/** Lengths keep what stands side by side apart. */
function keyOf(token: string, audiences: readonly string[] | undefined): string {
  const digest = createHash('sha256');
  for (const part of [token, ...(audiences === undefined ? [] : ['audiences', ...audiences])])
    digest.update(`${part.length}:${part}`);
  return digest.digest('base64');
}
