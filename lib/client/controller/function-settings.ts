import * as z from 'zod';
import { likely } from '#lib/machinery/config/nearest.ts';
import { issuesText } from '#lib/machinery/issues.ts';
import { JsonSyntaxError } from '#lib/machinery/json-parser.ts';
import { decodeYaml, YamlError } from '#lib/machinery/yaml.ts';

/** The settings file in the folder of the functions. */
export const SETTINGS_FILE = 'functions.yaml';

const HEADER = { apiVersion: 'davit.dev/v1', kind: 'Functions' } as const;

/** The maximum size of the file in bytes, and the maximum number of values in it. */
const MOST_BYTES = 256 * 1024;
const MOST_VALUES = 20_000;
/**
 * The maximum size of a function's environment and references to secrets, in bytes. Lambda's limit is 4 KB, including the platform's
 * variables.
 */
const MOST_ENVIRONMENT = 3072;
/** The maximum size of a function's permissions, in bytes. The limit for all policies of a role is 10 KB. */
const MOST_ACCESS = 6144;

/** The variable names that Lambda accepts. */
const VARIABLE = /^[A-Za-z][A-Za-z0-9_]+$/;
const PLATFORM = /^(AWS_|DAVIT_|LAMBDA_|NODE_OPTIONS$)/i;

const SECRET = /^(arn:aws[\w-]*:secretsmanager:[a-z0-9-]+:\d{12}:secret:[\w/+=.@-]+-[A-Za-z0-9]{6}|[\w/+=.@-]{1,512})$/;
const PARAMETER = /^(arn:aws[\w-]*:ssm:[a-z0-9-]+:\d{12}:parameter(\/[\w.-]+)+|[\w.-]+|(\/[\w.-]+)+)$/;
const ACTION = /^[a-z0-9-]+:[A-Za-z0-9*?]+$/;
const RESOURCE = /^(\*|arn:aws[\w-]*:\S+)$/;

const matching = (pattern: RegExp, error: string, most = 2048) =>
  z.string(error).max(most, error).regex(pattern, error);
const whole = (least: number, most: number) => {
  const error = `is a whole number from ${least} to ${most}`;
  return z.int(error).min(least, error).max(most, error);
};

const secret = z
  .strictObject({
    /** The name or the full ARN of a secret in AWS Secrets Manager. */
    secret: matching(SECRET, 'is the name or the ARN of a secret in Secrets Manager').optional(),
    /** The field of a secret that is a JSON object. Default the whole text. */
    key: z.string().min(1).max(256).optional(),
    /** The name or the ARN of a parameter in the Parameter Store of AWS Systems Manager. */
    parameter: matching(PARAMETER, 'is the name or the ARN of a parameter in Parameter Store').optional(),
    /** The environment variable that holds the value on a local server. Defaults to the variable with the same name. */
    env: matching(/^[A-Za-z_]\w*$/, 'is the name of an environment variable', 256).optional(),
  })
  .refine((one) => (one.secret === undefined) !== (one.parameter === undefined), 'has secret or parameter')
  .refine((one) => one.key === undefined || one.secret !== undefined, 'has a key of a secret only');

const condition = z.record(z.string(), z.record(z.string(), z.union([z.string(), z.array(z.string())])));

const statement = z.strictObject({
  actions: z
    .array(matching(ACTION, 'is an action of IAM, as s3:GetObject', 256))
    .min(1)
    .max(50),
  resources: z.array(matching(RESOURCE, 'is an ARN, or *')).min(1).max(50),
  /** The conditions in IAM's format: operator, key, values. */
  conditions: condition.optional(),
});

const settings = z
  .strictObject({
    memory: whole(128, 10_240).optional(),
    timeout: whole(1, 900).optional(),
    /** Whether a deployment that changes a reconciler's code then reconciles all its objects. A number is the rate per second. */
    reconcileOnDeploy: z
      .union([z.boolean(), whole(1, 1000)], 'is true, false or a whole number from 1 to 1000')
      .optional(),
    environment: named(
      z
        .string('is a text')
        .max(MOST_ENVIRONMENT)
        .refine((text) => !text.includes('\0'), 'has a NUL'),
    ),
    secrets: named(secret),
    access: z
      .array(statement)
      .max(20)
      .refine((all) => JSON.stringify(all).length <= MOST_ACCESS, `has more than ${MOST_ACCESS} bytes`)
      .default([]),
  })
  .superRefine(({ environment, secrets }, context) => {
    for (const name of Object.keys(secrets))
      if (Object.hasOwn(environment, name))
        context.addIssue({ code: 'custom', path: ['secrets', name], message: 'is in environment too' });
    if (JSON.stringify({ environment, secrets }).length > MOST_ENVIRONMENT)
      context.addIssue({ code: 'custom', message: `environment and secrets have more than ${MOST_ENVIRONMENT} bytes` });
  });

const file = z.strictObject({
  apiVersion: z.literal(HEADER.apiVersion, `is ${HEADER.apiVersion}`),
  kind: z.literal(HEADER.kind, `is ${HEADER.kind}`),
  functions: z.record(z.string(), settings, 'is an object of settings by the names of functions'),
});

/** A reference to a value stored elsewhere. */
export type SecretReference = z.infer<typeof secret>;
/** The settings of one function: `memory` in MiB, `timeout` in seconds. Absent settings have their defaults. */
export type FunctionSettings = z.infer<typeof settings>;
/** Settings by function name. */
export type SettingsByName = ReadonlyMap<string, FunctionSettings>;

/**
 * Parses the settings of functions from YAML or JSON. Throws TypeError with one line that starts with the file's name and lists each
 * invalid field.
 */
export function parseFunctionSettings(text: string): SettingsByName {
  const read = file.safeParse(decoded(text));
  if (!read.success) throw new TypeError(`${SETTINGS_FILE}: ${issuesText(read.error.issues).replaceAll(/\s+/g, ' ')}`);
  return new Map(Object.entries(read.data.functions));
}

/** Throws TypeError with one line if there are settings for a function that is not in `declared`. */
export function refuseUnknownFunctions(settingsOf: SettingsByName, declared: readonly string[]): void {
  const unknown = [...settingsOf.keys()].find((name) => !declared.includes(name));
  if (unknown === undefined) return;
  const meant = likely(unknown, declared);
  const hint = meant === undefined ? '' : `; the nearest is ${meant}`;
  throw new TypeError(`${SETTINGS_FILE}: functions.${unknown}: no file declares such a function${hint}`);
}

function variableFault(name: string): string | undefined {
  if (name.length > 256 || !VARIABLE.test(name)) return 'is no name of an environment variable';
  return PLATFORM.test(name) ? 'is the name of a variable of the platform' : undefined;
}

/** Values by names of environment variables. */
function named<T extends z.ZodType>(value: T) {
  return z
    .record(z.string(), value)
    .superRefine((all, context) => {
      for (const name of Object.keys(all)) {
        const message = variableFault(name);
        if (message !== undefined) context.addIssue({ code: 'custom', path: [name], message });
      }
    })
    .default({});
}

function decoded(text: string): unknown {
  if (text.length > MOST_BYTES) throw new TypeError(`${SETTINGS_FILE}: has more than ${MOST_BYTES} bytes`);
  try {
    const { value, duplicates } = decodeYaml(Buffer.from(text), { maxValues: MOST_VALUES });
    if (duplicates[0] === undefined) return value;
    throw new TypeError(`${SETTINGS_FILE}: ${duplicates[0].replaceAll(/\s+/g, ' ')}`);
  } catch (error) {
    if (!(error instanceof YamlError || error instanceof JsonSyntaxError)) throw error;
    throw new TypeError(`${SETTINGS_FILE}: ${error.message.replaceAll(/\s+/g, ' ')}`, { cause: error });
  }
}
