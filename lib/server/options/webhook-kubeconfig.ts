import * as z from 'zod';
import { defined } from '#lib/machinery/defined.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import type { ClientConfig } from '#lib/server/webhook/client-config.ts';
import { type Files, readAs } from './files.ts';
import { contentOf, credentialsOf } from './kubeconfig-credentials.ts';

const named = <T extends z.ZodType>(field: string, value: T) => z.object({ name: z.string(), [field]: value });
const kubeconfig = z.object({
  'current-context': z.string().default(''),
  clusters: z.array(
    named(
      'cluster',
      z.object({
        server: z.url({ protocol: /^https$/ }),
        'certificate-authority-data': z.base64().optional(),
        'certificate-authority': z.string().optional(),
      }),
    ),
  ),
  users: z
    .array(
      named(
        'user',
        z.strictObject({
          token: z.string().optional(),
          tokenFile: z.string().optional(),
          'client-certificate': z.string().optional(),
          'client-certificate-data': z.base64().optional(),
          'client-key': z.string().optional(),
          'client-key-data': z.base64().optional(),
        }),
      ),
    )
    .default([]),
  contexts: z.array(named('context', z.object({ cluster: z.string(), user: z.string().default('') }))).default([]),
});

/** Reads the kubeconfig of a webhook. Throws OptionError that names the file. */
export const webhookIn = (files: Files, path: string): ClientConfig =>
  readAs(files, path, (text) => webhookOf(text, files.beside(path)));

/**
 * Reads the server and credentials of a kubeconfig: those of its current context, or its only ones. File names in it are relative to its
 * folder. Throws TypeError.
 */
export function webhookOf(text: string, files: Files): ClientConfig {
  const read = kubeconfig.safeParse(decodeYaml(Buffer.from(text)).value);
  if (!read.success) throw new TypeError(z.prettifyError(read.error));
  const { clusters, users, contexts, 'current-context': current } = read.data;
  const context = contexts.find(({ name }) => name === current)?.['context'];
  const selected = typeof context === 'object' ? context : undefined;
  const cluster = (selected === undefined ? clusters[0] : clusters.find(({ name }) => name === selected.cluster))?.[
    'cluster'
  ];
  if (typeof cluster !== 'object') throw new TypeError('the current context names no cluster');
  const user = (selected === undefined ? users[0] : users.find(({ name }) => name === selected.user))?.['user'];
  const caBundle = contentOf(cluster, 'certificate-authority', files) ?? '';
  const credentials = typeof user === 'object' ? credentialsOf(user, files) : undefined;
  return { url: cluster.server, caBundle, ...defined({ credentials }) };
}
