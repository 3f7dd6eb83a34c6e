import { parseCIDR } from './ip.ts';

/** Whether the bytes of an address are in a network; false for the other address family. */
export type Contains = (bytes: readonly number[]) => boolean;

/** Creates a check for addresses in a CIDR. Throws TypeError for an invalid CIDR. */
export function networkOf(cidr: string): Contains {
  const prefix = parseCIDR(cidr);
  if (prefix === undefined) throw new TypeError(`${cidr} is no network`);
  const { address, length } = prefix;
  const whole = Math.floor(length / 8);
  const rest = 8 - (length % 8);
  const isSame = (bytes: readonly number[], i: number): boolean => bytes[i] === address.bytes[i];
  return (bytes) => {
    if (bytes.length !== address.bytes.length) return false;
    for (let i = 0; i < whole; i++) if (!isSame(bytes, i)) return false;
    return rest === 8 || (bytes[whole] ?? 0) >> rest === (address.bytes[whole] ?? 0) >> rest;
  };
}
