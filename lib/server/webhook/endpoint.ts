import { WebhookError } from './answer.ts';
import type { ClientConfig, ServiceReference } from './client-config.ts';

/** Where a webhook is called, as upstream's client asks for it: a clean path, no query but the timeout. */
export interface Endpoint {
  /** As errors name it. */
  readonly url: string;
  /** Host and port as configured: the Host header. */
  readonly authority: string;
  readonly host: string;
  readonly port: number;
  readonly path: string;
}

/** The name under which the cluster's DNS has a Service, and which its certificate must have. */
export const serviceName = ({ namespace, name }: Pick<ServiceReference, 'namespace' | 'name'>): string =>
  `${name}.${namespace}.svc`;

/** Throws WebhookError where the configuration leads nowhere. */
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

/** Escapes characters that a path cannot have; escape sequences stay. */
const encoded = (step: string): string => step.replace(/[^\w!$&'()*+,;=:@.~%-]/gu, encodeURIComponent);
