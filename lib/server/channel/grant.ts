import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { quote } from '#lib/machinery/go.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { publicKeyIn, publicKeyOf, signedText, verifiedPayload } from './signed.ts';

/** Milliseconds that a grant is good for. */
const LIFETIME = 60_000;
/** Milliseconds by which a message may be late, so that the agent's idea of the server's time lags behind. */
const SKEW = 10_000;
/** Characters of a grant, and of a user's name in it. */
const MAX_GRANT = 8 * 1024;
const MAX_USER = 512;
/** Signatures of anything else are none of a grant. */
const CONTEXT = 'davit-channel-grant-v1.';

const text = z.string().check(z.maxLength(MAX_USER));

const purpose = z.object({
  /** The kubelet's part that is asked; `proxy` without a pod is all of it. */
  verb: z.enum(['proxy', 'logs', 'exec', 'attach', 'portforward']),
  /** '' where no pod is meant. */
  podUID: text,
  /** '' where no container is meant. */
  container: text,
  user: text,
  /** The digest of the one request that the stream may make (`requestDigest`). Absent where the API server makes it. */
  request: z.optional(text),
});

/** The request that a stream is opened for, and the user who makes it. */
export type Purpose = z.infer<typeof purpose>;

/** The digest of a request to the kubelet: of its path, escaped, and its query. SHA-256, base64url. */
export const requestDigest = (path: string, query: URLSearchParams): string =>
  createHash('sha256')
    .update(`${path}?${String(query)}`)
    .digest('base64url');

const grant = z.extend(purpose, {
  node: text,
  /** The end to reach: the node by its name, or an address of the pod. */
  host: text,
  port: z.int().check(z.minimum(0), z.maximum(65_535)),
  /** The stream's id: another stream needs another grant. */
  stream: z.int(),
  /** The session that the agent's process drew at its start: an agent that was started again has used no grant. */
  session: text,
  /** Milliseconds since 1970 by the server's clock. */
  expires: z.number(),
});

/** The right to open one stream to a node, which the API server signs. */
export type Grant = z.infer<typeof grant>;

const opening = z.object({ grant: z.string().check(z.maxLength(MAX_GRANT)) });

/** Signs the grants of an API server. */
export class GrantSigner {
  /** The public key by which agents verify grants: SPKI, base64url. */
  readonly publicKey: string;
  readonly #key: KeyObject;
  readonly #clock: Clock;

  /** `key`: a private Ed25519 key. Default one of its own. */
  constructor(clock: Clock, key: KeyObject = generateKeyPairSync('ed25519').privateKey) {
    this.publicKey = publicKeyOf(key);
    this.#key = key;
    this.#clock = clock;
  }

  /** The body of an `open`. It is good for a minute, once. */
  sign({ request, ...granted }: Omit<Grant, 'expires'>): { grant: string } {
    const user = granted.user.slice(0, MAX_USER);
    const payload = { ...granted, ...defined({ request }), user, expires: this.#clock.now() + LIFETIME };
    return { grant: signedText(CONTEXT, payload, this.#key) };
  }
}

/** The agent that grants are verified by. */
export interface GrantedAgent {
  readonly node: string;
  /** The session of its hello. */
  readonly session: string;
}

/** Verifies the grants of streams to one process of a node's agent, by the key and the time of the server's last hello. */
export class GrantVerifier {
  readonly #agent: GrantedAgent;
  readonly #clock: Clock;
  #key: KeyObject | undefined;
  /** The server's time less the monotonic time of this host: its wall clock is not relied on. */
  #ahead = 0;
  /** Streams that were granted, with the times when their grants end. */
  readonly #used = new Map<number, number>();

  constructor(agent: GrantedAgent, clock: Clock) {
    this.#agent = agent;
    this.#clock = clock;
  }

  /** From now on the server's grants count. `time`: milliseconds since 1970 by its clock. Throws Error for what is no key. */
  trust({ grantKey, time }: { readonly grantKey: string; readonly time: number }): void {
    this.#key = publicKeyIn(grantKey);
    this.#ahead = time - this.#clock.monotonic();
  }

  /** The server's time, milliseconds since 1970. */
  now(): number {
    return this.#clock.monotonic() + this.#ahead;
  }

  /** The grant of an `open` of that stream. Throws Error with the reason to refuse it. */
  verify(body: Json, stream: number): Grant {
    const granted = this.#read(body);
    const now = this.now();
    const { node, session } = this.#agent;
    if (granted.node !== node) throw new Error(`the grant is for node ${quote(granted.node)}`);
    if (granted.session !== session) throw new Error('the grant is for another session of the agent');
    if (granted.stream !== stream) throw new Error('the grant is for another stream');
    if (granted.expires <= now) throw new Error('the grant has expired');
    if (granted.expires > now + LIFETIME + SKEW) throw new Error('the grant is for too long');
    for (const [used, expires] of this.#used) if (expires <= now) this.#used.delete(used);
    if (this.#used.has(stream)) throw new Error('the grant was used before');
    this.#used.set(stream, granted.expires);
    return granted;
  }

  #read(body: Json): Grant {
    const opened = opening.safeParse(body);
    if (!opened.success || this.#key === undefined) throw new Error('the stream has no grant');
    const payload = verifiedPayload(CONTEXT, opened.data.grant, this.#key);
    if (payload === undefined) throw new Error('the grant is not signed by the server');
    const read = grant.safeParse(payload);
    if (!read.success) throw new Error('the grant is none');
    return read.data;
  }
}
