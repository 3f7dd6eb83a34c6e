/** The parts of a name below a cluster's domain, as Kubernetes defines them. */
export interface ParsedName {
  /** Undefined for the domain itself. */
  readonly subtree: 'svc' | 'pod' | undefined;
  readonly namespace?: string;
  /** The Service, or the address of a pod with dashes. */
  readonly service?: string;
  readonly endpoint?: string;
  readonly port?: string;
  readonly protocol?: string;
}

/**
 * Parses the part before the domain: `_http._tcp.web.default.svc`, `a.web.default.svc`, `10-244-0-5.default.pod`, ''. Undefined if no
 * cluster name has this form. Names are in lower case. Source: DNS specification 1.1 of Kubernetes; CoreDNS, parseRequest.
 */
export function parseName(relative: string): ParsedName | undefined {
  const labels = relative === '' ? [] : relative.split('.');
  const [subtree, namespace, service, ...rest] = labels.toReversed();
  if (subtree === undefined) return { subtree };
  if ((subtree !== 'svc' && subtree !== 'pod') || rest.length > 2) return undefined;
  if (namespace === undefined) return { subtree: undefined };
  if (service === undefined) return { subtree, namespace };
  const [first, second] = rest;
  if (first === undefined) return { subtree, namespace, service };
  if (second === undefined) return { subtree, namespace, service, endpoint: first };
  return { subtree, namespace, service, protocol: withoutUnderscore(first), port: withoutUnderscore(second) };
}

const withoutUnderscore = (label: string): string => label.replace(/^_/, '');
