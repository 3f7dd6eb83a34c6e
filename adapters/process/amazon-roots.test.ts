import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import { amazonRoots } from './amazon-roots.ts';

test("lists Amazon's four root CAs and their Starfield predecessor", () => {
  const all = amazonRoots().match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
  const certificates = all.map((pem) => new X509Certificate(pem));
  expect(certificates.map(({ subject }) => /^CN=(.*)$/m.exec(subject)?.[1]).sort()).toEqual([
    'Amazon Root CA 1',
    'Amazon Root CA 2',
    'Amazon Root CA 3',
    'Amazon Root CA 4',
    'Starfield Services Root Certificate Authority - G2',
  ]);
  expect(certificates.every(({ ca }) => ca)).toBe(true);
});
