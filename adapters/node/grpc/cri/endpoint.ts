/**
 * The path of the Unix socket in an endpoint of the container runtime. The endpoint is a URL such as
 * `unix:///run/containerd/containerd.sock`, or the bare path of older configurations. Throws an Error with upstream's text (cri-client:
 * GetAddressAndDialer).
 */
export function socketOf(endpoint: string): string {
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(endpoint)?.[1]?.toLowerCase();
  if (scheme === 'tcp') throw new Error('only support unix socket endpoint');
  if (scheme !== undefined && scheme !== 'unix') throw new Error(`protocol ${JSON.stringify(scheme)} not supported`);
  const address = scheme === undefined ? `unix://${endpoint}` : endpoint;
  const path = /^[^:]*:(?:\/\/[^/?#]*)?(\/[^?#]*)/.exec(address)?.[1] ?? '';
  return decodeURIComponent(path);
}
