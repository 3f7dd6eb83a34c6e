import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import * as z from 'zod';
import { defined } from '#lib/machinery/defined.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';
import type { ClientConfig, WebhookCredentials } from '#lib/webhook/client-config.ts';

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

/** Pairs of a field for a file and one for what would stand in it. */
type Fields = Readonly<Record<string, string | undefined>>;

/**
 * Reads the server and credentials of a kubeconfig: those of its current context, or its only ones. Throws TypeError.
 */
export function webhookOf(text: string, directory: string): ClientConfig {
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
  const caBundle = contentOf(cluster, 'certificate-authority', directory) ?? '';
  const credentials = typeof user === 'object' ? credentialsOf(user, directory) : undefined;
  return { url: cluster.server, caBundle, ...defined({ credentials }) };
}

/** By what a user of a kubeconfig is known; undefined where it says nothing. */
export function credentialsOf(user: Fields, directory: string): WebhookCredentials | undefined {
  const certificate = contentOf(user, 'client-certificate', directory);
  const key = contentOf(user, 'client-key', directory);
  if ((certificate === undefined) !== (key === undefined))
    throw new TypeError('client-certificate and client-key belong together');
  const token = tokenOf(user, directory);
  if (certificate === undefined && token === undefined) return undefined;
  return {
    ...(certificate === undefined || key === undefined ? {} : { certificate: { certificate, key } }),
    ...defined({ token }),
  };
}

/** The file before the text, as whoever rotates it writes there; it is read at every call. */
function tokenOf({ token, tokenFile }: Fields, directory: string): (() => Promise<string>) | undefined {
  if (tokenFile !== undefined) return async () => (await readFile(resolve(directory, tokenFile), 'utf8')).trim();
  return token === undefined ? undefined : async () => token;
}

/** Reads the field that ends with -data, or the file that the other field names. */
export function contentOf(fields: Fields, name: string, directory: string): string | undefined {
  const [file, data] = [fields[name], fields[`${name}-data`]];
  if (data !== undefined) return Buffer.from(data, 'base64').toString('latin1');
  return file === undefined ? undefined : readFileSync(resolve(directory, file), 'utf8');
}
