import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ApiConnection } from '#adapters/server/http/api-connection.ts';
import { apiClient } from '#lib/client/api-client.ts';
import { newAuthority } from '#local/certs.ts';
import { eventually } from '#test/support/eventually.ts';
import { freePort } from '#test/support/free-port.ts';
import { mortal } from '#test/support/mortal.ts';

const BIN = join(import.meta.dirname, '../../../bin/envtest');

const start = (name: string, ...flags: string[]) =>
  mortal(spawn(process.execPath, [join(BIN, name), ...flags], { stdio: ['ignore', 'ignore', 'inherit'] }));

test('the program in place of kube-apiserver presents its certificate, authenticates its clients and ends on a signal', async () => {
  const authority = await newAuthority(new Date());
  const serving = await authority.issue({ name: 'localhost' }, ['127.0.0.1']);
  const user = await authority.issue({ name: 'amy', organizations: ['system:masters'] });
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const folder = mkdtempSync(join(tmpdir(), 'davit-envtest-'));
  const at = (name: string, text: string): string => (writeFileSync(join(folder, name), text), join(folder, name));
  at('apiserver.crt', serving.certificate);
  at('apiserver.key', serving.key);
  const port = await freePort();
  const server = start(
    'kube-apiserver',
    '--authorization-mode=RBAC',
    '--bind-address=127.0.0.1',
    `--cert-dir=${folder}`,
    `--client-ca-file=${at('ca.crt', authority.certificate)}`,
    '--disable-admission-plugins=ServiceAccount',
    '--etcd-servers=http://127.0.0.1:1',
    `--secure-port=${port}`,
    `--service-account-issuer=https://127.0.0.1:${port}/`,
    `--service-account-key-file=${at('sa.pub', publicKey.export({ type: 'spki', format: 'pem' }).toString())}`,
    `--service-account-signing-key-file=${at('sa.key', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())}`,
  );
  using api = new ApiConnection({
    url: `https://127.0.0.1:${port}`,
    caBundle: serving.certificate,
    credentials: { certificate: user },
  });
  const client = apiClient({ handle: (request) => api.handle(request), userAgent: 'test' });
  const found = await eventually(() => client.document('/api/v1/namespaces/default'));
  expect(found).toMatchObject({ metadata: { name: 'default' } });
  server.kill('SIGTERM');
  expect(await once(server, 'exit')).toEqual([0, null]);
});

test('the program in place of etcd is healthy', async () => {
  const url = `http://127.0.0.1:${await freePort()}`;
  const etcd = start('etcd', '--data-dir=/nowhere', `--listen-client-urls=${url}`);
  const answer = await eventually(() => fetch(`${url}/health`));
  expect(await answer.json()).toEqual({ health: 'true' });
  etcd.kill('SIGTERM');
  expect(await once(etcd, 'exit')).toEqual([null, 'SIGTERM']);
});
