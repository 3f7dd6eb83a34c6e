import { createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '#lib/machinery/clock.ts';
import { quote } from '#lib/machinery/go.ts';
import type { Json } from '#lib/machinery/json-value.ts';

/** Milliseconds that a grant is good for. */
const LIFETIME = 60_000;
/** Milliseconds by which a message may be late, so that the agent's idea of the server's time lags behind. */
const SKEW = 10_000;
/** Characters of a grant, and of a user's name in it. */
const MAX_GRANT = 8 * 1024;
const MAX_USER = 512;
/** Signatures of anything else are none of a grant. */
const CONTEXT = 'davit-channel-grant-v1.';

const text = z.string().max(MAX_USER);

const purpose = z.object({
  /** The kubelet's part that is asked; `proxy` without a pod is all of it. */
  verb: z.enum(['proxy', 'logs', 'exec', 'attach', 'portforward']),
  /** '' where no pod is meant. */
  podUID: text,
  /** '' where no container is meant. */
  container: text,
  user: text,
});

/** The request that a stream is opened for, and the user who makes it. */
export type Purpose = z.infer<typeof purpose>;

const grant = purpose.extend({
  node: text,
  /** The end to reach: the node by its name, or an address of the pod. */
  host: text,
  port: z.number().int().min(0).max(65_535),
  /** The stream's id: another stream needs another grant. */
  stream: z.number().int(),
  /** The session that the agent's process drew at its start: an agent that was started again has used no grant. */
  session: text,
  /** Milliseconds since 1970 by the server's clock. */
  expires: z.number(),
});

/** The right to open one stream to a node, which the API server signs. */
export type Grant = z.infer<typeof grant>;

const opening = z.object({ grant: z.string().max(MAX_GRANT) });

/** Signs the grants of one API server by a key of its own. */
export class GrantSigner {
  /** The public key by which agents verify grants: SPKI, base64url. */
  readonly publicKey: string;
  readonly #key: KeyObject;
  readonly #clock: Clock;

  constructor(clock: Clock) {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    this.publicKey = publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
    this.#key = privateKey;
    this.#clock = clock;
  }

  /** The body of an `open`. It is good for a minute, once. */
  sign(granted: Omit<Grant, 'expires'>): Json {
    const user = granted.user.slice(0, MAX_USER);
    const payload = Buffer.from(JSON.stringify({ ...granted, user, expires: this.#clock.now() + LIFETIME }));
    const signed = payload.toString('base64url');
    const signature = sign(null, Buffer.from(`${CONTEXT}${signed}`), this.#key).toString('base64url');
    return { grant: `${signed}.${signature}` };
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
    const key = createPublicKey({ key: Buffer.from(grantKey, 'base64url'), type: 'spki', format: 'der' });
    if (key.asymmetricKeyType !== 'ed25519') throw new Error('the key of grants is none of Ed25519');
    this.#key = key;
    this.#ahead = time - this.#clock.monotonic();
  }

  /** The grant of an `open` of that stream. Throws Error with the reason to refuse it. */
  verify(body: Json, stream: number): Grant {
    const granted = this.#read(body);
    const now = this.#clock.monotonic() + this.#ahead;
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
    const [signed = '', signature = '', ...rest] = opened.data.grant.split('.');
    const isSigned =
      rest.length === 0 &&
      verify(null, Buffer.from(`${CONTEXT}${signed}`), this.#key, Buffer.from(signature, 'base64url'));
    if (!isSigned) throw new Error('the grant is not signed by the server');
    const payload: unknown = JSON.parse(Buffer.from(signed, 'base64url').toString());
    const read = grant.safeParse(payload);
    if (!read.success) throw new Error('the grant is none');
    return read.data;
  }
}
