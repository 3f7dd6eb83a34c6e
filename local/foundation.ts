import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '#adapters/clock.ts';
import { hasTables } from '#adapters/sqlite/schema.ts';
import { SqliteStore } from '#adapters/sqlite/store.ts';
import { HttpsTransport } from '#adapters/webhook/https-transport.ts';
import type { AuditPorts } from '#lib/endpoints/audit/audit-ports.ts';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { auditPorts } from './audit.ts';
import { hasIdentity, loadIdentity, newIdentity, type Identity } from './data-directory.ts';
import { dataFault, StartFault } from './start-fault.ts';
import type { StartOptions } from './start-options.ts';

export const DATABASE = 'davit.db';

/** Milliseconds that what was can still be read. */
export const RETENTION = 60 * 60 * 1000;

/** What a server stands on before it listens. */
export interface Foundation {
  readonly identity: Identity;
  readonly store: EncryptedStore;
  readonly transport: HttpsTransport;
  readonly audit: AuditPorts | undefined;
  /** Aborted when the server ends. */
  readonly ending: AbortController;
  report(auditId: string, error: unknown): void;
  /** Behind everything that stands on it. */
  close(): Promise<void>;
}

/** Opens what the options name. Throws a StartFault where a file cannot be read. */
export async function lay(options: StartOptions): Promise<Foundation> {
  const { identity, plain } = await openData(options);
  const store = new EncryptedStore(plain, options.encryption ?? (() => undefined));
  const report = options.reportFault ?? (() => {});
  const transport = new HttpsTransport();
  const ending = new AbortController();
  const audit = auditPorts(options.audit, {
    transport,
    clock: systemClock,
    signal: ending.signal,
    reportFault: (error) => report('', error),
  });
  const close = async (): Promise<void> => {
    await audit?.sink.close();
    transport[Symbol.dispose]();
    await store.close();
  };
  return { identity, store, transport, audit, ending, report, close };
}

/** A first start makes the store before the identity, so that an identity without a store tells of lost data. */
async function openData(
  options: StartOptions,
): Promise<{ readonly identity: Identity; readonly plain: SequenceStore }> {
  const { dataDirectory } = options;
  if (dataDirectory !== undefined && (await hasIdentity(dataDirectory))) {
    const identity = await identityOf(dataDirectory);
    refuseLostData(dataDirectory);
    return { identity, plain: openStore(options) };
  }
  const plain = openStore(options);
  try {
    return { identity: await identityOf(dataDirectory), plain };
  } catch (error) {
    await plain.close();
    throw error;
  }
}

function refuseLostData(directory: string): void {
  const path = join(directory, DATABASE);
  try {
    if (hasTables(path)) return;
  } catch (error) {
    throw dataFault(path, error);
  }
  const identity = join(directory, 'identity.json');
  throw new StartFault(
    `${path} is missing or empty, but ${identity} is there; put back a copy and run davit restore --data-dir ${directory}, or remove ${identity} to begin anew`,
  );
}

async function identityOf(dataDirectory: string | undefined): Promise<Identity> {
  const token = (): string => randomBytes(32).toString('base64url');
  const now = new Date(systemClock.now());
  return dataDirectory === undefined ? newIdentity(token(), now) : loadIdentity(dataDirectory, token, now);
}

function openStore({ dataDirectory, sync = 'full' }: StartOptions): SequenceStore {
  if (dataDirectory === undefined) return new MemoryStore({ clock: systemClock, retention: RETENTION });
  const path = join(dataDirectory, DATABASE);
  try {
    return new SqliteStore({ path, clock: systemClock, retention: RETENTION, sync });
  } catch (error) {
    throw dataFault(path, error);
  }
}
