import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { WebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';
import { configurationObject } from '#lib/sdk/webhook-sdk/objects.ts';

/** The port of webhooks, and the directory where their certificate is mounted. */
export const WEBHOOKS = 9443;
/** The folder of the server's certificate in its container. */
export const CERTIFICATES = '/certificates';

/** The Secret that stores the certificate. */
export const secretOf = (name: string): string => `${name}-webhooks`;

interface At {
  readonly namespace: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * The Service for webhooks that run in pods, their configurations, and a certificate that cert-manager issues and injects into them. The
 * object for a conversion is applied to an existing definition with server-side apply.
 */
export function webhookObjects(at: At, webhooks: readonly WebhookDeclaration[]): readonly JsonObject[] {
  const { namespace, name, labels } = at;
  const annotations = { 'cert-manager.io/inject-ca-from': `${namespace}/${secretOf(name)}` };
  const configurations = webhooks.flatMap((webhook): JsonObject[] => {
    const service = { namespace, name, path: `/${webhook.name}` };
    const made = configurationObject(webhook, { service, labels, annotations });
    return made === undefined ? [] : [made];
  });
  const port = { name: 'webhooks', port: 443, targetPort: 'webhooks' };
  const service = { apiVersion: 'v1', kind: 'Service', metadata: { namespace, name, labels } };
  return [{ ...service, spec: { selector: labels, ports: [port] } }, ...certificate(at), ...configurations];
}

function certificate({ namespace, name, labels }: At): readonly JsonObject[] {
  const apiVersion = 'cert-manager.io/v1';
  const secretName = secretOf(name);
  const metadata = { namespace, name: secretName, labels };
  const issuerRef = { kind: 'Issuer', name: secretName };
  const dnsNames = [`${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
  return [
    { apiVersion, kind: 'Issuer', metadata, spec: { selfSigned: {} } },
    { apiVersion, kind: 'Certificate', metadata, spec: { secretName, dnsNames, issuerRef } },
  ];
}
