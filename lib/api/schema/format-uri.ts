import { parseIP } from '#lib/machinery/net/parse-addr.ts';

/** Go's `url.ParseRequestURI`: an absolute URI or an absolute path. */
export function isRequestUri(text: string): boolean {
  if (text === '' || hasControl(text)) return false;
  if (text === '*') return true;
  const scheme = /^[a-zA-Z][a-zA-Z0-9+.-]*:/.exec(text)?.[0] ?? '';
  if (scheme === '' && text.startsWith(':')) return false;
  const [rest = ''] = text.slice(scheme.length).split('?', 1);
  if (!rest.startsWith('/')) return scheme !== '';
  if (scheme === '' || !rest.startsWith('//')) return isEscaped(rest);
  const end = rest.indexOf('/', 2);
  const authority = end < 0 ? rest.slice(2) : rest.slice(2, end);
  return isAuthority(authority) && isEscaped(end < 0 ? '' : rest.slice(end));
}

const hasControl = (text: string): boolean => /[^ -~\u0080-\u{10ffff}]/u.test(text);

const isEscaped = (text: string): boolean => !/%(?![0-9a-fA-F]{2})/.test(text);

function isAuthority(authority: string): boolean {
  const at = authority.lastIndexOf('@');
  const user = at < 0 ? '' : authority.slice(0, at);
  if (!/^[A-Za-z0-9\-._:~!$&'()*+,;=%@]*$/.test(user) || !isEscaped(user)) return false;
  return isHost(authority.slice(at + 1));
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) {
    const close = host.lastIndexOf(']');
    return close > 0 && /^(:\d*)?$/.test(host.slice(close + 1)) && isLiteral(host.slice(1, close));
  }
  const colon = host.lastIndexOf(':');
  if (colon >= 0 && !/^\d*$/.test(host.slice(colon + 1))) return false;
  return /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:<>"]|[\u0080-\u{10ffff}]|%[89a-fA-F][0-9a-fA-F])*$/u.test(host);
}

/** Whether the host is an IPv6 address, optionally with a zone after an escaped `%`. */
function isLiteral(text: string): boolean {
  const [address = '', ...zone] = text.split('%25');
  return (
    address.includes(':') &&
    parseIP(address) !== undefined &&
    (zone.length === 0 || (zone.join('%25') !== '' && isEscaped(zone.join('%25'))))
  );
}
