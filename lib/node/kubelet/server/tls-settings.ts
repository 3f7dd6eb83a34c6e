import { quote } from '#lib/machinery/go.ts';
import type { KubeletConfiguration } from '../apis/config/types.ts';

/** TLS versions by Go's names, in the notation of node:tls. */
const VERSIONS = {
  VersionTLS10: 'TLSv1',
  VersionTLS11: 'TLSv1.1',
  VersionTLS12: 'TLSv1.2',
  VersionTLS13: 'TLSv1.3',
} as const;
type Version = (typeof VERSIONS)[keyof typeof VERSIONS];

/** Cipher suites up to TLS 1.2 by Go's names, in OpenSSL's notation. OpenSSL lacks Go's others (RC4, 3DES). */
const CIPHERS: ReadonlyMap<string, string> = new Map([
  ['TLS_RSA_WITH_AES_128_CBC_SHA', 'AES128-SHA'],
  ['TLS_RSA_WITH_AES_256_CBC_SHA', 'AES256-SHA'],
  ['TLS_RSA_WITH_AES_128_CBC_SHA256', 'AES128-SHA256'],
  ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256'],
  ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 'ECDHE-ECDSA-AES128-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256', 'ECDHE-RSA-AES128-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
]);
/** The cipher suites of TLS 1.3, which are always enabled, because Go cannot configure them. */
const CIPHERS_13 = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/** Curves by Go's ids, in OpenSSL's notation. */
const CURVES: ReadonlyMap<number, string> = new Map([
  [23, 'P-256'],
  [24, 'P-384'],
  [25, 'P-521'],
  [29, 'X25519'],
  [4587, 'SecP256r1MLKEM768'],
  [4588, 'X25519MLKEM768'],
  [4589, 'SecP384r1MLKEM1024'],
]);

/** The TLS settings for a node's port in the format of node:tls. An absent setting uses Node's default. */
export interface TlsSettings {
  readonly minVersion: Version;
  readonly ciphers?: string;
  readonly ecdhCurve?: string;
}

/** Parses the TLS settings (upstream: InitializeTLS). Throws Error with upstream's text for an unknown name. */
export function tlsSettings({
  tlsMinVersion,
  tlsCipherSuites,
  tlsCurvePreferences,
}: Pick<KubeletConfiguration, 'tlsMinVersion' | 'tlsCipherSuites' | 'tlsCurvePreferences'>): TlsSettings {
  const suites = tlsCipherSuites.flatMap(cipherOf);
  const curves = tlsCurvePreferences.map(curveOf);
  return {
    minVersion: versionOf(tlsMinVersion),
    ...(tlsCipherSuites.length > 0 && { ciphers: [...CIPHERS_13, ...suites].join(':') }),
    ...(curves.length > 0 && { ecdhCurve: curves.join(':') }),
  };
}

function versionOf(name: string): Version {
  const version = Object.entries(VERSIONS).find(([known]) => known === (name || 'VersionTLS12'));
  if (version === undefined) throw new Error(`unknown tls version ${quote(name)}`);
  return version[1];
}

function cipherOf(name: string): string[] {
  if (CIPHERS_13.includes(name)) return [];
  const cipher = CIPHERS.get(name);
  if (cipher === undefined) throw new Error(`Cipher suite ${name} not supported or doesn't exist`);
  return [cipher];
}

function curveOf(id: number, index: number, all: readonly number[]): string {
  const curve = CURVES.get(id);
  if (all.indexOf(id) < index) throw new Error(`duplicate curve preference ${id}`);
  if (curve === undefined) throw new Error(`curve preference ${id} is not supported`);
  return curve;
}
