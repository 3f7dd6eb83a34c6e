/** A Service of the cluster and its port. */
export interface NamedService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
}

/** The Service named by `http(s)://NAME.NAMESPACE.svc[:PORT]`; undefined for any other URL. Throws TypeError if the text is not a URL. */
export function serviceOf(url: string): NamedService | undefined {
  const { protocol, hostname, port } = new URL(url);
  const [, name, namespace] = /^([^.]+)\.([^.]+)\.svc$/.exec(hostname) ?? [];
  if (name === undefined || namespace === undefined) return undefined;
  return { namespace, name, port: Number(port || (protocol === 'https:' ? 443 : 80)) };
}
