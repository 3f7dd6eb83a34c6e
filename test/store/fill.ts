import { randomBytes, randomUUID } from 'node:crypto';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import { summarizeBody } from '#lib/server/registry/summarize-body.ts';
import { parseKey } from '#lib/storage/keys.ts';
import { MAX_CHANGES } from '#lib/storage/limits.ts';
import type { Proposal, Sequence } from '#lib/storage/sequence.ts';

/** Writes objects to a log without a server, and folds it. */
export async function fill(
  sequence: Sequence,
  count: number,
  { key, make }: { key(i: number): string; make(i: number): JsonObject },
): Promise<void> {
  let after = await sequence.head();
  for (let from = 0; from < count; from += MAX_CHANGES) {
    const length = Math.min(MAX_CHANGES, count - from);
    const proposals = Array.from({ length }, (_, i): Proposal => {
      const body = Buffer.from(JSON.stringify(make(from + i)));
      return { key: key(from + i), type: 'ADDED', body, ...summarizeBody(body) };
    });
    const result = await sequence.append(after, proposals, { nonce: `fill ${from}` });
    if (!result.ok) throw new Error('another process writes to the log');
    after = result.last;
    if (from % 6_400 === 0) await sequence.compact();
  }
  await sequence.compact();
}

const metadataOf = (key: string): JsonObject => {
  const { namespace, name } = parseKey(key);
  return { name, namespace, uid: randomUUID(), resourceVersion: '', creationTimestamp: '2026-01-01T00:00:00Z' };
};

/** A config map of the given size in bytes, half of which can be compressed. */
export function aConfigMap(key: string, bytes = 1_000): JsonObject {
  const half = (bytes - 250) >> 1;
  const data = { random: randomBytes(half >> 1).toString('hex'), same: 'a'.repeat(half) };
  return { kind: 'ConfigMap', apiVersion: 'v1', metadata: metadataOf(key), data };
}

/** A pod on a node. Its environment comes from a config map for the node, and its owner is on the node. */
export function aPodOn(node: string, key: string): JsonObject {
  const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: node, uid: `owner-of-${node}`, controller: true };
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { ...metadataOf(key), ownerReferences: [owner] },
    spec: {
      nodeName: node,
      containers: [{ name: 'c', image: 'i', envFrom: [{ configMapRef: { name: `of-${node}` } }] }],
    },
    status: { phase: 'Running' },
  };
}
