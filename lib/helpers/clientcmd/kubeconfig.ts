import * as z from 'zod';
import { decodeYaml } from '#lib/machinery/yaml.ts';

/** The largest kubeconfig in bytes, and the most values in it. */
const MAX_BYTES = 10_000_000;
const MAX_VALUES = 100_000;

const optional = z.string().optional();
/** Go decodes base64 with line breaks. */
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
/** A client-go credential plugin, as a kubeconfig names it. */
export type ExecConfig = z.infer<typeof exec>;

/** The files that a kubeconfig names. */
export interface KubeconfigFiles {
  /** Returns the text of a file. Throws an error that names the file. */
  read(path: string): string;
  /** Returns a function that reads a file at each call, because the file may be rotated. */
  readLater(path: string): () => Promise<string>;
}

interface Named {
  readonly name: string;
  /** The files that the entry names: their paths are relative to the entry's kubeconfig. */
  readonly files: KubeconfigFiles;
}

/** A decoded kubeconfig, or several that were merged. */
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

/** Merges kubeconfigs as kubectl merges those of $KUBECONFIG: the first one that has an entry, or a current context, wins. */
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

/** The entries of the context, by default of the current one. Throws TypeError. */
export function selectContext(kubeconfig: Kubeconfig, name = kubeconfig.currentContext): SelectedContext {
  const chosen = kubeconfig.contexts.find((one) => one.name === name)?.context;
  if (chosen === undefined) throw new TypeError(`there is no context ${name}`);
  const found = kubeconfig.clusters.find((one) => one.name === chosen.cluster);
  if (found === undefined) throw new TypeError(`there is no cluster ${chosen.cluster}`);
  const login = kubeconfig.users.find((one) => one.name === chosen.user);
  return { cluster: found, user: login, namespace: chosen.namespace };
}
