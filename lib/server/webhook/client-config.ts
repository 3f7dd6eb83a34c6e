import { defined } from '#lib/machinery/defined.ts';
import { type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';

/** A reference to a Service, with defaults set. */
export interface ServiceReference {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly path: string;
}

/** The credentials with which this server authenticates to a webhook. */
export interface WebhookCredentials {
  /** A client certificate and its key in PEM. */
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** Returns a bearer token. Called on every request. */
  token?(): Promise<string>;
}

/** `WebhookClientConfig`: either a URL or a Service. */
export interface ClientConfig {
  readonly url?: string;
  readonly service?: ServiceReference;
  /** The trusted certificates in PEM. '' means the system's roots. */
  readonly caBundle: string;
  /** Present for webhooks that the operator configures. Webhooks of the API have none. */
  readonly credentials?: WebhookCredentials;
}

/** Reads the decoded `clientConfig` of a webhook. A bundle that contains only white space counts as absent. */
export function parseClientConfig(config: JsonObject | undefined): ClientConfig {
  const url = stringAt(config, 'url');
  const service = objectAt(config, 'service');
  const pem = Buffer.from(stringAt(config, 'caBundle') ?? '', 'base64').toString('latin1');
  return {
    ...defined({ url }),
    ...(service === undefined ? {} : { service: parseService(service) }),
    caBundle: pem.trim() === '' ? '' : pem,
  };
}

function parseService(service: JsonObject): ServiceReference {
  return {
    namespace: stringAt(service, 'namespace') ?? '',
    name: stringAt(service, 'name') ?? '',
    port: Number(ownField(service, 'port') ?? 443),
    path: stringAt(service, 'path') ?? '',
  };
}
