import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { unauthorized } from '#lib/machinery/errors.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import { extraKey } from './extra-key.ts';

/** How an authenticating proxy tells who sends a request. Names of headers in any case. */
export interface RequestHeaders {
  /** Common names of certificates that proxies have; empty: every one that the proxies' authority signed. */
  readonly allowedNames: readonly string[];
  /** The first that has a value names the user. */
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** Believes headers of whoever holds a certificate of the proxies' authority, and of nobody else. */
export function requestHeader(config: RequestHeaders, clock: Clock): Authenticator {
  return async (credentials) => {
    const { clientCertificate: shown } = credentials;
    if (shown === undefined || !shown.signedBy.includes('proxy')) return undefined;
    if (clock.now() > shown.notAfter) throw unauthorized('x509: certificate has expired or is not yet valid');
    if (config.allowedNames.length > 0 && !config.allowedNames.includes(shown.commonName))
      throw unauthorized(`x509: subject with cn=${shown.commonName} is not in the allowed list`);
    return told(config, credentials);
  };
}

function told(config: RequestHeaders, credentials: Credentials) {
  const all = (names: readonly string[]): string[] =>
    names.flatMap((name) => credentials.headers(name.toLowerCase())).filter((value) => value !== '');
  const name = first(config.usernameHeaders, credentials);
  if (name === undefined) return undefined;
  const uid = first(config.uidHeaders, credentials);
  const extra = extras(config.extraHeaderPrefixes, credentials);
  const user = { name, groups: all(config.groupHeaders), extra, ...defined({ uid }) };
  return { user };
}

/** Of a header that comes twice the first counts, also where it says nothing: what follows the proxy's may be its client's. */
const first = (names: readonly string[], { headers }: Credentials): string | undefined =>
  names.map((name) => headers(name.toLowerCase())[0]).find((value) => value !== undefined && value !== '');

function extras(prefixes: readonly string[], { headerNames, headers }: Credentials): Record<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const prefix of prefixes.map((one) => one.toLowerCase())) {
    for (const header of headerNames.filter((one) => one.startsWith(prefix))) {
      const key = extraKey(header.slice(prefix.length));
      found.set(key, [...(found.get(key) ?? []), ...headers(header)]);
    }
  }
  return Object.fromEntries(found);
}

/** Headers by upstream's default names: they are taken away also where no proxy is believed, or one that uses others. */
const STANDARD = {
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};

/** Whether a header tells who someone is: nothing behind authentication sees it. */
export function isIdentityHeader(config?: RequestHeaders): (name: string) => boolean {
  const all = [STANDARD, ...(config === undefined ? [] : [config])];
  const lower = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
  const names = new Set(all.flatMap((one) => lower([...one.usernameHeaders, ...one.uidHeaders, ...one.groupHeaders])));
  const prefixes = all.flatMap((one) => lower(one.extraHeaderPrefixes));
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
