/** A webhook on Node's own HTTPS server: it labels config maps, and refuses those that say so. Usage: webhook.ts PORT CERTIFICATE KEY */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { V1ConfigMap } from '@kubernetes/client-node';

interface Review {
  readonly apiVersion: string;
  readonly request: { readonly uid: string; readonly object: V1ConfigMap };
}

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

function answer(path: string | undefined, { apiVersion, request: { uid, object } }: Review): string {
  const response = path?.startsWith('/mutate') ? mutate(object) : validate(object);
  return JSON.stringify({ apiVersion, kind: 'AdmissionReview', response: { uid, ...response } });
}

const [port, certificate = '', key = ''] = process.argv.slice(2);
const server = createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const review = JSON.parse(Buffer.concat(chunks).toString()) as Review;
    response.setHeader('content-type', 'application/json');
    response.end(answer(request.url, review));
  });
});
server.listen(Number(port), '127.0.0.1', () => console.log('ready'));
