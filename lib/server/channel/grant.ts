import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import * as z from 'zod/mini';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { quote } from '#lib/machinery/go.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { publicKeyIn, publicKeyOf, signedText, verifiedPayload } from './signed.ts';

/** The lifetime of a grant in ms. */
const LIFETIME = 60_000;
/** The maximum delay of a message in ms. The agent's estimate of the server's time lags by that delay. */
const SKEW = 10_000;
/** The maximum number of characters of a grant, and of a user's name in it. */
const MAX_GRANT = 8 * 1024;
const MAX_USER = 512;
/** The context of signatures of grants, so that no other signature is valid as one. */
const CONTEXT = 'davit-channel-grant-v1.';

const text = z.string().check(z.maxLength(MAX_USER));

const purpose = z.object({
  /** The requested function of the kubelet. `proxy` without a pod means all functions. */
  verb: z.enum(['proxy', 'logs', 'exec', 'attach', 'portforward']),
  /** '' without a pod. */
  podUID: text,
  /** '' without a container. */
  container: text,
  user: text,
  /** The digest of the single request that the stream may make (`requestDigest`). Absent if the API server makes the request. */
  request: z.optional(text),
});

/** The request for which a stream is opened, and the user that sent it. */
export type Purpose = z.infer<typeof purpose>;

/** Returns the digest of a kubelet request: of its escaped path and its query. SHA-256, base64url. */
export const requestDigest = (path: string, query: URLSearchParams): string =>
  createHash('sha256')
    .update(`${path}?${String(query)}`)
    .digest('base64url');

const grant = z.extend(purpose, {
  node: text,
  /** The endpoint: the node by name, or an address of the pod. */
  host: text,
  port: z.int().check(z.minimum(0), z.maximum(65_535)),
  /** The stream's id. Each stream needs its own grant. */
  stream: z.int(),
  /** The session that the agent's process generated at its start. A restarted agent has not used any grant. */
  session: text,
  /** The expiration in ms since 1970, by the server's clock. */
  expires: z.number(),
});

/** The right to open one stream to a node. The API server signs it. */
export type Grant = z.infer<typeof grant>;

const opening = z.object({ grant: z.string().check(z.maxLength(MAX_GRANT)) });

/** Signs the grants of an API server. */
export class GrantSigner {
  /** The public key with which agents verify grants: SPKI, base64url. */
  readonly publicKey: string;
  readonly #key: KeyObject;
  readonly #clock: Clock;

  /** `key` is a private Ed25519 key. Default: a new key. */
  constructor(clock: Clock, key: KeyObject = generateKeyPairSync('ed25519').privateKey) {
    this.publicKey = publicKeyOf(key);
    this.#key = key;
    this.#clock = clock;
  }

  /** Returns the body of an `open`. It is valid for a minute, and only once. */
  sign({ request, ...granted }: Omit<Grant, 'expires'>): { grant: string } {
    const user = granted.user.slice(0, MAX_USER);
    const payload = { ...granted, ...defined({ request }), user, expires: this.#clock.now() + LIFETIME };
    return { grant: signedText(CONTEXT, payload, this.#key) };
  }
}

/** The agent for which grants are valid. */
export interface GrantedAgent {
  readonly node: string;
  /** The session of its hello. */
  readonly session: string;
}

/** Verifies the grants of streams to one process of a node's agent, with the key and the time in the server's last hello. */
export class GrantVerifier {
  readonly #agent: GrantedAgent;
  readonly #clock: Clock;
  #key: KeyObject | undefined;
  /** The difference between the server's time and this host's monotonic time. The host's wall clock is not trusted. */
  #ahead = 0;
  /** Granted streams, with the expiration times of their grants. */
  readonly #used = new Map<number, number>();

  constructor(agent: GrantedAgent, clock: Clock) {
    this.#agent = agent;
    this.#clock = clock;
  }

  /** Trusts the server's grants from now on. `time` is the server's time in ms since 1970. Throws Error if the key is invalid. */
  trust({ grantKey, time }: { readonly grantKey: string; readonly time: number }): void {
    this.#key = publicKeyIn(grantKey);
    this.#ahead = time - this.#clock.monotonic();
  }

  /** Returns the server's time in ms since 1970. */
  now(): number {
    return this.#clock.monotonic() + this.#ahead;
  }

  /** Returns the grant in the stream's `open`. Throws Error with the reason for the refusal. */
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
