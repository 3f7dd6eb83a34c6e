import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { systemClock } from '#adapters/clock.ts';
import { SqliteStore } from '#adapters/sqlite/store.ts';
import { HttpsTransport } from '#adapters/webhook/https-transport.ts';
import type { AuditPorts } from '#lib/endpoints/audit/audit-ports.ts';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import { auditPorts } from './audit.ts';
import { loadIdentity, newIdentity, type Identity } from './data-directory.ts';
import { dataFault } from './start-fault.ts';
import type { StartOptions } from './start-options.ts';

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
  const identity = await identityOf(options.dataDirectory);
  const store = new EncryptedStore(openStore(options), options.encryption ?? (() => undefined));
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

async function identityOf(dataDirectory: string | undefined): Promise<Identity> {
  const token = (): string => randomBytes(32).toString('base64url');
  const now = new Date(systemClock.now());
  return dataDirectory === undefined ? newIdentity(token(), now) : loadIdentity(dataDirectory, token, now);
}

function openStore({ dataDirectory, sync = 'full' }: StartOptions): SequenceStore {
  if (dataDirectory === undefined) return new MemoryStore({ clock: systemClock, retention: RETENTION });
  const path = join(dataDirectory, 'davit.db');
  try {
    return new SqliteStore({ path, clock: systemClock, retention: RETENTION, sync });
  } catch (error) {
    throw dataFault(path, error);
  }
}
