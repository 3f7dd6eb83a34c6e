import * as z from 'zod/mini';
import { defined } from '#lib/machinery/defined.ts';
import type { AwsCredentials } from '#lib/server/authentication/aws/presign.ts';

const text = z.string('must be given').check(z.minLength(1, 'must not be empty'));

/** The part of the environment that says where the WebSocket API of nodes is. */
export const GATEWAY_ENVIRONMENT = {
  /** `wss://HOST/STAGE`. Default there is none. */
  DAVIT_CHANNEL_URL: z.optional(z.url({ protocol: /^wss?$/, error: 'must be a wss URL' })),
  /** The SDK's own: where `@connections` is, if not at that URL. */
  AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI: z.optional(z.url('must be a URL')),
  /** The platform's own. */
  AWS_REGION: z._default(text, 'us-east-1'),
  AWS_ACCESS_KEY_ID: z._default(z.string(), ''),
  AWS_SECRET_ACCESS_KEY: z._default(z.string(), ''),
  /** Empty in emulators. */
  AWS_SESSION_TOKEN: z._default(z.string(), ''),
};

type Environment = z.infer<z.ZodMiniObject<typeof GATEWAY_ENVIRONMENT>>;

/** A WebSocket API, and who posts to its connections. */
export interface GatewaySettings {
  /** Where clients connect. */
  readonly url: string;
  /** Where its connections are posted to. */
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
}

/** The settings of an environment; undefined where it names no WebSocket API. */
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

/** The credentials of the function's role, which the platform gives each of its processes. */
export const credentialsIn = (env: Environment): AwsCredentials => ({
  accessKeyId: env.AWS_ACCESS_KEY_ID,
  secretAccessKey: env.AWS_SECRET_ACCESS_KEY,
  ...defined({ sessionToken: env.AWS_SESSION_TOKEN || undefined }),
});
