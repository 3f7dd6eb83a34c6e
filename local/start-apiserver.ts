import { randomBytes } from 'node:crypto';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { getHeapStatistics } from 'node:v8';
import { systemClock } from '#adapters/clock.ts';
import { processMetrics } from '#adapters/process/process-metrics.ts';
import { HttpServer } from '#adapters/http/server.ts';
import { SqliteStore } from '#adapters/sqlite/store.ts';
import { HttpsTransport } from '#adapters/webhook/https-transport.ts';
import { buildApiserver, type Apiserver, type ApiserverOptions } from '#functions/apiserver/wiring.ts';
import type { ServiceAccountKeys } from '#lib/authentication/service-account/identity.ts';
import { SYSTEM_MASTERS, type User } from '#lib/authentication/user.ts';
import { EncryptedStore, type TransformerOf } from '#lib/storage/encryption/encrypted-store.ts';
import { MemoryStore } from '#lib/storage/memory/store.ts';
import type { SequenceStore } from '#lib/storage/sequence.ts';
import type { WebhookFunctions } from '#lib/webhook/functions.ts';
import { advertiseAddress } from './advertise-address.ts';
import { auditPorts, type AuditOptions } from './audit.ts';
import { loadIdentity, lockDirectory, newIdentity, type Identity } from './data-directory.ts';
import { kubeconfig } from './kubeconfig.ts';
import { fileFault, listenFault } from './start-fault.ts';
import { checkpointing } from './checkpointing.ts';
import { runControllers } from './controllers.ts';

export type SyncMode = 'full' | 'normal' | 'off';

export interface StartOptions {
  /** Where objects and identity are kept; undefined keeps everything in memory. */
  readonly dataDirectory?: string;
  /** Default 127.0.0.1: nothing but this machine. */
  readonly host?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  /** When a write counts as durable. Default full: when the disk says so. */
  readonly sync?: SyncMode;
  /** Default true: namespaces end, owners take their dependents along. */
  readonly controllers?: boolean;
  /** Functions that answer webhooks in place of the Services whose names they have. */
  readonly functions?: WebhookFunctions;
  /** Bearer tokens besides the administrator's. */
  readonly tokens?: ReadonlyMap<string, User>;
  /** Who is asked what users may do, in this order. Default Node, RBAC. */
  readonly authorizers?: NonNullable<ApiserverOptions['authorizers']>;
  /** Who else is known, and how. */
  readonly authentication?: ApiserverOptions['authentication'];
  /** Default false: whoever asks for pod security policies is told what is in their place. */
  readonly legacyPsp?: boolean;
  /** Which admission plugins run, and how. */
  readonly admission?: NonNullable<ApiserverOptions['admission']>;
  /** How bodies are stored. Default as they are. */
  readonly encryption?: TransformerOf;
  /** What is written of requests, and where to. Default nothing. */
  readonly audit?: AuditOptions;
  /** Signs the certificates of clients besides our own, PEM. */
  readonly clientCa?: string;
  /** How many requests are served at once, and who waits for whom. Default upstream's. */
  readonly flowControl?: NonNullable<ApiserverOptions['flowControl']>;
  /** Signs the certificates of authenticating proxies, PEM. */
  readonly proxyCa?: string;
  /** In place of the keys and the issuer that the server makes for itself. */
  readonly serviceAccounts?: Partial<ServiceAccountKeys>;
  reportFault?(auditId: string, error: unknown): void;
}

/** A running server. `await using` ends it. */
export interface RunningApiserver extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** A kubeconfig of the administrator, as YAML. */
  readonly kubeconfig: string;
  readonly adminToken: string;
  readonly certificateAuthority: string;
  /** As Apiserver's. */
  reconfigure: Apiserver['reconfigure'];
  close(): Promise<void>;
}

const RETENTION = 60 * 60 * 1000;

/** Of the memory that the machine has and the heap may take, what caches may hold. */
const CACHE_SHARE = 0.4;

/** Upstream's --max-requests-inflight and --max-mutating-requests-inflight together. */
const CONCURRENCY = 600;

/** Starts the whole control plane in this process. */
export async function startApiserver(options: StartOptions = {}): Promise<RunningApiserver> {
  const { dataDirectory } = options;
  const unlock = dataDirectory === undefined ? async () => {} : await lockDirectory(dataDirectory);
  try {
    return await start(options, unlock);
  } catch (error) {
    await unlock();
    throw error;
  }
}

async function start(options: StartOptions, unlock: () => Promise<void>): Promise<RunningApiserver> {
  const { dataDirectory, host = '127.0.0.1' } = options;
  const identity = await identityOf(dataDirectory);
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
  let server: Apiserver | undefined;
  const http = await HttpServer.listen({
    host,
    port: options.port ?? 0,
    certificate: identity.server.certificate,
    key: identity.server.key,
    clientCa: [identity.authority, identity.signer.certificate, options.clientCa ?? ''].join('\n'),
    ...(options.proxyCa === undefined ? {} : { proxyCa: options.proxyCa }),
    gzip: true,
    handle: (request) => (server as Apiserver).handle(request),
    onFault: (error) => report('', error),
  }).catch(async (error: unknown) => {
    await store.close();
    throw listenFault(`${host}:${options.port ?? 0}`, error);
  });
  const url = `https://${host}:${http.port}`;
  server = buildApiserver({
    store,
    clock: systemClock,
    exclusive: true,
    cacheBytes: Math.floor(Math.min(totalmem(), getHeapStatistics().heap_size_limit) * CACHE_SHARE),
    serverAddress: `${host}:${http.port}`,
    tokens: new Map([...(options.tokens ?? []), [identity.adminToken, { name: 'admin', groups: [SYSTEM_MASTERS] }]]),
    ...(options.authorizers === undefined ? {} : { authorizers: options.authorizers }),
    ...(options.authentication === undefined ? {} : { authentication: options.authentication }),
    legacyPsp: options.legacyPsp === true,
    ...(options.admission === undefined ? {} : { admission: options.admission }),
    ...(audit === undefined ? {} : { audit }),
    flowControl: options.flowControl ?? { concurrency: CONCURRENCY },
    https: transport,
    serviceAccounts: serviceAccountKeys(identity, options),
    healthChecks: [{ name: 'shutdown', readiness: true, check: async () => ending.signal.throwIfAborted() }],
    collectors: [processMetrics],
    webhooks: { transport, ...(options.functions === undefined ? {} : { functions: options.functions }) },
    reportFault: report,
  });
  const checkpoints = checkpointing(server, store, {
    clock: systemClock,
    retention: RETENTION,
    signal: ending.signal,
    reportFault: report,
  });
  const controllers =
    options.controllers === false
      ? undefined
      : await runControllers(server, {
          authority: identity.authority,
          signer: identity.signer,
          address: { host: advertiseAddress(host), port: http.port },
          clock: systemClock,
          sequences: await store.names(),
          reportFault: report,
        });
  const close = async (): Promise<void> => {
    ending.abort();
    await controllers?.close();
    await http.close();
    await checkpoints;
    await server?.close();
    await audit?.sink.close();
    transport[Symbol.dispose]();
    await store.close();
    await unlock();
  };
  return {
    url,
    port: http.port,
    kubeconfig: kubeconfig({ server: url, authority: identity.authority, client: identity.admin }),
    adminToken: identity.adminToken,
    certificateAuthority: identity.authority,
    reconfigure: server.reconfigure,
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** The issuer that kubeadm gives every cluster: pods know it by this name. */
export const ISSUER = 'https://kubernetes.default.svc.cluster.local';

function serviceAccountKeys(identity: Identity, { serviceAccounts }: StartOptions): ServiceAccountKeys {
  const [signingKey = '', ...verificationKeys] = identity.serviceAccountKeys;
  return { issuers: [ISSUER], signingKey, verificationKeys, ...serviceAccounts };
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
    throw fileFault(path, error);
  }
}
