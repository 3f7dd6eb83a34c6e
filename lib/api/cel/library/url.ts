import { Fault } from '#lib/machinery/fault.ts';
import { quote } from '#lib/machinery/go.ts';
import { parseAddr } from '#lib/machinery/net/parse-addr.ts';
import { escape, fromBytes, isValidEncoded, toBytes, unescape } from './url-escape.ts';

/** Go's `url.URL` with one character per byte. */
interface Parts {
  readonly scheme: string;
  readonly opaque: string;
  readonly user: string | undefined;
  readonly host: string;
  readonly path: string;
  /** The path as written, if escaping it again would differ. */
  readonly rawPath: string;
  readonly query: string;
  readonly forceQuery: boolean;
  readonly omitHost: boolean;
  readonly fragment: string;
}

/** The parts of a URL to change. Omitted parts stay the same. */
interface UrlChange {
  readonly scheme?: string;
  readonly host?: string;
  readonly path?: string;
}

const EMPTY: Parts = {
  scheme: '',
  opaque: '',
  user: undefined,
  host: '',
  path: '',
  rawPath: '',
  query: '',
  forceQuery: false,
  omitHost: false,
  fragment: '',
};

/** A URL as parsed by Kubernetes' `url()`. */
export class Url {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  get scheme(): string {
    return fromBytes(this.#parts.scheme);
  }

  get host(): string {
    return fromBytes(this.#parts.host);
  }

  get hostname(): string {
    return fromBytes(splitHostPort(this.#parts.host)[0]);
  }

  get port(): string {
    return splitHostPort(this.#parts.host)[1];
  }

  /** The path, unescaped. */
  get path(): string {
    return fromBytes(this.#parts.path);
  }

  get escapedPath(): string {
    return fromBytes(escapedPath(this.#parts));
  }

  /** The values of the query by name. Omits malformed ones. */
  get query(): Map<string, string[]> {
    return parseQuery(this.#parts.query);
  }

  /** Returns the URL with other parts. The path is unescaped. */
  at({ scheme = this.scheme, host = this.host, path = this.path }: UrlChange): Url {
    const rawPath = path === this.path ? this.#parts.rawPath : '';
    return new Url({ ...this.#parts, scheme: toBytes(scheme), host: toBytes(host), path: toBytes(path), rawPath });
  }

  toString(): string {
    return fromBytes(urlText(this.#parts));
  }
}

/** Returns the reason why `isURL` is false. Undefined for a valid URL. Go's url.ParseRequestURI. */
export function requestUriFault(text: string): Fault | undefined {
  const parts = parse(toBytes(text), true);
  return parts instanceof Fault ? inUrl(text, parts) : undefined;
}

/** Go's url.Parse of the input of ParseRequestURI: splits off fragments. */
export function parseUrl(text: string): Url | Fault {
  return requestUriFault(text) ?? parseReference(text);
}

/** Go's url.Parse, which also accepts relative URLs. */
export function parseReference(text: string): Url | Fault {
  const bytes = toBytes(text);
  const hash = bytes.indexOf('#');
  const before = hash < 0 ? bytes : bytes.slice(0, hash);
  const parts = parse(before, false);
  if (parts instanceof Fault) return inUrl(fromBytes(before), parts);
  const fragment = hash < 0 ? '' : bytes.slice(hash + 1);
  const unescaped = unescape(fragment, 'fragment');
  if (unescaped instanceof Fault) return inUrl(text, unescaped);
  const kept = isValidEncoded(fragment, 'fragment');
  return new Url({ ...parts, fragment: kept ? fragment : escape(unescaped, 'fragment') });
}

const inUrl = (text: string, { message }: Fault): Fault => new Fault(`parse ${quote(text)}: ${message}`);

function parse(bytes: string, viaRequest: boolean): Parts | Fault {
  // oxlint-disable-next-line no-control-regex
  if (/[\x00-\x1f\x7f]/.test(bytes)) return new Fault('net/url: invalid control character in URL');
  if (bytes === '' && viaRequest) return new Fault('empty url');
  if (bytes === '*') return { ...EMPTY, path: '*' };
  if (bytes.startsWith(':')) return new Fault('missing protocol scheme');
  const scheme = /^([a-zA-Z][a-zA-Z0-9+\-.]*):/.exec(bytes)?.[1] ?? '';
  const afterScheme = scheme === '' ? bytes : bytes.slice(scheme.length + 1);
  const question = afterScheme.indexOf('?');
  const rest = question < 0 ? afterScheme : afterScheme.slice(0, question);
  const query = question < 0 ? '' : afterScheme.slice(question + 1);
  const parts = { ...EMPTY, scheme: scheme.toLowerCase(), query, forceQuery: question >= 0 && query === '' };
  if (rest.startsWith('/')) return parseHierarchy(parts, rest, viaRequest);
  if (scheme !== '') return { ...parts, opaque: rest };
  if (viaRequest) return new Fault('invalid URI for request');
  if (/^[^/]*:/.test(rest)) return new Fault('first path segment in URL cannot contain colon');
  return withPath(parts, rest);
}

function parseHierarchy(parts: Parts, rest: string, viaRequest: boolean): Parts | Fault {
  const hasAuthority = rest.startsWith('//') && (parts.scheme !== '' || (!viaRequest && !rest.startsWith('///')));
  if (!hasAuthority) return withPath({ ...parts, omitHost: parts.scheme !== '' }, rest);
  const slash = rest.indexOf('/', 2);
  const authority = slash < 0 ? rest.slice(2) : rest.slice(2, slash);
  const at = authority.lastIndexOf('@');
  const host = parseHost(parts.scheme, authority.slice(at + 1));
  if (host instanceof Fault) return host;
  const user = at < 0 ? undefined : parseUser(authority.slice(0, at));
  if (user instanceof Fault) return user;
  return withPath({ ...parts, user, host }, slash < 0 ? '' : rest.slice(slash));
}

function withPath(parts: Parts, raw: string): Parts | Fault {
  const path = unescape(raw, 'path');
  if (path instanceof Fault) return path;
  return { ...parts, path, rawPath: escape(path, 'path') === raw ? '' : raw };
}

/** Returns the user information in its output form. */
function parseUser(info: string): string | Fault {
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(info)) return new Fault('net/url: invalid userinfo');
  const colon = info.indexOf(':');
  const parts = colon < 0 ? [info] : [info.slice(0, colon), info.slice(colon + 1)];
  const escaped: string[] = [];
  for (const part of parts) {
    const unescaped = unescape(part, 'user');
    if (unescaped instanceof Fault) return unescaped;
    escaped.push(escape(unescaped, 'user'));
  }
  return escaped.join(':');
}

const isOptionalPort = (text: string): boolean => /^(?::[0-9]*)?$/.test(text);

function parseHost(scheme: string, host: string): string | Fault {
  const open = host.lastIndexOf('[');
  if (open > 0) return new Fault('invalid IP-literal');
  if (open === 0) return parseLiteral(host);
  const first = host.indexOf(':');
  if (first >= 0) {
    const strict = scheme === 'http' || scheme === 'https';
    const port = host.slice(strict ? first : host.lastIndexOf(':'));
    if (!isOptionalPort(port)) return new Fault(`invalid port ${quote(fromBytes(port))} after host`);
  }
  return unescape(host, 'host');
}

function parseLiteral(host: string): string | Fault {
  const close = host.lastIndexOf(']');
  if (close < 0) return new Fault("missing ']' in host");
  const port = host.slice(close + 1);
  if (!isOptionalPort(port)) return new Fault(`invalid port ${quote(fromBytes(port))} after host`);
  const inner = host.slice(1, close);
  const zoneAt = inner.includes('%25') ? inner.indexOf('%25') : inner.length;
  const address = unescape(inner.slice(0, zoneAt), 'host');
  if (address instanceof Fault) return address;
  const zone = unescape(inner.slice(zoneAt), 'zone');
  if (zone instanceof Fault) return zone;
  const addr = parseAddr(fromBytes(address + zone));
  if (addr instanceof Fault) return new Fault(`invalid host: ${addr.message}`);
  return addr.family === 4 ? new Fault('invalid IP-literal') : `[${address}${zone}]${port}`;
}

function splitHostPort(host: string): [hostname: string, port: string] {
  const colon = host.lastIndexOf(':');
  const hasPort = colon >= 0 && isOptionalPort(host.slice(colon));
  const name = hasPort ? host.slice(0, colon) : host;
  const bare = name.startsWith('[') && name.endsWith(']') ? name.slice(1, -1) : name;
  return [bare, hasPort ? host.slice(colon + 1) : ''];
}

function escapedPath({ path, rawPath }: Parts): string {
  if (rawPath !== '' && isValidEncoded(rawPath, 'path')) return rawPath;
  return path === '*' ? '*' : escape(path, 'path');
}

const MAX_PARAMETERS = 10_000;

function parseQuery(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  const pairs = query.split('&', MAX_PARAMETERS + 1);
  if (pairs.length > MAX_PARAMETERS) return values;
  for (const pair of pairs) {
    if (pair === '' || pair.includes(';')) continue;
    const equals = pair.indexOf('=');
    const key = unescape(equals < 0 ? pair : pair.slice(0, equals), 'query');
    const value = unescape(equals < 0 ? '' : pair.slice(equals + 1), 'query');
    if (key instanceof Fault || value instanceof Fault) continue;
    const name = fromBytes(key);
    values.set(name, [...(values.get(name) ?? []), fromBytes(value)]);
  }
  return values;
}

function urlText(parts: Parts): string {
  const scheme = parts.scheme === '' ? '' : `${parts.scheme}:`;
  const query = parts.forceQuery || parts.query !== '' ? `?${parts.query}` : '';
  const fragment = parts.fragment === '' ? '' : `#${parts.fragment}`;
  return `${scheme}${parts.opaque === '' ? hierarchyText(parts) : parts.opaque}${query}${fragment}`;
}

function hierarchyText(parts: Parts): string {
  const { scheme, user, host, path, omitHost } = parts;
  const authority = `${user === undefined ? '' : `${user}@`}${escape(host, 'host')}`;
  const none = omitHost && host === '' && user === undefined;
  const slashes = (scheme !== '' || authority !== '') && !none && (authority !== '' || path !== '');
  return `${slashes ? `//${authority}` : ''}${escapedPath(parts)}`;
}
