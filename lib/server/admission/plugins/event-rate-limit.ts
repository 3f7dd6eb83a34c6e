import type { Event } from '#lib/api/types/core.v1.ts';
import { EVENTS } from '#lib/api/types/resources.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { tooManyRequests } from '#lib/machinery/errors.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { type AttributesOf, isAbout } from '../refusal.ts';

/** Upstream's types of limits, under the names of its configuration. */
export const EVENT_LIMITS = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;

/** A limit on the events of the whole server, or per namespace, user, or source and object. */
export interface EventLimit {
  readonly type: (typeof EVENT_LIMITS)[number];
  /** Events per second. */
  readonly qps: number;
  /** The burst of events. */
  readonly burst: number;
  /** The number of tracked namespaces, users or sources. */
  readonly cacheSize: number;
}

interface Bucket {
  tokens: number;
  /** Monotonic time in ms. */
  at: number;
}

/** Rejects events above the limits. Each process counts separately, like each of upstream's servers. */
export function eventRateLimit(clock: Clock, limits: readonly EventLimit[]): AdmissionPlugin {
  const enforced = limits.map((limit) => ({ limit, take: bucketsOf(limit, clock) }));
  return {
    name: 'EventRateLimit',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      if (!isAbout(attributes, EVENTS) || attributes.dryRun) return;
      const reached = enforced.flatMap(({ limit: { type }, take }) => {
        const key = keyOf(type, attributes);
        return take(key) ? [] : [`limit reached on type ${type} for key ${key}`];
      });
      if (reached.length === 1) throw tooManyRequests(reached.join(), 0);
      if (reached.length > 1) throw tooManyRequests(`[${reached.join(', ')}]`, 0);
    },
  };
}

/** Returns token buckets by key. If there are too many, the least recently used ones are reset. */
function bucketsOf({ qps, burst, cacheSize }: EventLimit, clock: Clock): (key: string) => boolean {
  const buckets = new Map<string, Bucket>();
  return (key) => {
    const now = clock.monotonic();
    const bucket = buckets.get(key) ?? { tokens: burst, at: now };
    buckets.delete(key);
    buckets.set(key, bucket);
    for (const oldest of buckets.keys()) {
      if (buckets.size <= cacheSize) break;
      buckets.delete(oldest);
    }
    bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) / 1000) * qps);
    bucket.at = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
}

function keyOf(type: EventLimit['type'], { namespace, user, object }: AttributesOf<Event>): string {
  if (type === 'Server') return '';
  if (type === 'Namespace') return namespace;
  if (type === 'User') return user.name;
  const { component, host } = object?.source ?? {};
  const { kind, namespace: home, name, uid, apiVersion } = object?.involvedObject ?? {};
  return [component, host, kind, home, name, uid, apiVersion].join('');
}
