import { createSecureContext } from 'node:tls';
import { expect, test } from 'vitest';
import { tlsSettings } from './tls-settings.ts';

const NONE = { tlsMinVersion: '', tlsCipherSuites: [], tlsCurvePreferences: [] };

test("requires at least TLS 1.2, with the platform's ciphers and curves", () => {
  expect(tlsSettings(NONE)).toEqual({ minVersion: 'TLSv1.2' });
});

test("maps Go's cipher suites up to TLS 1.2 and keeps those of TLS 1.3", () => {
  const tlsCipherSuites = ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305', 'TLS_AES_128_GCM_SHA256'];
  expect(tlsSettings({ ...NONE, tlsMinVersion: 'VersionTLS13', tlsCipherSuites })).toEqual({
    minVersion: 'TLSv1.3',
    ciphers: 'TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:ECDHE-RSA-CHACHA20-POLY1305',
  });
});

test('keeps the configured order of curves', () => {
  expect(tlsSettings({ ...NONE, tlsCurvePreferences: [29, 23] })).toMatchObject({ ecdhCurve: 'X25519:P-256' });
});

test.each([[23], [24], [25], [29], [4587], [4588], [4589]])('supports the curve %i on this platform', (id) => {
  expect(() => createSecureContext(tlsSettings({ ...NONE, tlsCurvePreferences: [id] }))).not.toThrow();
});

test.each([
  ['unknown tls version "TLS12"', { tlsMinVersion: 'TLS12' }],
  [
    "Cipher suite TLS_RSA_WITH_RC4_128_SHA not supported or doesn't exist",
    { tlsCipherSuites: ['TLS_RSA_WITH_RC4_128_SHA'] },
  ],
  ['curve preference 1 is not supported', { tlsCurvePreferences: [1] }],
  ['duplicate curve preference 29', { tlsCurvePreferences: [29, 29] }],
])('rejects a setting: %s', (text, more) => {
  expect(() => tlsSettings({ ...NONE, ...more })).toThrow(text);
});
