import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { unauthorized } from '#lib/machinery/errors.ts';
import type { Authenticator, Credentials } from './authenticator.ts';
import { extraKey } from './extra-key.ts';

/** How an authenticating proxy identifies the user. Header names may have any case. */
export interface RequestHeaders {
  /** The allowed common names of proxy certificates. If empty, every certificate of the proxy authority is allowed. */
  readonly allowedNames: readonly string[];
  /** The first of these headers with a value contains the user name. */
  readonly usernameHeaders: readonly string[];
  readonly uidHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** Trusts the headers of clients with a certificate of the proxy authority, and of no others. */
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

/** Returns the first value of a repeated header, even if empty, because the proxy's client may have sent the later ones. */
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

/** Upstream's default header names. They are removed even if no proxy is trusted or the proxies use other names. */
const STANDARD = {
  usernameHeaders: ['X-Remote-User'],
  uidHeaders: ['X-Remote-Uid'],
  groupHeaders: ['X-Remote-Group'],
  extraHeaderPrefixes: ['X-Remote-Extra-'],
};

/** Whether a header identifies a user. Such headers are removed after authentication. */
export function isIdentityHeader(config?: RequestHeaders): (name: string) => boolean {
  const all = [STANDARD, ...(config === undefined ? [] : [config])];
  const lower = (names: readonly string[]): string[] => names.map((name) => name.toLowerCase());
  const names = new Set(all.flatMap((one) => lower([...one.usernameHeaders, ...one.uidHeaders, ...one.groupHeaders])));
  const prefixes = all.flatMap((one) => lower(one.extraHeaderPrefixes));
  return (name) => names.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}
