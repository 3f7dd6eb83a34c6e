import { createPrivateKey, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ensureServingFiles, readServingFiles } from '#adapters/node/host/records/serving-files.ts';
import { type Authority, authorityOf } from '#lib/controllers/certificates/issue.ts';
import { type KeyPair, newSigner } from '#lib/controllers/certificates/new-signer.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { readKubeletConfiguration } from '#lib/node/kubelet/apis/config/configuration.ts';
import { NodeConnection } from './connection.ts';
import { partsWithoutRuntime } from './server.ts';
import { servePort } from './serving.ts';

let folder: string;
let authority: Authority;
let ending: AbortController;
let serving: Promise<void> = Promise.resolve();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'serving-'));
  authority = authorityOf(await newSigner(new Date()), new Date());
  ending = new AbortController();
});
afterEach(async () => {
  ending.abort();
  await serving.catch(() => undefined);
  await rm(folder, { recursive: true });
});

/** Serves the node's port with a configuration and an unreachable API server. Returns the port. */
async function started(document: JsonObject): Promise<number> {
  const { configuration } = readKubeletConfiguration([{ authorization: { mode: 'AlwaysAllow' }, ...document }]);
  const listening = Promise.withResolvers<number>();
  using connection = new NodeConnection(
    { url: 'https://127.0.0.1:1', caBundle: '' },
    await authority.issue({ name: 'n' }),
  );
  const options = {
    kubeconfig: '',
    rootDir: folder,
    certDir: join(folder, 'pki'),
    node: 'n1',
    nodeIPs: [],
    labels: {},
    serveDNS: false,
    networkPolicies: false,
    podNetwork: { confDir: '', binDirs: [], mtu: 0, nonMasqueradeCIDR: '10.0.0.0/8', routes: false },
    verbosity: 0,
    configuration: { ...configuration, address: '127.0.0.1', port: 0 },
    warnings: [],
  };
  const info = (message: string): void => {
    const [port] = /\d+$/.exec(message) ?? [];
    if (port !== undefined) listening.resolve(Number(port));
  };
  const log = { info, debug: () => undefined, fault: () => () => undefined };
  const parts = () => partsWithoutRuntime;
  serving = servePort({ options, connection, log, parts, addresses: () => [] }, ending.signal);
  return await Promise.race([listening.promise, serving.then(() => 0)]);
}

/** The status and text of `/healthz`. Does not verify the server's certificate. */
function healthz(port: number, client?: KeyPair): Promise<string> {
  const shown = client === undefined ? {} : { cert: client.certificate, key: client.key };
  const options = { host: '127.0.0.1', port, path: '/healthz', agent: false, rejectUnauthorized: false, ...shown };
  const answered = Promise.withResolvers<string>();
  httpsRequest(options, (response) => {
    void Array.fromAsync(response.setEncoding('utf8')).then((parts) =>
      answered.resolve(`${response.statusCode} ${parts.join('')}`),
    );
  })
    .on('error', answered.reject)
    .end();
  return answered.promise;
}

/** Writes a file with the CA of client certificates. Returns its path. */
async function clientCAFile(): Promise<string> {
  const path = join(folder, 'client-ca.crt');
  await writeFile(path, authority.certificate);
  return path;
}

describe('the port of a node', () => {
  test('authenticates clients with certificates of the CA in the file', async () => {
    const port = await started({ authentication: { x509: { clientCAFile: await clientCAFile() } } });
    const stranger = authorityOf(await newSigner(new Date()), new Date());
    expect(await healthz(port, await authority.issue({ name: 'jane' }))).toBe('200 ok');
    expect(await healthz(port, await stranger.issue({ name: 'jane' }))).toBe('401 Unauthorized');
    expect(await healthz(port)).toBe('401 Unauthorized');
  });

  test('creates its own certificate, which stays over a restart', async () => {
    const document = { authentication: { anonymous: { enabled: true } } };
    expect(await healthz(await started(document))).toBe('200 ok');
    const made = await readFile(join(folder, 'pki/kubelet.crt'), 'utf8');
    expect(made.match(/BEGIN CERTIFICATE/g)).toHaveLength(2);
    ending.abort();
    await serving;
    ending = new AbortController();
    expect(await healthz(await started(document))).toBe('200 ok');
    expect(await readFile(join(folder, 'pki/kubelet.crt'), 'utf8')).toBe(made);
  });

  test.each(['kubelet.crt', 'kubelet.key'])('creates its own pair again if a kill left it without %s', async (gone) => {
    const document = { authentication: { anonymous: { enabled: true } } };
    const pair = { certFile: join(folder, 'pki/kubelet.crt'), keyFile: join(folder, 'pki/kubelet.key') };
    await ensureServingFiles(pair, 'n1', new Date());
    const before = await readServingFiles(pair);
    await rm(join(folder, 'pki', gone));
    expect(await healthz(await started(document))).toBe('200 ok');
    const { certificate, key } = await readServingFiles(pair);
    expect([certificate, key]).not.toContain(before.certificate);
    expect([certificate, key]).not.toContain(before.key);
    expect(new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))).toBe(true);
  });

  test('does not start with half a pair of files', async () => {
    const path = join(folder, 'tls.crt');
    await writeFile(path, (await authority.issue({ name: 'n1' }, ['n1'])).certificate);
    await expect(started({ tlsCertFile: path, tlsPrivateKeyFile: join(folder, 'tls.key') })).rejects.toThrow('ENOENT');
  });

  test('does not start with invalid settings', async () => {
    await expect(started({ tlsMinVersion: 'TLS12' })).rejects.toThrow('unknown tls version "TLS12"');
    await expect(started({ authorization: { mode: 'RBAC' } })).rejects.toThrow('unknown authorization mode RBAC');
  });
});
