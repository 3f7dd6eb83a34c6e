/** Whether it is an IPv4 address in Go's form as upstream reads it, with leading zeros as decimal. */
function isDottedQuad(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^\d{1,9}$/.test(part) && Number(part) <= 255);
}

/** An IPv6 address without a zone, with or without an IPv4 tail. */
function isColonHex(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [i, half] of halves.entries()) {
    const count = groupCount(half, i === halves.length - 1);
    if (count === undefined) return false;
    groups += count;
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

function groupCount(half: string, mayEndInIpv4: boolean): number | undefined {
  if (half === '') return 0;
  const groups = half.split(':');
  const last = groups.at(-1) as string;
  const tail = mayEndInIpv4 && last.includes('.') ? 1 : 0;
  if (tail === 1 && !isDottedQuad(last)) return undefined;
  const hex = tail === 1 ? groups.slice(0, -1) : groups;
  return hex.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group)) ? hex.length + 2 * tail : undefined;
}

const isIp = (text: string): boolean => (text.includes(':') ? isColonHex(text) : isDottedQuad(text));

/** The format `ipv4`: an IP address with a dot, which may be an IPv4-mapped one. */
export const isIpv4 = (text: string): boolean => text.includes('.') && isIp(text);
/** The format `ipv6`: an IP address with a colon. */
export const isIpv6 = (text: string): boolean => text.includes(':') && isColonHex(text);

/** The format `cidr`: Go's ParseCIDR. */
export function isCidr(text: string): boolean {
  const slash = text.indexOf('/');
  const address = text.slice(0, slash);
  const size = text.slice(slash + 1);
  if (slash < 0 || !/^\d{1,9}$/.test(size) || !isIp(address)) return false;
  return Number(size) <= (address.includes(':') ? 128 : 32);
}

/** Go's ParseMAC: EUI-48, EUI-64 or a 20-octet address, in pairs or in Cisco's fours. */
export function isMac(text: string): boolean {
  const separator = text[2] === ':' || text[2] === '-' ? text[2] : '.';
  const parts = text.split(separator);
  const digits = separator === '.' ? /^[0-9a-fA-F]{4}$/ : /^[0-9a-fA-F]{2}$/;
  const sizes = separator === '.' ? [3, 4, 10] : [6, 8, 20];
  return sizes.includes(parts.length) && parts.every((part) => digits.test(part));
}
