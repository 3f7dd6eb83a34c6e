import type { Client } from '#lib/client/client.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import { newKey } from './request.ts';
import { requestCertificate } from './request-certificate.ts';
import { nextRotationDeadline, validityOf } from './rotation.ts';
import type { CertificateStore } from './store.ts';

/** Milliseconds that approval may take: of the first certificate an hour, of the next ones 15 minutes. Upstream's. */
const [BOOTSTRAP_WAIT, ROTATION_WAIT] = [3_600_000, 15 * 60_000];
/** Milliseconds between attempts to rotate: at first, by which factor more, and at most. Upstream's. */
const BACKOFF = { first: 2000, factor: 2, most: 32_000 } as const;

/** The node and its ports. */
export interface ClientCertificateOptions {
  readonly node: string;
  readonly store: CertificateStore;
  readonly clock: Clock;
  /** Draws a number from 0 to below 1. */
  random(): number;
}

/** Whether the store has a certificate that is still valid. */
export async function hasValidCertificate({ store, clock }: ClientCertificateOptions): Promise<boolean> {
  const pair = await store.current();
  return pair !== undefined && clock.now() <= validityOf(pair.certificate).notAfter;
}

/**
 * Gets the first certificate by a client of the bootstrap token. The key is kept until then, so that a restart asks for no other one; a
 * request that was denied has a key of its own no more. Throws as requestCertificate.
 */
export async function bootstrap(options: ClientCertificateOptions, client: Client, signal: AbortSignal): Promise<void> {
  const { node, store, clock } = options;
  const key = (await store.pendingKey()) ?? (await newKey());
  await store.keepPendingKey(key);
  const asked = { client, clock, node, key, patience: BOOTSTRAP_WAIT };
  const pair = await requestCertificate(asked, signal).catch(async (error: unknown) => {
    if (!(error instanceof StatusError) && !signal.aborted) await store.keepPendingKey(undefined);
    throw error;
  });
  await store.update(pair);
  await store.keepPendingKey(undefined);
}

/** The ports of a rotation. */
export interface RotationOptions extends ClientCertificateOptions {
  /** A client of the certificate in use. */
  readonly client: Client;
  /** Another pair is in use. */
  rotated(pair: KeyPair): void;
  /** An attempt failed, and is repeated. */
  onFault(error: unknown): void;
}

/** Replaces the certificate at 70 to 90 % of its life, each time with a new key, until the signal aborts. */
export async function rotateCertificates(options: RotationOptions, signal: AbortSignal): Promise<void> {
  const { clock, store, random, rotated, onFault } = options;
  let wait: number = BACKOFF.first;
  while (!signal.aborted) {
    try {
      const current = await store.current();
      const deadline = current === undefined ? 0 : nextRotationDeadline(validityOf(current.certificate), random());
      await clock.sleep(Math.max(0, deadline - clock.now()), signal);
      if (signal.aborted) return;
      const pair = await nextCertificate(options, signal);
      await store.update(pair);
      rotated(pair);
      wait = BACKOFF.first;
    } catch (error) {
      if (signal.aborted) return;
      onFault(error);
      await clock.sleep(wait, signal);
      wait = Math.min(BACKOFF.most, wait * BACKOFF.factor);
    }
  }
}

const nextCertificate = async ({ client, clock, node }: RotationOptions, signal: AbortSignal): Promise<KeyPair> =>
  requestCertificate({ client, clock, node, key: await newKey(), patience: ROTATION_WAIT }, signal);
