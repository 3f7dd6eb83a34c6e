import { StoreError } from './errors.ts';
import type { Proposal, Version } from './sequence.ts';
import { stampedLength } from './stamp.ts';

/** Upstream's size limit of a stored object in bytes: etcd's request limit. */
export const MAX_BODY_BYTES = 1_572_864;
/** The maximum number of changes in an entry. */
export const MAX_CHANGES = 64;

/** Checks the proposals of an `append`. Throws TooLarge for too many proposals, or for a stamped body that is too large. */
export function checkProposals(after: Version, proposals: readonly Proposal[]): void {
  if (proposals.length > MAX_CHANGES) {
    throw new StoreError('TooLarge', `an entry holds at most ${MAX_CHANGES} changes`);
  }
  for (const [i, { key, body }] of proposals.entries()) {
    const length = stampedLength(body, after + 1 + i);
    if (length > MAX_BODY_BYTES) {
      throw new StoreError('TooLarge', `${key} is ${length} bytes, more than ${MAX_BODY_BYTES}`);
    }
  }
}
