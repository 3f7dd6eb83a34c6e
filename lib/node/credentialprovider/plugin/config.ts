import { createHash } from 'node:crypto';
import * as z from 'zod';
import { parseDuration } from '#lib/machinery/duration.ts';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { strictIssuesText } from '#lib/machinery/issues.ts';
import { isObject, type Json, stringAt } from '#lib/machinery/json-value.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';

/** A Go duration, converted to nanoseconds. An invalid one is reported with the message of `parseDuration`. */
export const goDuration = z.string().transform((text, context) => {
  try {
    return parseDuration(text);
  } catch (error) {
    context.addIssue({ code: 'custom', message: messageOfError(error) });
    return z.NEVER;
  }
});

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');
const texts = z
  .array(z.string())
  .nullish()
  .transform((values) => values ?? []);

const tokenAttributes = z.strictObject({
  serviceAccountTokenAudience: text,
  cacheType: text,
  requireServiceAccount: z.boolean().nullish(),
  requiredServiceAccountAnnotationKeys: texts,
  optionalServiceAccountAnnotationKeys: texts,
});

const provider = z.strictObject({
  name: text,
  matchImages: texts,
  defaultCacheDuration: goDuration.nullish(),
  apiVersion: text,
  args: texts,
  env: z
    .array(z.strictObject({ name: text, value: text }))
    .nullish()
    .transform((values) => values ?? []),
});
const withTokens = provider.extend({ tokenAttributes: tokenAttributes.nullish() });

/** How a plugin uses service account tokens. */
export type TokenAttributes = z.infer<typeof tokenAttributes>;
/** One plugin of a CredentialProviderConfig. Durations are in nanoseconds. */
export type CredentialProvider = z.infer<typeof withTokens>;

/** The error for an invalid configuration, with upstream's message. */
export class CredentialProviderConfigError extends Error {
  override readonly name = 'CredentialProviderConfigError';
}

const GROUP = 'kubelet.config.k8s.io';
const KIND = 'CredentialProviderConfig';

/** The schema of a plugin, by the version of the configuration. */
const SCHEMAS = new Map<string, z.ZodType<CredentialProvider>>([
  [`${GROUP}/v1`, withTokens],
  [`${GROUP}/v1beta1`, provider],
  [`${GROUP}/v1alpha1`, provider],
]);

/** One file of a configuration. */
export interface ConfigFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** A configuration from one or several files. Its hash consists of `sha256:` and hexadecimal digits. */
export interface CredentialProviderConfig {
  readonly providers: readonly CredentialProvider[];
  readonly hash: string;
}

/** Whether a file in the folder belongs to the configuration. */
export const isConfigFile = (name: string): boolean => /\.(json|yaml|yml)$/.test(name);

/** Merges the files of a configuration in order, without validating their content. Throws CredentialProviderConfigError. */
export function mergeConfigFiles(files: readonly ConfigFile[]): CredentialProviderConfig {
  const hash = createHash('sha256');
  const providers: CredentialProvider[] = [];
  for (const { path, bytes } of files) {
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(bytes.length));
    hash.update(length).update(bytes);
    providers.push(...decodedFile(path, bytes));
  }
  const repeated = providers.find(({ name }, i) => providers.findIndex((other) => other.name === name) !== i);
  if (repeated !== undefined)
    throw new CredentialProviderConfigError(
      `duplicate provider name ${quote(repeated.name)} found in configuration file(s)`,
    );
  return { providers, hash: `sha256:${hash.digest('hex')}` };
}

function decodedFile(path: string, bytes: Uint8Array): readonly CredentialProvider[] {
  try {
    return decodeConfig(bytes);
  } catch (cause) {
    throw new CredentialProviderConfigError(`error decoding config ${quote(path)}: ${messageOfError(cause)}`, {
      cause,
    });
  }
}

function decodeConfig(bytes: Uint8Array): readonly CredentialProvider[] {
  const { value, duplicates } = decodeYaml(bytes);
  const schema = schemaOf(value);
  if (duplicates.length > 0) throw new TypeError(`strict decoding error: ${duplicates.join(', ')}`);
  const read = z
    .strictObject({ apiVersion: z.string(), kind: z.string(), providers: z.array(schema).nullish() })
    .safeParse(value);
  if (!read.success) throw new TypeError(strictIssuesText(read.error.issues));
  return read.data.providers ?? [];
}

/** The schema of a document's plugins, by version. Throws TypeError for another kind. */
function schemaOf(value: Json): z.ZodType<CredentialProvider> {
  const document = isObject(value) ? value : {};
  const [kind = '', version = ''] = [stringAt(document, 'kind'), stringAt(document, 'apiVersion')];
  if (kind === '') throw new TypeError("Object 'Kind' is missing");
  if (version === '') throw new TypeError("Object 'apiVersion' is missing");
  const schema = SCHEMAS.get(version);
  if (kind !== KIND || schema === undefined)
    throw new TypeError(`no kind ${quote(kind)} is registered for version ${quote(version)}`);
  return schema;
}
