import type { TokenRequest } from '#lib/api/types/authentication.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { TokenSpec } from '#lib/node/volume/host.ts';

/** The spec and status of a token from the server. */
export type IssuedToken = Pick<TokenRequest, 'spec' | 'status'>;

/** The ports of ServiceAccountTokens. */
export interface ServiceAccountTokensOptions {
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  random(): number;
  /** Requests a token from the API that is bound to the pod. Throws if the server returns none. */
  request(spec: TokenSpec): Promise<IssuedToken>;
  /** Logs a failed refresh while the previous token is valid. Never called with a token. */
  log(message: string): void;
}

/** Maximum age of a token in ms before its refresh, and the maximum jitter in ms by which a refresh is earlier. */
const [MAX_AGE, MAX_JITTER] = [24 * 3_600_000, 10_000];
/** Interval in ms between two cleanups. */
const CLEANUP_PERIOD = 60_000;

interface Kept {
  readonly podUid: string;
  readonly token: string;
  /** Expiration time in milliseconds since 1970. */
  readonly expires: number;
  /** Lifetime in milliseconds. */
  readonly life: number | undefined;
}

/**
 * Service account tokens for pods (upstream: token.Manager). A token is refreshed after 80 % of its lifetime or a day, with jitter. If the
 * server returns no new one, the previous token is used until it expires.
 */
export class ServiceAccountTokens {
  readonly #options: ServiceAccountTokensOptions;
  readonly #tokens = new Map<string, Kept>();
  #cleaned = 0;

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
  }

  /** Throws if the server returns no token and no previous one is valid. */
  async get(spec: TokenSpec): Promise<string> {
    return (await this.issued(spec)).token;
  }

  /** Like `get`, with the expiration time of the token in milliseconds since 1970. */
  async issued(spec: TokenSpec): Promise<Pick<Kept, 'token' | 'expires'>> {
    this.#cleanUp();
    const key = keyOf(spec);
    const kept = this.#tokens.get(key);
    if (kept !== undefined && !this.#requiresRefresh(kept)) return kept;
    try {
      const issued = keep(spec, await this.#options.request(spec));
      this.#tokens.set(key, issued);
      return issued;
    } catch (error) {
      const reason = messageOfError(error);
      if (kept === undefined) throw new Error(`failed to fetch token: ${reason}`, { cause: error });
      if (this.#options.clock.now() > kept.expires)
        throw new Error(`token ${key} expired and refresh failed: ${reason}`, { cause: error });
      this.#options.log(`Couldn't update token ${key}: ${reason}`);
      return kept;
    }
  }

  /** Forgets the tokens of a deleted pod. */
  deletePod(podUid: string): void {
    for (const [key, kept] of this.#tokens) if (kept.podUid === podUid) this.#tokens.delete(key);
  }

  #requiresRefresh({ expires, life }: Kept): boolean {
    if (life === undefined) return false;
    const now = this.#options.clock.now();
    const jitter = Math.trunc((this.#options.random() * MAX_JITTER) / 1000) * 1000;
    const spare = Math.trunc((life / 1000) * 0.2) * 1000;
    return now > expires - life + MAX_AGE - jitter || now > expires - spare - jitter;
  }

  #cleanUp(): void {
    const now = this.#options.clock.now();
    if (now - this.#cleaned < CLEANUP_PERIOD) return;
    this.#cleaned = now;
    // If the pod is still running, an expired token is requested again. The removal only changes the text of a failure.
    for (const [key, { expires }] of this.#tokens) if (now > expires) this.#tokens.delete(key);
  }
}

function keep({ pod }: TokenSpec, { spec, status }: IssuedToken): Kept {
  return {
    podUid: pod.metadata.uid ?? '',
    token: status.token,
    expires: Date.parse(status.expirationTimestamp ?? ''),
    life: spec.expirationSeconds === null ? undefined : Number(spec.expirationSeconds) * 1000,
  };
}

/** The key of a token in Go's notation, which also appears in messages. It contains no secret. */
function keyOf(spec: TokenSpec): string {
  const { namespace, serviceAccount, pod, audience, expirationSeconds = 0, serviceAccountUid } = spec;
  const { name: podName, uid: podUid } = pod.metadata;
  const [name, space, boundName, uid, accountUid] = [serviceAccount, namespace, podName, podUid, serviceAccountUid].map(
    (text) => JSON.stringify(text ?? ''),
  );
  const audiences = audience === '' ? '[]string(nil)' : `[]string{${JSON.stringify(audience)}}`;
  return `${name}/${space}/${audiences}/${expirationSeconds}/v1.BoundObjectReference{Kind:"Pod", APIVersion:"v1", Name:${boundName}, UID:${uid}}/${accountUid}`;
}
