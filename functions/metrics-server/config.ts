import * as z from 'zod/mini';
import { credentialsIn, GATEWAY_ENVIRONMENT } from '#adapters/aws/apigateway/environment.ts';
import { isPositiveDuration, millisecondsOf } from '#lib/machinery/duration.ts';
import { issuesText } from '#lib/machinery/issues.ts';
import type { AwsCredentials } from '#lib/server/authentication/aws/presign.ts';

const environment = z.object({
  /** Upstream's `--metric-resolution`. */
  DAVIT_METRIC_RESOLUTION: z
    .string('must be given')
    .check(z.refine(isPositiveDuration, 'must be a duration above zero, such as 60s')),
  /** The URL of the API server, if only that server can reach nodes. Default: this function reaches nodes with its own API server. */
  DAVIT_SERVER_URL: z.optional(z.url({ protocol: /^https$/, error: 'must be an https URL' })),
  /** The audience that tokens must have. */
  DAVIT_CLUSTER_ID: z.string('must be given').check(z.minLength(1, 'must not be empty')),
  ...GATEWAY_ENVIRONMENT,
});

/** The configuration of the function that serves the metrics API. */
export interface Config {
  /** How long a scrape of a node is reused, in ms. */
  readonly resolution: number;
  /** The remote API server for all requests, and the source of tokens for it. */
  readonly remote: Remote | undefined;
}

/** An API server that authenticates this function by its role. */
export interface Remote {
  readonly url: string;
  readonly clusterId: string;
  readonly region: string;
  readonly credentials: AwsCredentials;
}

/** Reads the environment. Throws TypeError with one line that names the invalid variables. */
export function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  const read = environment.safeParse(env);
  if (!read.success) throw new TypeError(issuesText(read.error.issues));
  const { DAVIT_METRIC_RESOLUTION: resolution, DAVIT_SERVER_URL: url, DAVIT_CLUSTER_ID: clusterId, ...own } = read.data;
  const remote =
    url === undefined ? undefined : { url, clusterId, region: own.AWS_REGION, credentials: credentialsIn(own) };
  return { resolution: millisecondsOf(resolution), remote };
}
