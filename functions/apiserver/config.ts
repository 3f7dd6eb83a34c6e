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

// The small variant: schemas of the usual one cost a cold start more than all else here.
z.config({ jitless: true });
const text = z.string('must be given').check(z.minLength(1, 'must not be empty'));
const number = z.coerce.number('must be a number').check(z.int('must be a whole number'));
const positive = number.check(z.positive('must be greater than 0'));
const REVIEW = /^(TokenReview|SubjectAccessReview|ImagePolicy)=([\w-]+)$/;
const NAMES = /^(?:[a-z0-9-]+(?:,|$))*$/;
const environment = z.object({
  DAVIT_TABLE: text,
  DAVIT_FRONT_DOOR: z._default(z.enum(FRONT_DOORS, `must be one of ${FRONT_DOORS.join(', ')}`), 'function-url'),
  /** The audience of tokens. */
  DAVIT_CLUSTER_ID: text,
  DAVIT_ADMIN: z
    .string('must be given')
    .check(z.refine((arn) => parsePrincipal(arn) !== undefined, 'must be the ARN of a role or user')),
  /** Names of users' reconcilers, separated by commas; and the prefix of the ARNs of their roles. */
  DAVIT_RECONCILERS: z._default(z.string().check(z.regex(NAMES, 'must be names with a comma between')), ''),
  DAVIT_RECONCILER_ROLES: z._default(z.string().check(z.regex(/^(?:arn:.+)?$/, 'must begin an ARN')), ''),
  /** Users' functions that serve reviews: `TokenReview=NAME` and the like, separated by commas. */
  DAVIT_REVIEWS: z._default(
    z.string().check(z.refine((list) => split(list).every((one) => REVIEW.test(one)), 'must be REVIEW=NAME,…')),
    '',
  ),
  /** The KMS key that encrypts Secrets and the key of service accounts. Default: only the table's own encryption. */
  DAVIT_KMS_KEY: z.optional(text),
  /** The URL that clients use. Default: the one that the first client used. */
  DAVIT_ENDPOINT: z.optional(z.url({ protocol: /^https$/, error: 'must be an https URL' })),
  /** The secret with which a distribution in front of the API server authenticates. */
  DAVIT_ORIGIN_SECRET: z.optional(text.check(z.minLength(16, 'must have 16 characters or more'))),
  /** The most concurrent watches. Default unlimited. */
  DAVIT_WATCH_SLOTS: z.optional(positive),
  /** The most requests of one identity a second, over all processes. Default unlimited. */
  DAVIT_REQUESTS_PER_SECOND: z.optional(positive),
  /** The longest duration of a watch in seconds. Default by front door. */
  DAVIT_WATCH_SECONDS: z.optional(positive),
  /** Time in seconds after which the hops to a client cut a silent stream. Default by front door. */
  DAVIT_IDLE_SECONDS: z.optional(positive),
  /** The file of the options that a deployment ships; it is optional. Default `apiserver.json` beside the bundle. */
  DAVIT_OPTIONS: z.optional(text),
  /** The directory of the bundle. */
  LAMBDA_TASK_ROOT: z._default(text, '.'),
  ...KUBELET_ENVIRONMENT,
  ...GATEWAY_ENVIRONMENT,
  /** The SDK's own. */
  AWS_ENDPOINT_URL_STS: z.optional(z.url('must be a URL')),
  /** `host:port` on which the platform expects a web function to listen. */
  AWS_LAMBDA_HTTP_ENDPOINT: z.optional(z.string().check(z.regex(/^.+:\d+$/, 'must be host:port'))),
  /** The port of any other server that listens, on all addresses. */
  PORT: z._default(number.check(z.gte(0, 'must be a port'), z.lte(65_535, 'must be a port')), 8080),
});

/** The configuration of the API server's process. */
export interface Config {
  readonly table: string;
  readonly frontDoor: FrontDoor;
  readonly clusterId: string;
  readonly admin: string;
  readonly reconcilerRoles: readonly { readonly arn: string; readonly name: string }[];
  /** Names of functions, by the review that they serve. */
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
  /** How kubelets are reached; undefined if they are not. */
  readonly kubelets: KubeletSettings | undefined;
  /** The gateway of node channels; undefined if there is none. */
  readonly gateway: GatewaySettings | undefined;
}

/**
 * The longest watch in seconds. A function URL's invocation is billed to its end even if its client has gone; invocations of other front
 * doors end at 900.
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
/** The same of a distribution before any of them. */
const DISTRIBUTION_IDLE = 60;

/** Reads the environment. Throws TypeError, one line, that names what is wrong. */
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
