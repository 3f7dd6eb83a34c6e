import * as z from 'zod';
import { defined } from '#lib/machinery/defined.ts';

/** A text value. It is a string on a command line. In a file it may also be a number or boolean. */
const text = z
  .union([z.string(), z.number(), z.boolean()], 'is a text')
  .transform(String)
  .pipe(z.string().min(1, 'is not empty'))
  .optional();
const path = z.string('is the path of a file').min(1, 'is the path of a file').optional();
const LIST = 'is a list of texts, or texts with a comma between';
/** A list of strings, or a string with commas as separators. */
export const textList = z
  .union([z.array(z.string()), z.string().transform((given) => given.split(',').filter((one) => one !== ''))], LIST)
  .optional();
const bool = z
  .union([z.boolean(), z.stringbool({ truthy: ['true'], falsy: ['false'] })], 'is true or false')
  .optional();
const LIMIT = 'is a number that is not negative';
const limit = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number),
    ],
    LIMIT,
  )
  .pipe(z.int(LIMIT).min(0, LIMIT).max(999_999_999, LIMIT))
  .optional();

/** The flags that a deployment may set, by subject. They have the names and values of the local server's flags, but in camel case. */
export const DEPLOYED_FLAGS = {
  authentication: {
    anonymousAuth: text,
    authenticationConfig: path,
    authenticationTokenWebhookConfigFile: path,
    awsIdentityMap: path,
    enableBootstrapTokenAuth: text,
    oidcCaFile: path,
    oidcClientId: text,
    oidcGroupsClaim: text,
    oidcGroupsPrefix: text,
    oidcIssuerUrl: text,
    oidcRequiredClaim: textList,
    oidcUsernameClaim: text,
    oidcUsernamePrefix: text,
    tokenAuthFile: path,
  },
  serviceAccounts: {
    apiAudiences: textList,
    serviceAccountIssuer: textList,
    serviceAccountJwksUri: text,
    serviceAccountMaxTokenExpiration: text,
  },
  authorization: {
    authorizationConfig: path,
    authorizationMode: text,
    authorizationPolicyFile: path,
    authorizationWebhookCacheAuthorizedTtl: text,
    authorizationWebhookCacheUnauthorizedTtl: text,
    authorizationWebhookConfigFile: path,
  },
  admission: {
    admissionControlConfigFile: path,
    disableAdmissionPlugins: textList,
    enableAdmissionPlugins: textList,
    legacyPsp: bool,
  },
  audit: {
    auditLogFormat: text,
    auditLogPath: z.literal('-', 'is -, the log group').optional(),
    auditLogTruncateEnabled: text,
    auditLogTruncateMaxBatchSize: text,
    auditLogTruncateMaxEventSize: text,
    auditPolicyFile: path,
    auditWebhookBatchBufferSize: text,
    auditWebhookBatchMaxSize: text,
    auditWebhookBatchMaxWait: text,
    auditWebhookBatchThrottleBurst: text,
    auditWebhookBatchThrottleEnable: text,
    auditWebhookBatchThrottleQps: text,
    auditWebhookConfigFile: path,
    auditWebhookInitialBackoff: text,
    auditWebhookMode: text,
    auditWebhookTruncateEnabled: text,
    auditWebhookTruncateMaxBatchSize: text,
    auditWebhookTruncateMaxEventSize: text,
  },
  featureGates: {
    featureGates: textList,
  },
  flowControl: {
    enablePriorityAndFairness: bool,
    maxMutatingRequestsInflight: limit,
    maxRequestsInflight: limit,
  },
} as const;

/** All flags of all subjects, as the shape of an object. */
export const ALL_DEPLOYED_FLAGS = {
  ...DEPLOYED_FLAGS.authentication,
  ...DEPLOYED_FLAGS.serviceAccounts,
  ...DEPLOYED_FLAGS.authorization,
  ...DEPLOYED_FLAGS.admission,
  ...DEPLOYED_FLAGS.audit,
  ...DEPLOYED_FLAGS.featureGates,
  ...DEPLOYED_FLAGS.flowControl,
} as const;

const flags = z.object(ALL_DEPLOYED_FLAGS);

/** The flags of a deployment. Absent ones have upstream's defaults. */
export type DeployedFlags = z.infer<typeof flags>;

const shipped = z.object({ flags, files: z.record(z.string(), z.string()) });

/** The deployed flags among other values. Undefined if there are none. */
export function deployedFlagsIn(given: DeployedFlags): DeployedFlags | undefined {
  const found = flags.parse(given);
  return Object.values(found).some((value) => value !== undefined) ? defined(found) : undefined;
}

/** The shipped data of a deployment: flags and the contents of the files that they name. */
export type Shipped = z.infer<typeof shipped>;

/** Parses the shipped data of a deployment. Throws if it is invalid. */
export const parseShipped = (json: string): Shipped => shipped.parse(JSON.parse(json));
