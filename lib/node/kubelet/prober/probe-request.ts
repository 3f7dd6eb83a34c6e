import { parseReference, type Url } from '#lib/api/cel/library/url.ts';
import type { Container, HTTPGetAction } from '#lib/api/types/core.v1.ts';
import { Fault } from '#lib/machinery/fault.ts';
import { quote } from '#lib/machinery/go.ts';
import { joinHostPort } from '#lib/machinery/net/host-port.ts';
import type { ProbeRequest } from './ports.ts';
import { MINOR_VERSION } from './user-agent.ts';

/** Upstream's ResolveContainerPort: a number, or the name of one of the container's ports. Throws Error. */
export function containerPort(port: number | string, { ports = [] }: Container): number {
  const found =
    typeof port === 'number' ? port : (ports.find(({ name }) => name === port)?.containerPort ?? atoi(port));
  if (found > 0 && found < 65_536) return found;
  throw new Error(`invalid port number: ${found}`);
}

/** Upstream's NewRequestForHTTPGetAction. The user agent contains `purpose`. Throws Error for an invalid port. */
export function probeRequest(
  action: HTTPGetAction,
  container: Container,
  podIP: string,
  purpose: 'probe' | 'lifecycle',
): ProbeRequest {
  const { scheme = '', host = '', path = '', httpHeaders = [] } = action;
  const port = containerPort(action.port, container);
  const name = host === '' ? podIP : host;
  const where = located(path);
  const url = where.at({
    ...(/^(?:\/|$)/.test(where.path) ? {} : { path: `/${where.path}` }),
    scheme: scheme === '' ? 'http' : scheme.toLowerCase(),
    host: joinHostPort(name, port),
  });
  const headers = new Map<string, string[]>();
  for (const header of httpHeaders) {
    const canonical = canonicalName(header.name);
    headers.set(canonical, [...(headers.get(canonical) ?? []), header.value]);
  }
  if (!headers.has('User-Agent')) headers.set('User-Agent', [`kube-${purpose}/${MINOR_VERSION}`]);
  if (!headers.has('Accept')) headers.set('Accept', ['*/*']);
  else if (headers.get('Accept')?.[0] === '') headers.delete('Accept');
  const authority = headers.get('Host')?.[0] ?? '';
  headers.delete('Host');
  return { url: url.toString(), host: authority, headers: Object.fromEntries(headers) };
}

/** Parses a path. Keeps it unchanged if it cannot be parsed. */
function located(path: string): Url {
  const parsed = parseReference(path);
  if (!(parsed instanceof Fault)) return parsed;
  const empty = parseReference('');
  if (empty instanceof Fault) throw empty;
  return empty.at({ path });
}

/** Go's strconv.Atoi for the name of a port. */
function atoi(text: string): number {
  if (!/^[+-]?\d+$/.test(text)) throw new Error(`strconv.Atoi: parsing ${quote(text)}: invalid syntax`);
  return Number(text);
}

/** Go's CanonicalMIMEHeaderKey. */
const canonicalName = (name: string): string =>
  /^[\w!#$%&'*+\-.^`|~]+$/.test(name)
    ? name.toLowerCase().replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
    : name;
