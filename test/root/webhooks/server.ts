import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';

/*
 * The server in a pod: an admission webhook, a conversion webhook and a scheduler extender. This machine's Node.js runs it from this file
 * only, with its certificate in /certs. It prints each requested path.
 */

interface Meta {
  readonly name?: string;
}
interface Custom {
  readonly apiVersion: string;
  readonly metadata: Meta;
  readonly spec: { readonly host?: string; readonly hosts?: readonly string[] };
}
interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly request: {
    readonly uid: string;
    readonly object?: { readonly data?: Readonly<Record<string, string>> };
    readonly desiredAPIVersion?: string;
    readonly objects?: readonly Custom[];
  };
}

const admit = ({ request: { object } }: Review): object =>
  object?.data?.['word'] === 'bad' ? { allowed: false, status: { message: 'a bad word' } } : { allowed: true };

const mutate = (): object => {
  const patch = [{ op: 'add', path: '/metadata/annotations', value: { 'hooks.example.com/seen': 'yes' } }];
  return { allowed: true, patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64') };
};

const convert = ({ request: { desiredAPIVersion = '', objects = [] } }: Review): object => ({
  result: { status: 'Success' },
  convertedObjects: objects.map(({ spec, ...rest }) => ({
    ...rest,
    apiVersion: desiredAPIVersion,
    spec: desiredAPIVersion.endsWith('v2') ? { hosts: [spec.host ?? ''] } : { host: spec.hosts?.[0] ?? '' },
  })),
});

const REVIEWS: Readonly<Record<string, (review: Review) => object>> = {
  '/admit': admit,
  '/mutate': mutate,
  '/convert': convert,
};

/** The body of a response; undefined for a path that never responds. */
function answerOf(path: string, body: string): object | undefined {
  if (path === '/slow') return undefined;
  const asked = JSON.parse(body) as Review & { readonly NodeNames?: readonly string[] };
  if (path === '/scheduler/filter') return { NodeNames: asked.NodeNames };
  const { apiVersion, kind, request } = asked;
  return { apiVersion, kind, response: { uid: request.uid, ...REVIEWS[path]?.(asked) } };
}

const tls = { cert: readFileSync('/certs/tls.crt'), key: readFileSync('/certs/tls.key') };
createServer(tls, (request, response) => {
  const path = request.url?.split('?')[0] ?? '';
  console.log(path);
  let body = '';
  request.setEncoding('utf8').on('data', (text: string) => (body += text));
  request.on('end', () => {
    const answer = answerOf(path, body);
    if (answer !== undefined) response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
  });
}).listen(8443);
