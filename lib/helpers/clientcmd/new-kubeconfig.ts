import type { JsonObject } from '#lib/machinery/json-value.ts';
import { encodeYaml } from '#lib/machinery/yaml.ts';

/**
 * How a user of a kubeconfig logs in. Certificates and keys are PEM. The fields with `File` are paths. An empty object is a user without
 * credentials.
 */
export type NewUser =
  | { readonly token: string }
  | { readonly certificate: string; readonly key: string }
  | { readonly certificateFile: string; readonly keyFile: string }
  | { readonly exec: { readonly command: string; readonly args: readonly string[] } }
  | Record<string, never>;

/** The only context of a kubeconfig. */
export interface NewKubeconfig {
  /** The names of the cluster, the user and the context. A string is used for all three. */
  readonly name: string | { readonly cluster: string; readonly user: string; readonly context: string };
  /** The URL of the server. */
  readonly server: string;
  /** The certificate authority of the server in PEM. Absent or empty for the system's roots. */
  readonly authority?: string;
  /** The name in the server's certificate, if it is not the URL's host. */
  readonly serverName?: string | undefined;
  /** Skips the verification of the server. */
  readonly insecure?: true;
  readonly user: NewUser;
  readonly namespace?: string;
}

/** Formats a kubeconfig with one context like kubectl. A program that stores it must use mode 0600. */
export function kubeconfigOf({ name, user, namespace, ...server }: NewKubeconfig): string {
  const names = typeof name === 'string' ? { cluster: name, user: name, context: name } : name;
  const context = { cluster: names.cluster, user: names.user, ...(namespace === undefined ? {} : { namespace }) };
  return encodeYaml({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: names.cluster, cluster: clusterOf(server) }],
    users: [{ name: names.user, user: userOf(user) }],
    contexts: [{ name: names.context, context }],
    'current-context': names.context,
  });
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');

const clusterOf = ({
  server,
  authority = '',
  serverName,
  insecure,
}: Omit<NewKubeconfig, 'name' | 'user'>): JsonObject => ({
  server,
  ...(authority === '' ? {} : { 'certificate-authority-data': base64(authority) }),
  ...(serverName === undefined ? {} : { 'tls-server-name': serverName }),
  ...(insecure === undefined ? {} : { 'insecure-skip-tls-verify': insecure }),
});

/** The settings of a credential plugin that prompts the user only on a terminal. */
const PLUGIN = {
  apiVersion: 'client.authentication.k8s.io/v1',
  interactiveMode: 'IfAvailable',
  provideClusterInfo: false,
};

function userOf(user: NewUser): JsonObject {
  if ('token' in user) return { token: user.token };
  if ('exec' in user) return { exec: { ...PLUGIN, command: user.exec.command, args: [...user.exec.args] } };
  if ('certificateFile' in user) return { 'client-certificate': user.certificateFile, 'client-key': user.keyFile };
  if ('certificate' in user)
    return { 'client-certificate-data': base64(user.certificate), 'client-key-data': base64(user.key) };
  return {};
}
