import type { Collector, Family } from '#lib/machinery/metrics/family.ts';
import { Histogram } from '#lib/machinery/metrics/histogram.ts';
import { Value } from '#lib/machinery/metrics/value.ts';
import type { Decision } from '#lib/server/authorization/authorizer.ts';

const BUCKETS = Array.from({ length: 15 }, (_, i) => 0.001 * 2 ** i);
/** Users with their own series. All others share one, so that the metric does not reveal user names. */
const KNOWN: ReadonlySet<string> = new Set([
  'admin',
  'client',
  'kube_proxy',
  'kubelet',
  'system:serviceaccount:kube-system:default',
]);

/** Metrics of authentication and authorization, under upstream's names. */
export class AccessMetrics implements Collector {
  readonly #users = new Value({
    type: 'counter',
    name: 'authenticated_user_requests',
    help: 'Requests of those who are known, by kind of name.',
    labels: ['username'],
  });
  readonly #attempts = new Value({
    type: 'counter',
    name: 'authentication_attempts',
    help: 'Requests by whether it is known who sends them.',
    labels: ['result'],
  });
  readonly #seconds = new Histogram({
    name: 'authentication_duration_seconds',
    help: 'Seconds until it was known who sends a request.',
    labels: ['result'],
    buckets: BUCKETS,
  });
  readonly #certificates = new Histogram({
    name: 'apiserver_client_certificate_expiration_seconds',
    help: 'Seconds that certificates of clients had left when they were shown.',
    buckets: [0, 0.5, 1, 2, 6, 12, 24, 48, 96, 168, 720, 2160, 4320, 8640].map((hours) => hours * 3600),
  });
  readonly #decisions = new Value({
    type: 'counter',
    name: 'authorization_attempts_total',
    help: 'Requests by what authorization said.',
    labels: ['result'],
  });
  readonly #decided = new Histogram({
    name: 'authorization_duration_seconds',
    help: 'Seconds until authorization had decided.',
    labels: ['result'],
    buckets: BUCKETS,
  });

  /** Records the remaining validity in seconds of a client certificate. */
  certificate(seconds: number): void {
    this.#certificates.observe(seconds);
  }

  /** Records an authentication. `username` is absent if it failed or the request had no credentials. */
  authenticated(result: 'success' | 'failure' | 'error', milliseconds: number, username?: string): void {
    if (username !== undefined) this.#users.add(1, [shown(username)]);
    this.#attempts.add(1, [result]);
    this.#seconds.observe(milliseconds / 1000, [result]);
  }

  authorized({ decision, error }: Decision, milliseconds: number): void {
    const result = resultOf(decision, error);
    this.#decisions.add(1, [result]);
    this.#decided.observe(milliseconds / 1000, [result]);
  }

  collect(): readonly Family[] {
    const all = [this.#users, this.#attempts, this.#seconds, this.#certificates, this.#decisions, this.#decided];
    return all.flatMap((metric) => metric.collect());
  }
}

function resultOf(decision: Decision['decision'], error: string | undefined): string {
  if (decision === 'allow') return 'allowed';
  if (error !== undefined) return 'error';
  return decision === 'deny' ? 'denied' : 'no-opinion';
}

function shown(username: string): string {
  if (KNOWN.has(username)) return username;
  return username.includes('@') ? 'email_id' : 'other';
}
