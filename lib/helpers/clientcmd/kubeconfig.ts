import * as z from 'zod';
import { decodeYaml } from '#lib/machinery/yaml.ts';

/** The maximum size of a kubeconfig in bytes, and the maximum number of values in it. */
const MAX_BYTES = 10_000_000;
const MAX_VALUES = 100_000;

const optional = z.string().optional();
/** Base64 with optional line breaks, which Go's decoder accepts. */
const base64 = z
  .string()
  .transform((data) => data.replaceAll(/[\r\n]/g, ''))
  .pipe(z.base64())
  .optional();
const listOf = <T extends z.ZodType>(entry: T) =>
  z
    .array(entry)
    .nullish()
    .transform((entries) => entries ?? []);

const cluster = z.object({
  server: z.string().default(''),
  'certificate-authority-data': base64,
  'certificate-authority': optional,
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': optional,
});
const exec = z.object({
  apiVersion: z.string(),
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
});
const user = z.object({
  token: optional,
  tokenFile: optional,
  'client-certificate': optional,
  'client-certificate-data': base64,
  'client-key': optional,
  'client-key-data': base64,
  exec: exec.optional(),
  username: z.unknown().optional(),
  'auth-provider': z.unknown().optional(),
  as: z.unknown().optional(),
});
const context = z.object({ cluster: z.string(), user: z.string().default(''), namespace: optional });
const config = z.object({
  'current-context': z.string().default(''),
  clusters: listOf(z.object({ name: z.string(), cluster })),
  users: listOf(z.object({ name: z.string(), user })),
  contexts: listOf(z.object({ name: z.string(), context })),
});

/** A server in a kubeconfig. */
export type KubeconfigCluster = z.infer<typeof cluster>;
/** A user in a kubeconfig. */
export type KubeconfigUser = z.infer<typeof user>;
/** A client-go credential plugin, as configured in a kubeconfig. */
export type ExecConfig = z.infer<typeof exec>;

/** Reads the files that a kubeconfig refers to. */
export interface KubeconfigFiles {
  /** Returns the text of a file. Throws an error whose message names the file. */
  read(path: string): string;
  /** Returns a function that reads the file on each call, because the file may be rotated. */
  readLater(path: string): () => Promise<string>;
}

interface Named {
  readonly name: string;
  /** Reads the files that the entry refers to. Paths are relative to the entry's kubeconfig. */
  readonly files: KubeconfigFiles;
}

/** A decoded kubeconfig, or the result of merging several. */
export interface Kubeconfig {
  /** Empty if it has none. */
  readonly currentContext: string;
  readonly clusters: readonly (Named & { readonly cluster: KubeconfigCluster })[];
  readonly users: readonly (Named & { readonly user: KubeconfigUser })[];
  readonly contexts: readonly (Named & { readonly context: z.infer<typeof context> })[];
}

/** Decodes the text of a kubeconfig. Throws TypeError, and YamlError for a text that is not YAML. */
export function decodeKubeconfig(text: string, files: KubeconfigFiles): Kubeconfig {
  const bytes = Buffer.from(text);
  if (bytes.length > MAX_BYTES) throw new TypeError(`a kubeconfig of ${bytes.length} bytes is too large`);
  const read = config.safeParse(decodeYaml(bytes, { maxValues: MAX_VALUES }).value ?? {});
  if (!read.success) throw new TypeError(z.prettifyError(read.error));
  const { 'current-context': currentContext, clusters, users, contexts } = read.data;
  return {
    currentContext,
    clusters: clusters.map((one) => ({ ...one, files })),
    users: users.map((one) => ({ ...one, files })),
    contexts: contexts.map((one) => ({ ...one, files })),
  };
}

/**
 * Merges kubeconfigs like kubectl merges those in $KUBECONFIG. For each entry and for the current context, the first kubeconfig that has it
 * wins.
 */
export const mergeKubeconfigs = (configs: readonly Kubeconfig[]): Kubeconfig => ({
  currentContext: configs.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
  clusters: configs.flatMap(({ clusters }) => clusters),
  users: configs.flatMap(({ users }) => users),
  contexts: configs.flatMap(({ contexts }) => contexts),
});

/** The entries of a context. */
export interface SelectedContext {
  readonly cluster: Kubeconfig['clusters'][number];
  /** Undefined if the context names a user that does not exist. */
  readonly user: Kubeconfig['users'][number] | undefined;
  readonly namespace: string | undefined;
}

/** The entries of a context, by default the current one. Throws TypeError. */
export function selectContext(kubeconfig: Kubeconfig, name = kubeconfig.currentContext): SelectedContext {
  const chosen = kubeconfig.contexts.find((one) => one.name === name)?.context;
  if (chosen === undefined) throw new TypeError(`there is no context ${name}`);
  const found = kubeconfig.clusters.find((one) => one.name === chosen.cluster);
  if (found === undefined) throw new TypeError(`there is no cluster ${chosen.cluster}`);
  const login = kubeconfig.users.find((one) => one.name === chosen.user);
  return { cluster: found, user: login, namespace: chosen.namespace };
}
