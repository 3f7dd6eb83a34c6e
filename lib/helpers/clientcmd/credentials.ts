import { defined } from '#lib/machinery/defined.ts';
import type { Kubeconfig, KubeconfigCluster, KubeconfigFiles, KubeconfigUser } from './kubeconfig.ts';

/** The credentials of a user. */
export interface KubeconfigCredentials {
  /** A client certificate and its key in PEM. */
  readonly certificate?: { readonly certificate: string; readonly key: string };
  /** Returns a bearer token. Called for every request. */
  token?(): Promise<string>;
}

/** Fields that change the identity. A client that ignored them would act as a different user. */
const UNSUPPORTED = ['username', 'auth-provider', 'as'] as const;

/**
 * The https URL of a cluster, and the certificate authority that verifies it: PEM, or '' for the system's roots. Throws TypeError, and
 * errors of `files`.
 */
export function serverOf({ name, cluster, files }: Kubeconfig['clusters'][number]): { url: string; authority: string } {
  const url = URL.parse(cluster.server);
  if (url?.protocol !== 'https:') throw new TypeError(`the server of the cluster ${name} needs an https URL`);
  return { url: cluster.server, authority: contentOf(cluster, 'certificate-authority', files) ?? '' };
}

/** The credentials of a kubeconfig's user, without its `exec` plugin. Undefined if it has none. Throws TypeError, and errors of `files`. */
export function credentialsOf({ name, user, files }: Kubeconfig['users'][number]): KubeconfigCredentials | undefined {
  const other = UNSUPPORTED.find((field) => user[field] !== undefined);
  if (other !== undefined) throw new TypeError(`the user ${name} logs in with ${other}, which is not supported`);
  const certificate = contentOf(user, 'client-certificate', files);
  const key = contentOf(user, 'client-key', files);
  if ((certificate === undefined) !== (key === undefined))
    throw new TypeError('client-certificate and client-key belong together');
  const token = tokenOf(user, files);
  if (certificate === undefined && token === undefined) return undefined;
  return {
    ...(certificate === undefined || key === undefined ? {} : { certificate: { certificate, key } }),
    ...defined({ token }),
  };
}

/** The token. The file takes precedence over the field. It is read for each request, because it may be rotated. */
function tokenOf({ token, tokenFile }: KubeconfigUser, files: KubeconfigFiles): (() => Promise<string>) | undefined {
  if (tokenFile !== undefined) {
    const read = files.readLater(tokenFile);
    return async () => (await read()).trim();
  }
  return token === undefined ? undefined : async () => token;
}

type Content = 'certificate-authority' | 'client-certificate' | 'client-key';
type Fields = Partial<Record<Content | `${Content}-data`, string | undefined>>;

/** Reads the `-data` field, or the file that the other field refers to. */
function contentOf(
  fields: (KubeconfigCluster | KubeconfigUser) & Fields,
  name: Content,
  files: KubeconfigFiles,
): string | undefined {
  const [file, data] = [fields[name], fields[`${name}-data`]];
  if (data !== undefined) return Buffer.from(data, 'base64').toString('latin1');
  return file === undefined ? undefined : files.read(file);
}
