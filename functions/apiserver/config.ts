import { join } from 'node:path';
import * as z from 'zod/mini';
import { GATEWAY_ENVIRONMENT, type GatewaySettings, gatewaySettings } from '#adapters/aws/apigateway/environment.ts';
import { reconcilerRole } from '#lib/client/controller/function-names.ts';
import { issuesText } from '#lib/machinery/issues.ts';
import type { Review } from '#lib/sdk/webhook-sdk/reviews.ts';
import { parsePrincipal } from '#lib/server/authentication/aws/arn.ts';
import { KUBELET_ENVIRONMENT, type KubeletSettings, kubeletSettings } from './kubelet-config.ts';

const FRONT_DOORS = ['function-url', 'web-function', 'rest', 'container'] as const;
/** A front door of the API server. */
export type FrontDoor = (typeof FRONT_DOORS)[number];

// The small variant of zod: building the usual one's schemas would take longer than the rest of a cold start here.
z.config({ jitless: true });
const text = z.string('must be given').check(z.minLength(1, 'must not be empty'));
const number = z.coerce.number('must be a number').check(z.int('must be a whole number'));
const positive = number.check(z.positive('must be greater than 0'));
const REVIEW = /^(TokenReview|SubjectAccessReview|ImagePolicy)=([\w-]+)$/;
const NAMES = /^(?:[a-z0-9-]+(?:,|$))*$/;
const environment = z.object({
  DAVIT_TABLE: text,
  DAVIT_FRONT_DOOR: z._default(z.enum(FRONT_DOORS, `must be one of ${FRONT_DOORS.join(', ')}`), 'function-url'),
  /** The audience that tokens must have. */
  DAVIT_CLUSTER_ID: text,
  DAVIT_ADMIN: z
    .string('must be given')
    .check(z.refine((arn) => parsePrincipal(arn) !== undefined, 'must be the ARN of a role or user')),
  /** Names of users' reconcilers, separated by commas. The next variable is the prefix of their roles' ARNs. */
  DAVIT_RECONCILERS: z._default(z.string().check(z.regex(NAMES, 'must be names with a comma between')), ''),
  DAVIT_RECONCILER_ROLES: z._default(z.string().check(z.regex(/^(?:arn:.+)?$/, 'must begin an ARN')), ''),
  /** Users' functions that serve reviews: `TokenReview=NAME` and the like, separated by commas. */
  DAVIT_REVIEWS: z._default(
    z.string().check(z.refine((list) => split(list).every((one) => REVIEW.test(one)), 'must be REVIEW=NAME,…')),
    '',
  ),
  /** The KMS key that encrypts Secrets and the key of service accounts. Default: only the table's own encryption. */
  DAVIT_KMS_KEY: z.optional(text),
  /** The URL that clients use. Default: the URL that the first client used. */
  DAVIT_ENDPOINT: z.optional(z.url({ protocol: /^https$/, error: 'must be an https URL' })),
  /** The secret with which a distribution in front of the API server authenticates itself. */
  DAVIT_ORIGIN_SECRET: z.optional(text.check(z.minLength(16, 'must have 16 characters or more'))),
  /** Maximum number of concurrent watches. Default: unlimited. */
  DAVIT_WATCH_SLOTS: z.optional(positive),
  /** Maximum number of requests per second for one identity, over all processes. Default: unlimited. */
  DAVIT_REQUESTS_PER_SECOND: z.optional(positive),
  /** Maximum duration of a watch in seconds. The default depends on the front door. */
  DAVIT_WATCH_SECONDS: z.optional(positive),
  /** Time in seconds after which a hop to the client cuts a silent stream. The default depends on the front door. */
  DAVIT_IDLE_SECONDS: z.optional(positive),
  /** The file with the options that a deployment ships, which is optional. Default: `apiserver.json` in the folder of the bundle. */
  DAVIT_OPTIONS: z.optional(text),
  /** The directory of the bundle. */
  LAMBDA_TASK_ROOT: z._default(text, '.'),
  ...KUBELET_ENVIRONMENT,
  ...GATEWAY_ENVIRONMENT,
  /** The SDK's own variable for the endpoint of STS. */
  AWS_ENDPOINT_URL_STS: z.optional(z.url('must be a URL')),
  /** `host:port` on which the platform expects a web function to listen. */
  AWS_LAMBDA_HTTP_ENDPOINT: z.optional(z.string().check(z.regex(/^.+:\d+$/, 'must be host:port'))),
  /** The port on which any other server listens, on all addresses. */
  PORT: z._default(number.check(z.gte(0, 'must be a port'), z.lte(65_535, 'must be a port')), 8080),
});

/** The configuration of the API server's process. */
export interface Config {
  readonly table: string;
  readonly frontDoor: FrontDoor;
  readonly clusterId: string;
  readonly admin: string;
  readonly reconcilerRoles: readonly { readonly arn: string; readonly name: string }[];
  /** Names of functions, by the review that each serves. */
  readonly reviews: Readonly<Partial<Record<Review, string>>>;
  readonly host: string;
  readonly port: number;
  readonly kmsKey: string | undefined;
  readonly endpoint: string | undefined;
  readonly originSecret: string | undefined;
  readonly watchSlots: number | undefined;
  readonly requestsPerSecond: number | undefined;
  readonly watchSeconds: number | undefined;
  readonly idleSeconds: number | undefined;
  /** The file with the options of the deployment, which may be missing. */
  readonly options: string;
  readonly stsEndpoint: string | undefined;
  /** How to reach kubelets. Undefined if they are unreachable. */
  readonly kubelets: KubeletSettings | undefined;
  /** The gateway of node channels, if any. */
  readonly gateway: GatewaySettings | undefined;
}

/**
 * The maximum duration of a watch in seconds. A function URL's invocation is billed until it ends, even after its client disconnects.
 * Invocations of the other front doors end after 900 s.
 */
const WATCH: Readonly<Record<FrontDoor, number | undefined>> = {
  'function-url': 300,
  'web-function': 840,
  rest: 840,
  container: undefined,
};

/** Time in seconds after which a hop cuts a silent stream: a gateway, or a load balancer with its default settings. */
const IDLE: Readonly<Record<FrontDoor, number | undefined>> = {
  'function-url': undefined,
  'web-function': undefined,
  rest: 300,
  container: 60,
};
/** The same time for a distribution in front of any front door. */
const DISTRIBUTION_IDLE = 60;

/** Reads the environment. Throws TypeError with one line that names the invalid variables. */
export function configOf(env: Readonly<Record<string, string | undefined>>): Config {
  const read = environment.safeParse(env);
  if (!read.success) throw new TypeError(issuesText(read.error.issues));
  const { data } = read;
  const frontDoor = data.DAVIT_FRONT_DOOR;
  return {
    table: data.DAVIT_TABLE,
    frontDoor,
    clusterId: data.DAVIT_CLUSTER_ID,
    admin: data.DAVIT_ADMIN,
    reconcilerRoles: split(data.DAVIT_RECONCILERS).map((name) => ({
      arn: reconcilerRole(data.DAVIT_RECONCILER_ROLES, name),
      name,
    })),
    reviews: Object.fromEntries(split(data.DAVIT_REVIEWS).map((one) => REVIEW.exec(one)?.slice(1) ?? [])),
    ...listeningOn(data),
    kmsKey: data.DAVIT_KMS_KEY,
    endpoint: data.DAVIT_ENDPOINT,
    originSecret: data.DAVIT_ORIGIN_SECRET,
    watchSlots: data.DAVIT_WATCH_SLOTS,
    requestsPerSecond: data.DAVIT_REQUESTS_PER_SECOND,
    watchSeconds: data.DAVIT_WATCH_SECONDS ?? WATCH[frontDoor],
    idleSeconds:
      data.DAVIT_IDLE_SECONDS ?? (data.DAVIT_ORIGIN_SECRET === undefined ? IDLE[frontDoor] : DISTRIBUTION_IDLE),
    options: data.DAVIT_OPTIONS ?? join(data.LAMBDA_TASK_ROOT, 'apiserver.json'),
    stsEndpoint: data.AWS_ENDPOINT_URL_STS,
    kubelets: kubeletSettings(data, frontDoor),
    gateway: gatewaySettings(data),
  };
}

const split = (list: string): string[] => list.split(',').filter((one) => one !== '');

function listeningOn({ AWS_LAMBDA_HTTP_ENDPOINT: told, PORT: port }: z.infer<typeof environment>) {
  if (told === undefined) return { host: '::', port };
  const colon = told.lastIndexOf(':');
  return { host: told.slice(0, colon), port: Number(told.slice(colon + 1)) };
}
