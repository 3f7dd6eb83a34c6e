import { randomBytes } from 'node:crypto';
import { systemClock } from '#adapters/clock.ts';
import { hostedChannels } from '#adapters/server/channel/node-channels.ts';
import { podConnections } from '#adapters/server/kubelet/pod-connections.ts';
import { HttpsTransport } from '#adapters/server/webhook/https-transport.ts';
import { APISERVER_USER } from '#lib/server/authentication/user.ts';
import { ChannelDialer } from '#lib/server/channel/channel-dialer.ts';
import type { NodeChannels } from '#lib/server/channel/node-channels.ts';
import { NOTIFICATIONS } from '#lib/server/channel/notification.ts';
import type { AuditPorts } from '#lib/server/endpoints/audit/audit-ports.ts';
import type { HealthCheck } from '#lib/server/endpoints/health.ts';
import { seldom } from '#lib/storage/damage.ts';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import { serverNames } from './advertise-address.ts';
import { auditPorts } from './audit.ts';
import { namesAll } from './certs.ts';
import { hasIdentity, type Identity, loadIdentity, newIdentity } from './data-directory.ts';
import { refuseHalfImport } from './import-mark.ts';
import { type OpenedStore, openStore, own, refuseLostChanges, refuseLostData, refusePageFaults } from './open-store.ts';
import type { StartOptions } from './start-options.ts';

/** The parts of a server that exist before it listens. */
export interface Foundation {
  readonly identity: Identity;
  readonly store: EncryptedStore;
  /** Checks of the disk or directory that holds the data. */
  readonly healthChecks: readonly HealthCheck[];
  /** The channels of nodes. */
  readonly channels: NodeChannels;
  /** Calls webhooks and authentication backends. It reaches pods via the channels. */
  readonly transport: HttpsTransport;
  readonly audit: AuditPorts | undefined;
  /** Aborted when the server ends. */
  readonly ending: AbortController;
  report(auditId: string, error: unknown): void;
  /** Closes these parts. Close everything that uses them first. */
  close(): Promise<void>;
}

/** The purpose for which data is opened. */
export interface FoundationOptions {
  /**
   * Default serve. A restore accepts lost data, and the restored data becomes this directory's state. An import continues a half-finished
   * one.
   */
  readonly purpose?: 'serve' | 'restore' | 'import';
}

/** Opens the store and reads the files in the options. Throws StartFault if a file cannot be read. */
export async function openFoundation(
  options: StartOptions,
  { purpose = 'serve' }: FoundationOptions = {},
): Promise<Foundation> {
  const { identity, opened } = await openData(options, purpose);
  warnOfNames(options, identity);
  const report = options.reportFault ?? (() => {});
  const onDamage = seldom((damage) => report('', damage), systemClock);
  const store = new EncryptedStore(opened.store, options.encryption ?? (() => undefined), onDamage);
  const channels = newChannels(options);
  const transport = new HttpsTransport({ connectPod: podConnections(new ChannelDialer(channels), APISERVER_USER) });
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
  return { identity, store, healthChecks: opened.healthChecks, channels, transport, audit, ending, report, close };
}

/** Notifications come from the change feed, which only runs with controllers. */
const newChannels = ({ controllers }: StartOptions): NodeChannels =>
  hostedChannels(systemClock, controllers === false ? [] : [NOTIFICATIONS]);

interface OpenedData {
  readonly identity: Identity;
  readonly opened: OpenedStore;
}

/** A first start creates the store before the identity, so an identity without a store indicates lost data. */
async function openData(options: StartOptions, purpose: FoundationOptions['purpose']): Promise<OpenedData> {
  const { dataDirectory } = options;
  if (dataDirectory !== undefined) {
    if (purpose !== 'import') await refuseHalfImport(dataDirectory);
    if (purpose !== 'restore') refuseLostChanges(dataDirectory);
  }
  const known = dataDirectory !== undefined && (await hasIdentity(dataDirectory));
  if (known) {
    await identityOf(options); // reports an invalid identity first
    refuseLostData(dataDirectory);
  }
  const opened = openStore(options);
  try {
    const identity = await identityOf(options);
    if (dataDirectory !== undefined) {
      if (purpose === 'restore') refusePageFaults(dataDirectory, opened);
      own(dataDirectory, opened, { identity, takesOver: purpose === 'restore' || !known });
    }
    return { identity, opened };
  } catch (error) {
    await opened.store.close();
    throw error;
  }
}

async function identityOf({ dataDirectory, ...options }: StartOptions): Promise<Identity> {
  const token = (): string => randomBytes(32).toString('base64url');
  const now = new Date(systemClock.now());
  const names = serverNames(options);
  return dataDirectory === undefined
    ? newIdentity(token(), now, names)
    : loadIdentity(dataDirectory, { token, now, names });
}

/** Warns if a certificate lacks a name because an older version did not store the key that could sign another. */
function warnOfNames(options: StartOptions, { server }: Identity): void {
  const lacking = serverNames(options).filter((name) => !namesAll(server.certificate, [name]));
  if (options.serving !== undefined || lacking.length === 0) return;
  options.reportWarning?.(
    `the server's certificate does not name ${lacking.join(', ')}: an older version made it and kept no key to sign another; ` +
      'remove identity.json for new certificates and a new kubeconfig, or name a certificate by --tls-cert-file',
  );
}
