import { WebhookError } from './answer.ts';
import type { ClientConfig, ServiceReference } from './client-config.ts';

/** The target of a webhook call, as upstream's client requests it: a clean path, and no query except the timeout. */
export interface Endpoint {
  /** The URL in error messages. */
  readonly url: string;
  /** Host and port as configured: the Host header. */
  readonly authority: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** Returns the cluster's DNS name of a Service, which its certificate must contain. */
export const serviceName = ({ namespace, name }: Pick<ServiceReference, 'namespace' | 'name'>): string =>
  `${name}.${namespace}.svc`;

/** Returns the endpoint of a configuration. Throws WebhookError if it has no target. */
export function endpointOf({ url = '', service }: ClientConfig, timeoutSeconds: number): Endpoint {
  const base = service === undefined ? url : `https://${serviceName(service)}:${service.port}`;
  if (!URL.canParse(base)) {
    throw new WebhookError('malformed', 'webhook configuration must have either service or URL');
  }
  const { hostname, port, pathname } = new URL(base);
  const [, authority = ''] = /^[^/]*\/\/(?:[^/@]*@)?([^/?#]*)/.exec(base) ?? [];
  const steps = (service === undefined ? pathname : service.path).split('/').filter((step) => step !== '');
  const path = `/${steps.map(encoded).join('/')}?timeout=${timeoutSeconds}s`;
  return {
    url: `https://${authority}${path}`,
    authority,
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port === '' ? 443 : port),
    path,
  };
}

/** Escapes characters that are invalid in a path. Preserves escape sequences. */
const encoded = (step: string): string => step.replace(/[^\w!$&'()*+,;=:@.~%-]/gu, encodeURIComponent);
