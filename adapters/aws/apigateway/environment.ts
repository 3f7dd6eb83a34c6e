import * as z from 'zod/mini';
import { defined } from '#lib/machinery/defined.ts';
import type { AwsCredentials } from '#lib/server/authentication/aws/presign.ts';

const text = z.string('must be given').check(z.minLength(1, 'must not be empty'));

/** The environment variables that locate the WebSocket API of nodes. */
export const GATEWAY_ENVIRONMENT = {
  /** `wss://HOST/STAGE`. No default. */
  DAVIT_CHANNEL_URL: z.optional(z.url({ protocol: /^wss?$/, error: 'must be a wss URL' })),
  /** The SDK's own variable for the endpoint of `@connections`, if it differs from that URL. */
  AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI: z.optional(z.url('must be a URL')),
  /** Set by the platform. */
  AWS_REGION: z._default(text, 'us-east-1'),
  AWS_ACCESS_KEY_ID: z._default(z.string(), ''),
  AWS_SECRET_ACCESS_KEY: z._default(z.string(), ''),
  /** Empty in emulators. */
  AWS_SESSION_TOKEN: z._default(z.string(), ''),
};

type Environment = z.infer<z.ZodMiniObject<typeof GATEWAY_ENVIRONMENT>>;

/** A WebSocket API and the credentials for posts to its connections. */
export interface GatewaySettings {
  /** The URL to which clients connect. */
  readonly url: string;
  /** The endpoint for posts to its connections. */
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
}

/** Reads the settings from the environment. Undefined if it names no WebSocket API. */
export function gatewaySettings(env: Environment): GatewaySettings | undefined {
  const { DAVIT_CHANNEL_URL: url } = env;
  if (url === undefined) return undefined;
  return {
    url,
    endpoint: env.AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI ?? url.replace(/^ws/, 'http'),
    region: env.AWS_REGION,
    credentials: credentialsIn(env),
  };
}

/** The credentials of the function's role, which the platform sets in each process. */
export const credentialsIn = (env: Environment): AwsCredentials => ({
  accessKeyId: env.AWS_ACCESS_KEY_ID,
  secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
  ...defined({ sessionToken: env.AWS_SESSION_TOKEN || undefined }),
});
