import * as z from 'zod';
import { strictIssuesText } from '#lib/machinery/issues.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';

const key = z.strictObject({ name: z.string().default(''), secret: z.string().default('') });
const keys = z.strictObject({
  keys: z
    .array(key)
    .nullish()
    .transform((all) => all ?? []),
});
const kms = z.strictObject({
  apiVersion: z.string().default('v1'),
  name: z.string().default(''),
  cachesize: z.int().optional(),
  endpoint: z.string().default(''),
  timeout: z.string().default('3s'),
});
const provider = z.strictObject({
  aesgcm: keys.optional(),
  aescbc: keys.optional(),
  secretbox: keys.optional(),
  identity: z.strictObject({}).optional(),
  kms: kms.optional(),
});
const resources = z.strictObject({
  resources: z.array(z.string()).default([]),
  providers: z.array(provider).default([]),
});
const configuration = z.strictObject({
  apiVersion: z.literal('apiserver.config.k8s.io/v1'),
  kind: z.literal('EncryptionConfiguration'),
  resources: z.array(resources).default([]),
});

/** An `apiserver.config.k8s.io/v1 EncryptionConfiguration`, with defaults set. */
export type EncryptionConfiguration = z.infer<typeof configuration>;
/** One provider in a resource's list, by type. */
export type Provider = z.infer<typeof provider>;
/** A named secret of a local provider. The secret is base64. */
export type Key = z.infer<typeof key>;

/** Parses YAML or JSON as strictly as upstream. Throws TypeError with a description that never includes a secret. */
export function parseEncryptionConfiguration(text: string): EncryptionConfiguration {
  const { value, duplicates } = decodeYaml(Buffer.from(text));
  if (duplicates.length > 0) throw new TypeError(`strict decoding error: ${duplicates.join(', ')}`);
  const read = configuration.safeParse(value);
  if (read.success) return read.data;
  throw new TypeError(strictIssuesText(read.error.issues));
}
