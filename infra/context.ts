import * as z from 'zod';
import { LOG_LEVELS } from '#adapters/process/log-line.ts';
import { likely } from '#lib/machinery/config/nearest.ts';
import { isPositiveDuration, millisecondsOf } from '#lib/machinery/duration.ts';
import { parseCIDRSloppy } from '#lib/machinery/net/parse-prefix.ts';
import { networkText } from '#lib/machinery/net/prefix.ts';
import { LEAST_RESOLUTION } from '#lib/sdk/metrics-server/scraper.ts';
import { ALL_DEPLOYED_FLAGS, textList } from '#lib/server/options/deployed-flags.ts';

/** The front doors to choose from. */
export const FRONT_DOORS = ['function-url', 'web-function', 'rest', 'container'] as const;

/** A front door. */
export type FrontDoor = (typeof FRONT_DOORS)[number];

/** An error for a wrong or missing context value. Its message is one line for the deployer. */
export class ContextError extends Error {
  override readonly name = 'ContextError';
}

const ADMIN = /^arn:aws[\w-]*:iam::\d{12}:(?:user|role)\/[\w+=,.@/-]+$/;
const CERTIFICATE = /^arn:aws[\w-]*:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/;
const WEB_ACL = /^arn:aws[\w-]*:wafv2:[a-z0-9-]+:\d{12}:(?:global|regional)\/webacl\/[\w-]+\/[\w-]+$/;
const HOST = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,}$/;

/** Context on the command line is text. In cdk.json it may have its real type. */
const flag = z.union([z.stringbool({ truthy: ['true'], falsy: ['false'] }), z.boolean()], 'is true or false');
const matching = (pattern: RegExp, error: string) => z.string(error).regex(pattern, error);

const whole = (least: number, most: number, of = '') => {
  const error = `is a whole number ${of}from ${least} to ${most}`;
  return z.coerce.number(error).int(error).min(least, error).max(most, error);
};

const DOLLARS = 'is dollars a month, from 1 to 1000000';
const MASK = 'is a number from 0 to 128';
const mask = z.coerce.number(MASK).int(MASK).min(0, MASK).max(128, MASK).optional();

const CIDRS = 'is IPv4 networks with a comma between, as 10.0.0.0/16,192.168.0.0/24';
const isNetwork = (text: string): boolean => {
  const prefix = parseCIDRSloppy(text);
  return prefix !== undefined && prefix.addr.family === 4 && networkText(prefix) === text;
};

/** The retention times in days that CloudWatch supports. */
const DAYS = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653];
const RETENTION = 'is a number of days that CloudWatch takes, such as 30, 90 or 365';
const DURATION = 'is a duration above zero, as 5s';
const duration = z.string(DURATION).refine(isPositiveDuration, DURATION);

const RESOLUTION = 'is a duration of at least 10s';
const isResolution = (text: string): boolean => isPositiveDuration(text) && millisecondsOf(text) >= LEAST_RESOLUTION;

const megabytes = (least: number) => whole(least, 10_240, 'of megabytes ');

/**
 * The default memory in MB of an API server's function. If each watch has its own environment, it is billed for this memory for its whole
 * duration.
 */
const DEFAULT_MEMORY = 512;

/** The default number of node messages that are relayed concurrently. */
const DEFAULT_CHANNEL_CONCURRENCY = 50;

/** How long the metrics of a node are reused by default. */
const DEFAULT_RESOLUTION = '60s';

const schema = z.strictObject({
  admin: matching(ADMIN, 'is the ARN of an IAM user or role, as arn:aws:iam::123456789012:role/Admin'),
  frontDoor: z.enum(FRONT_DOORS, `is one of ${FRONT_DOORS.join(', ')}`).default('function-url'),
  clusterId: matching(/^[A-Za-z0-9][\w-]{0,99}$/, 'is letters, digits, - and _, at most 100').default('davit'),
  stage: z.enum(['production', 'development'], 'is production or development').default('production'),
  table: matching(
    /^arn:aws[\w-]*:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]+\/stream\/[\w:.-]+$/,
    "is the ARN of a table's stream, as arn:aws:dynamodb:eu-west-1:123456789012:table/davit/stream/2026-01-31T00:00:00.000",
  ).optional(),
  reservedConcurrency: whole(10, 10_000).default(100),
  requestsPerSecond: whole(0, 10_000).default(50),
  maxReadUnits: whole(100, 1_000_000).default(12_000),
  maxWriteUnits: whole(100, 1_000_000).default(4_000),
  watchMemory: megabytes(192).optional(),
  memory: megabytes(256).default(DEFAULT_MEMORY),
  runtime: z.enum(['nodejs', 'provided'], 'is nodejs or provided').default('nodejs'),
  bootstrap: z.string('is the path of an executable file').optional(),
  domain: matching(HOST, 'is a host name in small letters, as api.example.com').optional(),
  certificate: matching(CERTIFICATE, 'is the ARN of a certificate in ACM').optional(),
  clientAuthority: z.string('is the path of a file of PEM certificates').optional(),
  webAcl: matching(WEB_ACL, 'is the ARN of a web ACL of AWS WAF').optional(),
  vpc: matching(/^vpc-[0-9a-f]+$/, 'is the id of a VPC, as vpc-0123abcd').optional(),
  nodeMonitorGracePeriod: duration.default('300s'),
  nodes: flag.default(false),
  channelConcurrency: whole(1, 10_000).default(DEFAULT_CHANNEL_CONCURRENCY),
  vpcEndpoint: matching(/^vpce-[0-9a-f]+$/, 'is the id of a VPC endpoint, as vpce-0123abcd').optional(),
  metricsApi: flag.default(false),
  metricResolution: z.string(RESOLUTION).refine(isResolution, RESOLUTION).default(DEFAULT_RESOLUTION),
  nodeCidrs: z
    .string(CIDRS)
    .refine((text) => text.split(',').every(isNetwork), CIDRS)
    .optional(),
  kubeletAuthority: z.string('is the path of a file of PEM certificates').optional(),
  kubeletAddressTypes: matching(
    /^\w+(?:,\w+)*$/,
    'is types of addresses with a comma between, as InternalIP,Hostname',
  ).optional(),
  kubeletTimeout: duration.optional(),
  publish: matching(/^(?:leases|events)(?:,(?:leases|events))?$/, 'is leases, events or both with a comma').optional(),
  alarms: z.union([flag, z.literal('full')], 'is true, false or full').default(true),
  alarmTopic: matching(/^arn:aws[\w-]*:sns:[a-z0-9-]+:\d{12}:[\w-]+$/, 'is the ARN of an SNS topic').optional(),
  monthlyBudget: z.coerce.number(DOLLARS).min(1, DOLLARS).max(1_000_000, DOLLARS).optional(),
  budgetEmail: z.email('is an e-mail address').optional(),
  auditFirehose: matching(
    /^arn:aws[\w-]*:firehose:[a-z0-9-]+:\d{12}:deliverystream\/[\w.-]+$/,
    'is the ARN of a Firehose stream',
  ).optional(),
  dashboard: flag.default(false),
  logLevel: z.enum(LOG_LEVELS, `is one of ${LOG_LEVELS.join(', ')}`).default('info'),
  logKey: matching(/^arn:aws[\w-]*:kms:[a-z0-9-]+:\d{12}:key\/[\w-]+$/, 'is the ARN of a KMS key').optional(),
  logRetention: z.coerce
    .number(RETENTION)
    .refine((days) => DAYS.includes(days), RETENTION)
    .default(30),
  tracing: z.enum(['none', 'xray'], 'is none or xray').default('none'),
  scheduler: flag.default(true),
  schedulerConfig: z.string('is the path of a file').optional(),
  bundle: flag.default(true),
  functions: z.string('is the path of a folder').optional(),
  controllers: textList,
  allocateNodeCidrs: flag.default(false),
  clusterCidr: textList,
  nodeCidrMaskSize: mask,
  nodeCidrMaskSizeIpv4: mask,
  nodeCidrMaskSizeIpv6: mask,
  ...ALL_DEPLOYED_FLAGS,
  replicaRegions: z
    .never('is refused: one region writes a table. A global table would let two regions commit one position')
    .optional(),
});

/** The names of all values. */
export const CONTEXT_NAMES: readonly string[] = Object.keys(schema.shape);

/** The context values of a deployment. */
export type Context = z.infer<typeof schema>;

/** Names of CDK's own context contain a colon, slash, at sign or dash. Ours never do. */
const isOurs = (name: string): boolean => /^[A-Za-z][A-Za-z0-9]*$/.test(name);

/** Reads this app's part of the context. Throws ContextError, whose message is one line. */
export function parseContext(given: Readonly<Record<string, unknown>>): Context {
  const ours = Object.fromEntries(Object.entries(given).filter(([name]) => isOurs(name)));
  const parsed = schema.safeParse(ours);
  if (!parsed.success) throw new ContextError(firstFault(parsed.error, ours));
  const fault = contradiction(parsed.data);
  if (fault !== undefined) throw new ContextError(fault);
  return parsed.data;
}

function firstFault({ issues }: z.ZodError, given: Readonly<Record<string, unknown>>): string {
  const [issue] = issues;
  if (issue?.code === 'unrecognized_keys') {
    const nearest = likely(issue.keys[0] ?? '', CONTEXT_NAMES);
    const hint = nearest === undefined ? 'docs/deploy.md lists all' : `the nearest is ${nearest}`;
    return `context ${issue.keys.join(', ')} is not known; ${hint}`;
  }
  const name = String(issue?.path[0]);
  const value = given[name];
  if (value === undefined) return `context ${name} is required: -c ${name}=…, which ${issue?.message}`;
  return `context ${name} ${issue?.message}; it was ${JSON.stringify(value)}`;
}

/** Reports a setting for the API server's function if the front door has no such function. */
function withoutFunction({ frontDoor, runtime, memory }: Context): string | undefined {
  if (frontDoor === 'function-url' || frontDoor === 'rest') return undefined;
  if (memory !== DEFAULT_MEMORY) return 'memory';
  return runtime === 'provided' ? 'runtime=provided' : undefined;
}

/** Reports two values that exclude each other. */
function contradiction(context: Context): string | undefined {
  const { domain, certificate, clientAuthority, runtime, bootstrap, frontDoor } = context;
  if (domain !== undefined && certificate === undefined) return 'context domain needs certificate=arn:aws:acm:…';
  if (domain === undefined && certificate !== undefined) return 'context certificate requires domain';
  if (domain === undefined && clientAuthority !== undefined) return 'context clientAuthority needs domain';
  if (domain !== undefined && frontDoor !== 'rest' && !certificate?.includes(':acm:us-east-1:')) {
    return 'context certificate is one of us-east-1: CloudFront takes no other';
  }
  if (runtime === 'provided' && bootstrap === undefined) return 'context runtime=provided needs bootstrap=FILE';
  if (runtime === 'nodejs' && bootstrap !== undefined) return 'context bootstrap requires runtime=provided';
  const idle = withoutFunction(context);
  if (idle !== undefined) return `context ${idle} has no effect with frontDoor=${frontDoor}`;
  if (context.watchMemory !== undefined && (frontDoor !== 'function-url' || domain === undefined))
    return 'context watchMemory needs domain, and frontDoor=function-url';
  const network = networkContradiction(context);
  if (network !== undefined) return network;
  if (context.schedulerConfig !== undefined && !context.scheduler)
    return 'context schedulerConfig has no effect with scheduler=false';
  const unmeasured = metricsFault(context);
  if (unmeasured !== undefined) return unmeasured;
  return toldFault(context) ?? webAclFault(context);
}

/** Reports network values that exclude each other. */
function networkContradiction(context: Context): string | undefined {
  const { domain, frontDoor, vpc, vpcEndpoint } = context;
  if (vpc !== undefined && frontDoor !== 'container') return 'context vpc requires frontDoor=container';
  if (context.nodeCidrs !== undefined && frontDoor !== 'container')
    return 'context nodeCidrs requires frontDoor=container';
  for (const name of ['kubeletAuthority', 'kubeletAddressTypes', 'kubeletTimeout'] as const) {
    if (context[name] !== undefined && context.nodeCidrs === undefined) return `context ${name} needs nodeCidrs`;
  }
  if (vpcEndpoint !== undefined && frontDoor !== 'rest') return 'context vpcEndpoint requires frontDoor=rest';
  if (vpcEndpoint !== undefined && domain !== undefined) return 'context vpcEndpoint has no effect with domain';
  return channelFault(context);
}

/** Reports a channel of nodes that the front door does not need, or that would be public although the front door is not. */
function channelFault({ nodes, channelConcurrency, frontDoor, vpcEndpoint }: Context): string | undefined {
  if (!nodes)
    return channelConcurrency === DEFAULT_CHANNEL_CONCURRENCY
      ? undefined
      : 'context channelConcurrency has no effect without nodes=true';
  if (frontDoor === 'container')
    return 'context nodes has no effect with frontDoor=container: nodes connect to the container itself';
  return vpcEndpoint === undefined
    ? undefined
    : 'context nodes makes a public WebSocket API, which a private front door (vpcEndpoint) excludes';
}

/** Reports a metrics setting without a metrics API, or a metrics API that cannot reach nodes. */
function metricsFault({ metricsApi, metricResolution, nodes, frontDoor }: Context): string | undefined {
  if (!metricsApi)
    return metricResolution === DEFAULT_RESOLUTION
      ? undefined
      : 'context metricResolution has no effect without metricsApi=true';
  return nodes || frontDoor === 'container'
    ? undefined
    : 'context metricsApi needs nodes=true, by which nodes are reached';
}

/** Reports a budget without a recipient, or a recipient without a budget or alarms. */
function toldFault({ alarms, alarmTopic, monthlyBudget, budgetEmail }: Context): string | undefined {
  if (monthlyBudget === undefined) {
    if (alarmTopic !== undefined && alarms === false) return 'context alarmTopic has no effect with alarms=false';
    return budgetEmail === undefined ? undefined : 'context budgetEmail requires monthlyBudget';
  }
  return budgetEmail === undefined && alarmTopic === undefined
    ? 'context monthlyBudget needs budgetEmail or alarmTopic'
    : undefined;
}

/** Reports a web ACL that no resource can use, or that has the wrong scope. */
function webAclFault({ webAcl, frontDoor, domain }: Context): string | undefined {
  if (webAcl === undefined) return undefined;
  const isRegional = webAcl.includes(':regional/');
  if (frontDoor === 'rest') return isRegional ? undefined : 'context webAcl is regional with frontDoor=rest';
  if (frontDoor !== 'container' && domain === undefined)
    return `context webAcl needs domain: nothing in front of a ${frontDoor} takes one`;
  return isRegional || !webAcl.includes(':wafv2:us-east-1:')
    ? 'context webAcl is global, of us-east-1: CloudFront takes no other'
    : undefined;
}
