import type { Clock } from '#lib/machinery/clock.ts';
import { type AwsCredentials, awsToken } from './presign.ts';

/** The time in ms before its expiry at which a token is no longer used. */
const EARLY = 60_000;

/** The ports of `roleTokens`. */
export interface RoleTokensPorts {
  readonly clock: Clock;
  readonly region: string;
  /** The server's cluster ID. */
  readonly clusterId: string;
  /** The credentials of this process's role. */
  credentials(): Promise<AwsCredentials>;
}

/** Returns tokens that prove the role of this process via STS. Creates a new one before the current one expires. */
export function roleTokens({ clock, credentials, ...of }: RoleTokensPorts): () => Promise<string> {
  let made = { token: '', expires: 0 };
  return async () => {
    const now = clock.now();
    if (now > made.expires - EARLY) made = awsToken({ credentials: await credentials(), ...of, now });
    return made.token;
  };
}
