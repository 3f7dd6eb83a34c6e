import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newAuthority } from '../certs.ts';
import { davitCommand } from '../command.ts';
import { startApiserver } from '../start-apiserver.ts';
import { servingOf } from './tls.ts';

let folder = '';
const at = (name: string): string => join(folder, name);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'davit-tls-'));
  const authority = await newAuthority(new Date());
  const [one, other] = [
    await authority.issue({ name: 'one' }, ['127.0.0.1']),
    await authority.issue({ name: 'other' }),
  ];
  await writeFile(at('ca'), authority.certificate);
  await writeFile(at('cert'), `${one.certificate}\n${authority.certificate}`);
  await writeFile(at('key'), one.key);
  await writeFile(at('other-key'), other.key);
});
afterAll(() => rm(folder, { recursive: true }));

const given = (cert?: string, key?: string) => ({
  ...(cert === undefined ? {} : { tlsCertFile: at(cert) }),
  ...(key === undefined ? {} : { tlsPrivateKeyFile: at(key) }),
});

test.each<[string | undefined, string | undefined, string]>([
  ['cert', undefined, 'must be specified together'],
  [undefined, 'key', 'must be specified together'],
  ['cert', 'none', 'there is no such place'],
  ['cert', 'other-key', 'are no certificate and its key: '],
  ['key', 'key', 'are no certificate and its key: '],
])('rejects certificate %s with key %s', async (cert, key, message) => {
  await expect(servingOf(given(cert, key))).rejects.toThrow(message);
});

test('reads no certificate without flags', async () => {
  expect(await servingOf({})).toEqual({});
});

test('accepts additional names only for a certificate that the server signs', async () => {
  const certExtraSans = ['api.example', '192.0.2.7'];
  expect(await servingOf({ apiserverCertExtraSans: certExtraSans })).toEqual({ certExtraSans });
  await expect(servingOf({ ...given('cert', 'key'), apiserverCertExtraSans: certExtraSans })).rejects.toThrow(
    '--apiserver-cert-extra-sans is of no use with --tls-cert-file',
  );
});

test.each([
  ['--apiserver-cert-extra-sans', 'api.example,*.example', '*.example is no DNS name and no IP address.'],
  ['--advertise-address', 'api.example', 'It is an IP address.'],
])('rejects %s %s', (flag, value, message) => {
  const command = davitCommand()
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  expect(() => command.parse([flag, value], { from: 'user' })).toThrow(message);
});

test('presents the certificate to clients, and the kubeconfig verifies it', async () => {
  await using server = await startApiserver({ ...(await servingOf(given('cert', 'key'))), controllers: false });
  expect(await shownTo(server.certificateAuthority, server.port)).toBe('one');
});

/** The common name of the certificate that the server presents to a client that trusts `ca`. */
function shownTo(ca: string, port: number): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const socket = connect({ host: '127.0.0.1', port, ca });
  socket.once('error', reject).once('secureConnect', () => resolve(String(socket.getPeerCertificate().subject.CN)));
  return promise.finally(() => socket.destroy());
}
