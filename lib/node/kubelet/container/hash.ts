import type { Container } from '#lib/api/types/core.v1.ts';
import { marshal } from '#lib/machinery/go.ts';

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;

/**
 * The hexadecimal hash of the fields whose change restarts a container: name and image (upstream: HashContainer). Containers created by
 * another kubelet have the same hash.
 */
export function hashContainer({ name, image = '' }: Pick<Container, 'name' | 'image'>): string {
  const fields = new TextEncoder().encode(marshal({ image, name }));
  let hash = OFFSET;
  for (const byte of new TextEncoder().encode(`([]uint8)[${[...fields].join(' ')}]`))
    hash = Math.imul(hash ^ byte, PRIME) >>> 0;
  return hash.toString(16);
}
