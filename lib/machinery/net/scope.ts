import { type Addr, unmapped } from './addr.ts';

/** Creates a check of the bytes, with one rule for each family. An IPv4-mapped address is checked as IPv4, as in Go. */
const scope =
  (is4: (bytes: readonly number[]) => boolean, is6: (bytes: readonly number[]) => boolean) =>
  (addr: Addr): boolean => {
    const { family, bytes } = unmapped(addr);
    return family === 4 ? is4(bytes) : is6(bytes);
  };

const isZero = (bytes: readonly number[]): boolean => bytes.every((byte) => byte === 0);

/** Go's IsUnspecified: 0.0.0.0 or ::. */
export const isUnspecified = scope(isZero, isZero);

/** Go's IsLoopback: 127.0.0.0/8 or ::1. */
export const isLoopback = scope(
  ([a]) => a === 127,
  (bytes) => bytes[15] === 1 && isZero(bytes.slice(0, 15)),
);

/** Go's IsLinkLocalUnicast: 169.254.0.0/16 or fe80::/10. */
export const isLinkLocalUnicast = scope(
  ([a, b]) => a === 169 && b === 254,
  ([a, b = 0]) => a === 0xfe && (b & 0xc0) === 0x80,
);

/** Go's IsLinkLocalMulticast: 224.0.0.0/24, or an IPv6 multicast address of link-local scope. */
export const isLinkLocalMulticast = scope(
  ([a, b, c]) => a === 224 && b === 0 && c === 0,
  ([a, b = 0]) => a === 0xff && (b & 0x0f) === 2,
);

const isMulticast = scope(
  ([a = 0]) => a >> 4 === 0xe,
  ([a]) => a === 0xff,
);

const isBroadcast = scope(
  (bytes) => bytes.every((byte) => byte === 255),
  () => false,
);

/** Go's IsGlobalUnicast: every unicast address that is not unspecified, loopback or link-local. Includes private addresses. */
export const isGlobalUnicast = (addr: Addr): boolean =>
  ![isUnspecified, isBroadcast, isLoopback, isMulticast, isLinkLocalUnicast].some((is) => is(addr));
