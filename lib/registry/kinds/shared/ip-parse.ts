/** The four bytes of an IPv4 address without leading zeros. */
export function parseIPv4(text: string): number[] | undefined {
  const bytes = text.split('.');
  if (bytes.length !== 4 || !bytes.every((byte) => /^(0|[1-9][0-9]{0,2})$/.test(byte))) return undefined;
  const numbers = bytes.map(Number);
  return numbers.every((byte) => byte <= 255) ? numbers : undefined;
}

/** Whether the text is an IPv4 address where leading zeros are let pass. */
export function isLenientIPv4(text: string): boolean {
  return parseIPv4(withoutZeros(text)) !== undefined;
}

function withoutZeros(text: string): string {
  return text
    .split('.')
    .map((byte) => byte.replace(/^0+(?=[0-9])/, ''))
    .join('.');
}

/** The eight groups of an IPv6 address; no zone. */
export function parseIPv6(text: string): number[] | undefined {
  const halves = text.split('::');
  if (!text.includes(':') || halves.length > 2) return undefined;
  const sides = halves.map((half) => groupsOf(half));
  const [head, tail] = sides;
  if (head === undefined || sides.some((side) => side === undefined)) return undefined;
  if (halves.length === 1) return head.length === 8 ? head : undefined;
  const rest = tail ?? [];
  const zeros = 8 - head.length - rest.length;
  return zeros < 1 ? undefined : [...head, ...Array<number>(zeros).fill(0), ...rest];
}

function groupsOf(half: string): number[] | undefined {
  if (half === '') return [];
  const parts = half.split(':');
  const last = parts.at(-1) as string;
  const embedded = last.includes('.') ? parseIPv4(last) : undefined;
  if (last.includes('.') && embedded === undefined) return undefined;
  const hex = embedded === undefined ? parts : parts.slice(0, -1);
  if (!hex.every((group) => /^[0-9a-fA-F]{1,4}$/.test(group))) return undefined;
  const groups = hex.map((group) => Number.parseInt(group, 16));
  if (embedded === undefined) return groups;
  const [a = 0, b = 0, c = 0, d = 0] = embedded;
  return [...groups, a * 256 + b, c * 256 + d];
}

/** The address as RFC 5952 writes it; IPv4 without leading zeros, and IPv4-mapped addresses as IPv4. */
export function canonicalIP(text: string): string | undefined {
  const groups = parseIPv6(text);
  if (groups === undefined) return isLenientIPv4(text) ? withoutZeros(text) : undefined;
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 255])
      .join('.');
  }
  return compressed(groups);
}

/** The longest run of at least two zero groups, the first of equals, becomes `::`. */
function compressed(groups: readonly number[]): string {
  let best = { start: -1, length: 1 };
  for (let i = 0; i < 8; i++) {
    let end = i;
    while (end < 8 && groups[end] === 0) end++;
    if (end - i > best.length) best = { start: i, length: end - i };
    if (end > i) i = end;
  }
  const hex = groups.map((group) => group.toString(16));
  if (best.start < 0) return hex.join(':');
  return `${hex.slice(0, best.start).join(':')}::${hex.slice(best.start + best.length).join(':')}`;
}
