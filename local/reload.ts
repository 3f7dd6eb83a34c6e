import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { ConfigReloads } from '#lib/machinery/metrics/config-reloads.ts';
import type { AuthenticationFlags } from '#lib/server/options/authentication.ts';
import type { AuthorizationFlags } from '#lib/server/options/authorization.ts';
import type { EncryptionFlags } from '#lib/server/options/encryption.ts';
import { authenticationOf } from './flags/authentication.ts';
import { authorizersOf } from './flags/authorization.ts';
import { encryptionOfFile } from './flags/encryption.ts';
import { type ProxyClientFlags, proxyClientOf } from './flags/proxy-client.ts';
import { reloadFile } from './reload-file.ts';
import type { RunningApiserver } from './start-apiserver.ts';
import { StartFault } from './start-fault.ts';

/** The state used to follow each file. */
export type AllReloads = Readonly<Record<'authentication' | 'authorization' | 'encryption', ConfigReloads>>;

interface ReloadPorts {
  readonly flags: AuthenticationFlags & AuthorizationFlags & EncryptionFlags & ProxyClientFlags;
  readonly server: Pick<RunningApiserver, 'reconfigure' | 'encryptBy'>;
  readonly reloads: AllReloads;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  reportFault(error: unknown): void;
}

/** The metrics of reloads on this host's server. */
export function newReloads(host: string, clock: Clock): AllReloads {
  const reloads = (of: keyof AllReloads) => new ConfigReloads({ of, server: `apiserver-${host}`, clock });
  return {
    authentication: reloads('authentication'),
    authorization: reloads('authorization'),
    encryption: reloads('encryption'),
  };
}

/**
 * Follows the same files as upstream until the signal aborts. An invalid file is reported and changes nothing. As in upstream, ABAC
 * policies, audit policies, tokens and kubeconfigs are read only at the start.
 */
export async function followFiles(given: ReloadPorts): Promise<void> {
  const followers = [followAuthentication, followAuthorization, followEncryption, followProxyClient];
  await Promise.all(followers.map((follow) => follow(given)));
}

async function followAuthentication({ flags, server, reloads, ...ports }: ReloadPorts): Promise<void> {
  const { authenticationConfig: path } = flags;
  if (path === undefined) return;
  const read = async () => (await authenticationOf(flags)).authentication ?? {};
  const { anonymous } = await read();
  const apply = async (): Promise<void> => {
    const now = await read();
    if (!isDeepStrictEqual(now.anonymous, anonymous))
      throw new StartFault(`${path}: anonymous: Forbidden: changed from initial configuration file`);
    server.reconfigure({ issuers: now.issuers ?? [] });
  };
  await reloadFile({ path, apply, reloads: reloads.authentication, ...ports });
}

/** Webhooks may be added and removed. The other authorizers must stay, in any order. */
async function followAuthorization({ flags, server, reloads, ...ports }: ReloadPorts): Promise<void> {
  const { authorizationConfig: path } = flags;
  if (path === undefined) return;
  const read = async () => (await authorizersOf(flags)) ?? [];
  const required = (await read()).map(({ type }) => type).filter((type) => type !== 'Webhook');
  const apply = async (): Promise<void> => {
    const authorizers = await read();
    const missing = required.filter((type) => !authorizers.some((one) => one.type === type));
    if (missing.length > 0) throw new StartFault(`${path}: missing required types: ${missing.join(', ')}`);
    server.reconfigure({ authorizers });
  };
  await reloadFile({ path, apply, reloads: reloads.authorization, ...ports });
}

async function followEncryption({ flags, server, reloads, ...ports }: ReloadPorts): Promise<void> {
  const { encryptionProviderConfig: path, encryptionProviderConfigAutomaticReload: follows } = flags;
  if (path === undefined || follows !== true) return;
  const apply = async (): Promise<void> => server.encryptBy(await encryptionOfFile(path));
  await reloadFile({ path, apply, reloads: reloads.encryption, ...ports });
}

/** As in upstream, these reloads are not counted. */
async function followProxyClient({ flags, server, clock, reportFault, signal }: ReloadPorts): Promise<void> {
  const { proxyClientCertFile: path } = flags;
  if (path === undefined) return;
  const apply = async (): Promise<void> => server.reconfigure(await proxyClientOf(flags));
  await reloadFile({ path, apply, clock, reportFault, ...defined({ signal }) });
}
