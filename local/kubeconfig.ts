import { stringify } from 'yaml';
import type { KeyPair } from '#lib/controllers/certificates/new-signer.ts';

/** The server and credentials of a kubeconfig. */
export interface KubeconfigParts {
  readonly server: string;
  readonly authority: string;
  readonly client: KeyPair;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A kubeconfig with one cluster, one user (a client certificate) and one context, all named davit. */
export function kubeconfig({ server, authority, client }: KubeconfigParts): string {
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'davit', cluster: { server, 'certificate-authority-data': base64(authority) } }],
    users: [
      {
        name: 'admin',
        user: { 'client-certificate-data': base64(client.certificate), 'client-key-data': base64(client.key) },
      },
    ],
    contexts: [{ name: 'davit', context: { cluster: 'davit', user: 'admin' } }],
    'current-context': 'davit',
  });
}
