import { readFileSync } from 'node:fs';
import * as z from 'zod';
import type { TokenWebhook } from '#lib/authentication/webhook.ts';
import { decodeYaml } from '#lib/machinery/yaml.ts';

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
  contexts: z.array(named('context', z.object({ cluster: z.string() }))).default([]),
});

/** Whom a kubeconfig names: its current context's cluster, or its only one. Throws TypeError. */
export function tokenWebhookOf(text: string): TokenWebhook {
  const read = kubeconfig.safeParse(decodeYaml(Buffer.from(text)).value);
  if (!read.success) throw new TypeError(z.prettifyError(read.error));
  const { clusters, contexts, 'current-context': current } = read.data;
  const context = contexts.find(({ name }) => name === current)?.['context'];
  const wanted = typeof context === 'object' ? context.cluster : undefined;
  const cluster = (wanted === undefined ? clusters[0] : clusters.find(({ name }) => name === wanted))?.['cluster'];
  if (typeof cluster !== 'object') throw new TypeError('the current context names no cluster');
  const { 'certificate-authority-data': data, 'certificate-authority': file } = cluster;
  const caBundle = data === undefined ? (file === undefined ? '' : readFileSync(file, 'utf8')) : fromBase64(data);
  return { config: { url: cluster.server, caBundle } };
}

const fromBase64 = (text: string): string => Buffer.from(text, 'base64').toString('latin1');
