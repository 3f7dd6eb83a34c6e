/** The hosts that an edge function selects from. */
export interface EdgeHosts {
  /** The origin's own host, or a placeholder `${host}` in a template. */
  readonly host: string;
  /** The host that serves watches. Undefined if the origin serves them. */
  readonly watchHost?: string;
}

/**
 * The code of the CloudFront function. It sets the Host header that each request's origin expects, and routes watches to their own origin.
 * A path or parameter mistaken for a watch does no harm, because both origins serve every request.
 */
export function edgeCode({ host, watchHost }: EdgeHosts): string {
  if (watchHost === undefined) return `${IMPORT}function handler(event) {\n${to(`'${host}'`)}}`;
  return `${IMPORT}function isWatch(request) {
  if (request.method !== 'GET') return false;
  var watch = request.querystring.watch;
  if (watch === undefined) return request.uri.indexOf('/watch/') >= 0;
  return watch.value !== 'false' && watch.value !== '0';
}
function handler(event) {
${to(`isWatch(event.request) ? '${watchHost}' : '${host}'`)}}`;
}

const IMPORT = `import cf from 'cloudfront';\n`;

const to = (host: string): string => `  var host = ${host};
  cf.updateRequestOrigin({ domainName: host, hostHeader: host });
  return event.request;
`;
