import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newAuthority } from '../certs.ts';
import { kubeletOf } from './kubelet.ts';

const DEFAULTS = { kubeletPreferredAddressTypes: 'InternalIP,Hostname', kubeletTimeout: '1m30s' };

async function files(texts: Readonly<Record<string, string>>): Promise<(name: string) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'kubelet-'));
  for (const [name, text] of Object.entries(texts)) await writeFile(join(folder, name), text);
  return (name) => join(folder, name);
}

test('reads address types in order, and the timeout as a duration', async () => {
  expect(await kubeletOf(DEFAULTS)).toEqual({
    kubelet: { preferredAddressTypes: ['InternalIP', 'Hostname'], timeout: 90_000 },
  });
});

test('reads a certificate, its key and an authority', async () => {
  const authority = await newAuthority(new Date());
  const { certificate, key } = await authority.issue({ name: 'api' });
  const place = await files({ cert: certificate, key, ca: authority.certificate });
  const flags = { kubeletClientCertificate: place('cert'), kubeletClientKey: place('key') };
  expect(await kubeletOf({ ...DEFAULTS, ...flags, kubeletCertificateAuthority: place('ca') })).toMatchObject({
    kubelet: { client: { certificate, key }, caBundle: authority.certificate },
  });
});

test('rejects a certificate without its key, or with another key', async () => {
  const authority = await newAuthority(new Date());
  const [one, other] = await Promise.all([authority.issue({ name: 'a' }), authority.issue({ name: 'b' })]);
  const place = await files({ cert: one.certificate, key: other.key });
  const kubeletClientCertificate = place('cert');
  await expect(kubeletOf({ ...DEFAULTS, kubeletClientCertificate })).rejects.toThrow('must be specified together');
  const flags = { ...DEFAULTS, kubeletClientCertificate, kubeletClientKey: place('key') };
  await expect(kubeletOf(flags)).rejects.toThrow('are no certificate and its key');
});
