import type { Client } from '#lib/client/client.ts';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import { delayAfter } from '#lib/machinery/wait/backoff.ts';
import { newKey, nodeCertificateRequest, servingCertificateRequest } from './request.ts';
import { requestCertificate } from './request-certificate.ts';
import { nextRotationDeadline, validityOf } from './rotation.ts';
import { hasNames, type ServingNames } from './serving-names.ts';
import type { CertificateStore } from './store.ts';

/** Time-outs for approval in milliseconds: an hour for the first certificate, 15 minutes for later ones. Both match upstream. */
const [BOOTSTRAP_WAIT, ROTATION_WAIT] = [3_600_000, 15 * 60_000];
/** Backoff in ms between attempts to rotate. It matches upstream. */
const BACKOFF = { duration: 2000, factor: 2, cap: 32_000 };

/** Interval in ms between checks of a node's names. It matches upstream. */
const LOOK = 1000;

/** The settings and ports of a node's certificates. */
export interface ClientCertificateOptions {
  readonly node: string;
  readonly store: CertificateStore;
  readonly clock: Clock;
  /** Returns a random number in [0, 1). */
  random(): number;
}

/** Whether the store has a certificate that is still valid. */
export async function hasValidCertificate({ store, clock }: ClientCertificateOptions): Promise<boolean> {
  const pair = await store.current();
  return pair !== undefined && clock.now() <= validityOf(pair.certificate).notAfter;
}

/**
 * Requests the first certificate with the bootstrap token's client. The key is stored until the certificate arrives, so a restart reuses
 * the request. A denial deletes the key. Throws like requestCertificate.
 */
export async function bootstrap(options: ClientCertificateOptions, client: Client, signal: AbortSignal): Promise<void> {
  const { node, store, clock } = options;
  const key = (await store.pendingKey()) ?? (await newKey());
  await store.keepPendingKey(key);
  const asked = { client, clock, request: await nodeCertificateRequest(node, key), key, patience: BOOTSTRAP_WAIT };
  const pair = await requestCertificate(asked, signal).catch(async (error: unknown) => {
    if (!(error instanceof StatusError) && !signal.aborted) await store.keepPendingKey(undefined);
    throw error;
  });
  await store.update(pair);
  await store.keepPendingKey(undefined);
}

/** The ports of a rotation. */
export interface RotationOptions extends ClientCertificateOptions {
  /** A client with the node's identity. */
  readonly client: Client;
  /** The names for a serving certificate, or undefined while there are none. Absent for a client certificate. */
  serving?(): ServingNames | undefined;
  /** Called when a new key pair is in use. */
  rotated(pair: KeyPair): void;
  /** Called when an attempt fails. The attempt is retried. */
  onFault(error: unknown): void;
}

/**
 * Replaces the certificate at 70 to 90 % of its lifetime, each time with a new key, until the signal aborts. A missing serving certificate
 * is requested, and one that lacks a name of the node is replaced. Attempts are delayed, because a new certificate is due at once if the
 * node's clock is ahead.
 */
export async function rotateCertificates(options: RotationOptions, signal: AbortSignal): Promise<void> {
  const { clock, store, rotated, onFault } = options;
  let attempts = 0;
  let pause = 0;
  while (!signal.aborted) {
    try {
      const began = clock.monotonic();
      await untilDue(options, await store.current(), signal);
      const waited = clock.monotonic() - began;
      if (waited > 0) attempts = 0;
      if (pause > waited) await clock.sleep(pause - waited, signal);
      if (signal.aborted) return;
      const pair = await nextCertificate(options, signal);
      await store.update(pair);
      rotated(pair);
      pause = delayAfter(++attempts, BACKOFF);
    } catch (error) {
      if (signal.aborted) return;
      onFault(error);
      await clock.sleep(delayAfter(++attempts, BACKOFF), signal);
    }
  }
}

async function untilDue(
  { clock, node, random, serving }: RotationOptions,
  current: KeyPair | undefined,
  signal: AbortSignal,
): Promise<void> {
  const deadline = current === undefined ? 0 : nextRotationDeadline(validityOf(current.certificate), random());
  if (serving === undefined) return clock.sleep(Math.max(0, deadline - clock.now()), signal);
  while (!signal.aborted) {
    const names = serving();
    const isGood = current !== undefined && (names === undefined || hasNames(current.certificate, node, names));
    if (names !== undefined && !(isGood && clock.now() < deadline)) return;
    await clock.sleep(LOOK, signal);
  }
}

async function nextCertificate(
  { client, clock, node, serving }: RotationOptions,
  signal: AbortSignal,
): Promise<KeyPair> {
  const key = await newKey();
  const names = serving?.();
  const asked = { client, clock, key, patience: ROTATION_WAIT };
  if (names === undefined)
    return requestCertificate({ ...asked, request: await nodeCertificateRequest(node, key) }, signal);
  const request = await servingCertificateRequest(node, key, names);
  return requestCertificate(
    { ...asked, request, isStale: () => JSON.stringify(serving?.()) !== JSON.stringify(names) },
    signal,
  );
}
