import { randomBytes } from 'node:crypto';
import { parseKey } from '#lib/storage/keys.ts';
import { MAX_CHANGES } from '#lib/storage/limits.ts';
import type { Proposal, Sequence } from '#lib/storage/sequence.ts';

/** Writes config maps of `bytes`, half of which can be packed, to the log without a server, and folds them. */
export async function fill(
  sequence: Sequence,
  count: number,
  key: (i: number) => string,
  bytes = 1_000,
): Promise<void> {
  let after = await sequence.head();
  for (let from = 0; from < count; from += MAX_CHANGES) {
    const length = Math.min(MAX_CHANGES, count - from);
    const proposals = Array.from({ length }, (_, i) => aConfigMap(key(from + i), bytes));
    const result = await sequence.append(after, proposals, { nonce: `fill ${from}` });
    if (!result.ok) throw new Error('another process writes to the log');
    after = result.last;
    if (from % 6_400 === 0) await sequence.compact();
  }
  await sequence.compact();
}

function aConfigMap(key: string, bytes: number): Proposal {
  const { namespace, name } = parseKey(key);
  const half = (bytes - 250) >> 1;
  const body = {
    kind: 'ConfigMap',
    apiVersion: 'v1',
    metadata: {
      name,
      namespace,
      uid: crypto.randomUUID(),
      resourceVersion: '',
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    data: { random: randomBytes(half >> 1).toString('hex'), same: 'a'.repeat(half) },
  };
  return {
    key,
    type: 'ADDED',
    body: Buffer.from(JSON.stringify(body)),
    labels: {},
    fields: {},
    generation: 0,
    ownerReferences: [],
  };
}
