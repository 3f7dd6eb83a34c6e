/** A webhook on fastify. It labels config maps, and rejects those that request it. Usage: webhook.ts PORT CERTIFICATE KEY */
import { readFileSync } from 'node:fs';
import type { V1ConfigMap } from '@kubernetes/client-node';
import { fastify } from 'fastify';

interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly object: V1ConfigMap };
}

const REVIEW = {
  type: 'object',
  required: ['apiVersion', 'kind', 'request'],
  properties: { kind: { const: 'AdmissionReview' }, request: { type: 'object', required: ['uid', 'object'] } },
};

function mutate({ metadata }: V1ConfigMap): object {
  const patch = [{ op: 'add', path: '/metadata/labels', value: { ...metadata?.labels, 'seen-by': 'node' } }];
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
}

function validate({ data }: V1ConfigMap): object {
  const word = data?.['refuse'];
  return word === undefined
    ? { allowed: true, warnings: ['node was here'] }
    : { allowed: false, status: { code: 403, message: `node says ${word}` } };
}

const [port, certificate = '', key = ''] = process.argv.slice(2);
const app = fastify({ https: { cert: readFileSync(certificate), key: readFileSync(key) } });
for (const [path, judge] of [
  ['/mutate', mutate],
  ['/validate', validate],
] as const) {
  app.post<{ Body: Review }>(path, { schema: { body: REVIEW } }, async ({ body: { apiVersion, request } }) => ({
    apiVersion,
    kind: 'AdmissionReview',
    response: { uid: request.uid, ...judge(request.object) },
  }));
}
await app.listen({ port: Number(port), host: '127.0.0.1' });
console.log('ready');
