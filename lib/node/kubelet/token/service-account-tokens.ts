import type { TokenRequest } from '#lib/api/types/authentication.v1.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import type { TokenSpec } from '#lib/node/volume/host.ts';

/** The spec and status of a token that the server gave. */
export type IssuedToken = Pick<TokenRequest, 'spec' | 'status'>;

/** The API and the node under the tokens. */
export interface ServiceAccountTokensOptions {
  readonly clock: Clock;
  /** A number from 0 to less than 1. */
  random(): number;
  /** Asks the API for a token that is bound to the pod. Throws where the server gives none. */
  request(spec: TokenSpec): Promise<IssuedToken>;
  /** Told of a refresh that fails while the token before is good. Never gets a token. */
  log(message: string): void;
}

/** Milliseconds after which a token is refreshed at the latest, and how much earlier by chance. */
const [MAX_AGE, MAX_JITTER] = [24 * 3_600_000, 10_000];
/** Milliseconds between two clean-ups. */
const CLEANUP_PERIOD = 60_000;

interface Kept {
  readonly podUid: string;
  readonly token: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** Milliseconds. */
  readonly life: number | undefined;
}

/**
 * Tokens of service accounts for pods (upstream: token.Manager). A token is refreshed after four fifths of its life or a day, with jitter; while the
 * server gives no new one, the one before serves to its end.
 */
export class ServiceAccountTokens {
  readonly #options: ServiceAccountTokensOptions;
  readonly #tokens = new Map<string, Kept>();
  #cleaned = 0;

  constructor(options: ServiceAccountTokensOptions) {
    this.#options = options;
  }

  /** Throws where the server gives no token and none that was had is good. */
  async get(spec: TokenSpec): Promise<string> {
    return (await this.issued(spec)).token;
  }

  /** As `get`, with the end of the token in milliseconds since 1970. */
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

  /** Forgets the tokens of a pod that is gone. */
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
    // An expired token of a pod that still runs is fetched again: losing it changes the text of a failure alone.
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

/** The token's name in texts, in Go's notation. It has nothing secret. */
function keyOf(spec: TokenSpec): string {
  const { namespace, serviceAccount, pod, audience, expirationSeconds = 0, serviceAccountUid } = spec;
  const { name: podName, uid: podUid } = pod.metadata;
  const [name, space, boundName, uid, accountUid] = [serviceAccount, namespace, podName, podUid, serviceAccountUid].map(
    (text) => JSON.stringify(text ?? ''),
  );
  const audiences = audience === '' ? '[]string(nil)' : `[]string{${JSON.stringify(audience)}}`;
  return `${name}/${space}/${audiences}/${expirationSeconds}/v1.BoundObjectReference{Kind:"Pod", APIVersion:"v1", Name:${boundName}, UID:${uid}}/${accountUid}`;
}
