import * as z from 'zod';
import { defined } from '#lib/machinery/defined.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import type { Files } from '#lib/server/options/files.ts';
import { contentOf, credentialsOf } from '#lib/server/options/kubeconfig-credentials.ts';
import type { Remote } from './api-connection.ts';
import { execConfig, execToken } from './exec-token.ts';

/** An API server and the client's namespace. */
export interface RemoteNamespace {
  readonly remote: Remote;
  readonly namespace: string;
}

const text = z.string().optional();
const named = <K extends string, T extends z.ZodType>(field: K, value: T) =>
  z.array(z.object({ name: z.string(), [field]: value } as { name: z.ZodString } & Record<K, T>)).default([]);

const kubeconfig = z.object({
  'current-context': z.string().default(''),
  clusters: named(
    'cluster',
    z.object({
      server: z.url({ protocol: /^https$/ }),
      'certificate-authority-data': text,
      'certificate-authority': text,
      'insecure-skip-tls-verify': z.boolean().optional(),
      'tls-server-name': text,
    }),
  ),
  users: named(
    'user',
    z.object({
      token: text,
      tokenFile: text,
      'client-certificate': text,
      'client-certificate-data': text,
      'client-key': text,
      'client-key-data': text,
      exec: execConfig.optional(),
    }),
  ),
  contexts: named('context', z.object({ cluster: z.string(), user: z.string().default(''), namespace: text })),
});

/**
 * Returns the API server of a kubeconfig's context, by default the current one. `files` is relative to the folder of the kubeconfig. Throws
 * TypeError.
 */
export function placeOf(config: string, files: Files, context?: string): RemoteNamespace {
  const read = kubeconfig.safeParse(decodeYaml(Buffer.from(config)).value);
  if (!read.success) throw new TypeError(z.prettifyError(read.error));
  const { clusters, users, contexts, 'current-context': current } = read.data;
  const wanted = context ?? current;
  const chosen = contexts.find(({ name }) => name === wanted)?.context;
  if (chosen === undefined) throw new TypeError(`there is no context ${wanted}`);
  const cluster = clusters.find(({ name }) => name === chosen.cluster)?.cluster;
  if (cluster === undefined) throw new TypeError(`there is no cluster ${chosen.cluster}`);
  const { exec, ...fields } = users.find(({ name }) => name === chosen.user)?.user ?? {};
  const credentials = exec === undefined ? credentialsOf(fields, files) : { token: execToken(exec, () => Date.now()) };
  const { 'insecure-skip-tls-verify': insecure = false, 'tls-server-name': serverName } = cluster;
  return {
    namespace: chosen.namespace ?? 'default',
    remote: {
      url: cluster.server,
      caBundle: contentOf({ ...cluster, 'insecure-skip-tls-verify': undefined }, 'certificate-authority', files) ?? '',
      insecure,
      ...defined({ serverName, credentials }),
    },
  };
}
