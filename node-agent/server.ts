import type { RequestListener } from 'node:http';

/** Answers requests for the node itself, as the kubelet's own server: health, and nothing else yet. */
export const nodeServer: RequestListener = (request, response) => {
  const [path] = (request.url ?? '').split('?');
  const [status, text] = path === '/healthz' ? [200, 'ok'] : [404, '404 page not found\n'];
  const type = { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(text) };
  request.resume();
  response.writeHead(status, type).end(request.method === 'HEAD' ? undefined : text);
};
