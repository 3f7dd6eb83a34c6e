import type { AwsCredentials } from '#lib/authentication/aws/presign.ts';

export interface Connection {
  /** Absent: the region's own endpoint. */
  readonly endpoint?: string;
  readonly region?: string;
  /** Absent: the SDK's usual chain. */
  readonly credentials?: AwsCredentials;
  /** Milliseconds that one request may take. */
  readonly timeout?: number;
}

/** Where the service is, and who asks it. */
export interface Service {
  readonly endpoint: URL;
  readonly region: string;
  credentials(): AwsCredentials | Promise<AwsCredentials>;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** What leads away from the keys and the region's endpoint that an environment names. */
const LEADING_AWAY = ['AWS_PROFILE', 'AWS_USE_FIPS_ENDPOINT', 'AWS_USE_DUALSTACK_ENDPOINT'];
/** Regions whose endpoints are of AWS' own domain; China's has one more label. */
const REGION = /^(?:us-gov|[a-z]{2})-[a-z]+-\d+$/;

/**
 * As a function's environment tells, which is read here because the SDK takes a fifth of a cold start to find the same; undefined
 * where it does not tell all.
 */
export function serviceIn(env: Environment, connection: Connection): Service | undefined {
  const { region = env['AWS_REGION'], credentials = credentialsIn(env) } = connection;
  if (region === undefined || credentials === undefined || LEADING_AWAY.some((name) => env[name])) return undefined;
  const endpoint =
    connection.endpoint ?? env['AWS_ENDPOINT_URL_DYNAMODB'] ?? env['AWS_ENDPOINT_URL'] ?? ofRegion(region);
  return endpoint === undefined ? undefined : { endpoint: new URL(endpoint), region, credentials: () => credentials };
}

function credentialsIn(env: Environment): AwsCredentials | undefined {
  const {
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    AWS_SESSION_TOKEN: sessionToken,
  } = env;
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined;
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
}

function ofRegion(region: string): string | undefined {
  if (!REGION.test(region)) return undefined;
  return `https://dynamodb.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;
}
