import type { Clock } from '#lib/machinery/clock.ts';
import { tooManyRequests } from '#lib/machinery/errors.ts';
import { objectAt } from '#lib/machinery/json-value.ts';
import { text } from '#lib/machinery/unstructured.ts';
import type { Attributes } from '#lib/registry/admission.ts';
import type { AdmissionPlugin } from '../admission.ts';

export const EVENT_LIMITS = ['Server', 'Namespace', 'User', 'SourceAndObject'] as const;

/** A bound on the events of the whole server, or of each namespace, user, or source and object. */
export interface EventLimit {
  readonly type: (typeof EVENT_LIMITS)[number];
  /** Events a second. */
  readonly qps: number;
  /** Events at once. */
  readonly burst: number;
  /** How many namespaces, users or sources are told apart. */
  readonly cacheSize: number;
}

interface Bucket {
  tokens: number;
  /** Monotonic milliseconds. */
  at: number;
}

/** Refuses events that come too fast: in this process, as upstream's limits hold for each of its servers. */
export function eventRateLimit(clock: Clock, limits: readonly EventLimit[]): AdmissionPlugin {
  const enforced = limits.map((limit) => ({ limit, take: bucketsOf(limit, clock) }));
  return {
    name: 'EventRateLimit',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      const { kind, dryRun } = attributes;
      if (kind.group !== '' || kind.kind !== 'Event' || dryRun) return;
      const reached = enforced.flatMap(({ limit: { type }, take }) => {
        const key = keyOf(type, attributes);
        return take(key) ? [] : [`limit reached on type ${type} for key ${key}`];
      });
      if (reached.length === 1) throw tooManyRequests(reached.join(), 0);
      if (reached.length > 1) throw tooManyRequests(`[${reached.join(', ')}]`, 0);
    },
  };
}

/** Token buckets by key; of too many, those that were used least recently begin anew. */
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

function keyOf(type: EventLimit['type'], { namespace, user, object }: Attributes): string {
  if (type === 'Server') return '';
  if (type === 'Namespace') return namespace;
  if (type === 'User') return user.name;
  const source = objectAt(object, 'source');
  const about = objectAt(object, 'involvedObject');
  return [
    text(source, 'component'),
    text(source, 'host'),
    ...['kind', 'namespace', 'name', 'uid', 'apiVersion'].map((field) => text(about, field)),
  ].join('');
}
