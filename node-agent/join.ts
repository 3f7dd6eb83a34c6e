import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { FileStore, writeOwnerOnly } from '#adapters/node/host/records/certificate-store.ts';
import { diskFiles } from '#adapters/server/files/disk-files.ts';
import { ApiConnection, type Remote } from '#adapters/server/http/api-connection.ts';
import { placeOf } from '#adapters/server/http/kubeconfig.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { kubeconfigOf } from '#lib/helpers/clientcmd/new-kubeconfig.ts';
import { StatusError } from '#lib/machinery/errors.ts';
import {
  bootstrap,
  type ClientCertificateOptions,
  hasValidCertificate,
} from '#lib/node/kubelet/certificate/client-certificate.ts';
import type { Log } from './log.ts';
import type { AgentOptions } from './options.ts';

/** Time in ms between attempts to reach the server. */
const RETRY = 2000;

/**
 * Joins the node and returns the API server with the node's certificate. If the node has no certificate yet, it requests one with the
 * bootstrap token. Throws permanent errors.
 */
export async function join(
  { bootstrapKubeconfig, bootstrapToken, kubeconfig }: AgentOptions,
  certificate: ClientCertificateOptions & { readonly store: FileStore },
  log: Log,
  signal: AbortSignal,
): Promise<Remote> {
  const known = await remoteAt(kubeconfig, log);
  const isOwn = bootstrapToken === undefined || (await isOfThisNode(certificate));
  if (known !== undefined && isOwn && (await hasValidCertificate(certificate))) return known;
  if (bootstrapKubeconfig === undefined)
    throw new Error(`${kubeconfig} has no valid certificate of this node; name a --bootstrap-kubeconfig`);
  const remote = remoteOf(await readFile(bootstrapKubeconfig, 'utf8'), bootstrapKubeconfig);
  const credentials = bootstrapToken === undefined ? {} : { credentials: { token: bootstrapToken } };
  await certify({ ...remote, ...credentials }, certificate, log, signal);
  const text = nodeKubeconfig(remote, resolve(certificate.store.currentPath));
  await writeOwnerOnly(dirname(kubeconfig), basename(kubeconfig), text);
  log.info(`node ${certificate.node} has its certificate`);
  return remote;
}

/** Whether the certificate belongs to this node. A machine image may contain another instance's certificate. */
async function isOfThisNode({ node, store }: ClientCertificateOptions): Promise<boolean> {
  const pair = await store.current();
  return (
    pair !== undefined && new X509Certificate(pair.certificate).subject.split('\n').includes(`CN=system:node:${node}`)
  );
}

/** Requests the certificate. Retries while the server is unreachable. */
async function certify(
  remote: Remote,
  certificate: ClientCertificateOptions,
  log: Log,
  signal: AbortSignal,
): Promise<void> {
  using connection = new ApiConnection(remote);
  const client = apiClient({ handle: (request) => connection.handle(request), userAgent: 'davit-node-agent' });
  for (;;) {
    try {
      return await bootstrap(certificate, client, signal);
    } catch (error) {
      const isPassing = error instanceof StatusError && (error.code >= 500 || error.code === 429);
      if (!isPassing || signal.aborted) throw error;
      log.fault('cannot join yet')(error);
      await certificate.clock.sleep(RETRY, signal);
    }
  }
}

/** The server in a kubeconfig. Undefined if the kubeconfig does not exist or is unusable. */
async function remoteAt(path: string, log: Log): Promise<Remote | undefined> {
  try {
    return remoteOf(await readFile(path, 'utf8'), path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing) log.fault(`cannot use ${path}`)(error);
    return undefined;
  }
}

/** Throws TypeError unless the text is a kubeconfig whose server can be verified. */
function remoteOf(text: string, path: string): Remote {
  const { remote } = placeOf(text, diskFiles(dirname(path)));
  if (remote.insecure === true)
    throw new TypeError(`${path} does not verify the server; a node needs the certificate of its authority`);
  return remote;
}

/** The kubeconfig in the form that upstream's bootstrap writes. */
const nodeKubeconfig = ({ url, caBundle, serverName }: Remote, pem: string): string =>
  kubeconfigOf({
    name: { cluster: 'default-cluster', user: 'default-auth', context: 'default-context' },
    server: url,
    authority: caBundle,
    serverName,
    user: { certificateFile: pem, keyFile: pem },
    namespace: 'default',
  });
