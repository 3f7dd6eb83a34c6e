import { type Addr, isMapped } from './addr.ts';

/** Go's text of an address: dotted decimal, or RFC 5952. An IPv4-mapped address is `::ffff:1.2.3.4`. */
export function addrText(addr: Addr): string {
  if (addr.family === 4) return addr.bytes.join('.');
  const zone = addr.zone === '' ? '' : `%${addr.zone}`;
  return isMapped(addr) ? `::ffff:${addr.bytes.slice(12).join('.')}${zone}` : `${hexText(addr)}${zone}`;
}

function hexText({ bytes }: Addr): string {
  const groups = Array.from({ length: 8 }, (_, i) => (bytes[i * 2] ?? 0) * 256 + (bytes[i * 2 + 1] ?? 0));
  const hex = groups.map((group) => group.toString(16));
  const [start, length] = longestZeros(groups);
  if (length < 2) return hex.join(':');
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`;
}

/** The first of the longest runs of zeros. */
function longestZeros(groups: readonly number[]): [start: number, length: number] {
  let best: [number, number] = [0, 0];
  for (let i = 0; i < groups.length; i++) {
    let end = i;
    while (groups[end] === 0) end++;
    if (end - i > best[1]) best = [i, end - i];
    i = Math.max(i, end - 1);
  }
  return best;
}
