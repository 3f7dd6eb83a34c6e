import type { Clock } from '#lib/machinery/clock.ts';
import { type AwsCredentials, awsToken } from './presign.ts';

/** Milliseconds before its end in which a token is not used any more. */
const EARLY = 60_000;

/** The ports of `roleTokens`. */
export interface RoleTokensPorts {
  readonly clock: Clock;
  readonly region: string;
  /** The server's cluster id. */
  readonly clusterId: string;
  /** Of the role that this process has. */
  credentials(): Promise<AwsCredentials>;
}

/** Tokens that say, by way of STS, which role this process has; made anew before they end. */
export function roleTokens({ clock, credentials, ...of }: RoleTokensPorts): () => Promise<string> {
  let made = { token: '', expires: 0 };
  return async () => {
    const now = clock.now();
    if (now > made.expires - EARLY) made = awsToken({ credentials: await credentials(), ...of, now });
    return made.token;
  };
}
