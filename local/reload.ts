import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '#lib/machinery/clock.ts';
import { authenticationOf, type AuthenticationFlags } from './authentication-flags.ts';
import { authorizersOf, type AuthorizationFlags } from './authorization-flags.ts';
import { reloadFile } from './reload-file.ts';
import type { RunningApiserver } from './start-apiserver.ts';
import { StartFault } from './start-fault.ts';

interface Given {
  readonly flags: AuthenticationFlags & AuthorizationFlags;
  readonly server: Pick<RunningApiserver, 'reconfigure'>;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
  reportFault(error: unknown): void;
}

/** Follows the configuration files of access until the signal aborts. One that is wrong is reported and changes nothing. */
export async function followAccessFiles(given: Given): Promise<void> {
  await Promise.all([followAuthentication(given), followAuthorization(given)]);
}

async function followAuthentication({ flags, server, ...ports }: Given): Promise<void> {
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
  await reloadFile({ path, apply, ...ports });
}

/** Webhooks come and go; who else decides stays, in whatever order. */
async function followAuthorization({ flags, server, ...ports }: Given): Promise<void> {
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
  await reloadFile({ path, apply, ...ports });
}
