import type { SequenceStore } from '#lib/storage/sequence.ts';

/**
 * Begins an epoch in every sequence after a store was restored to an earlier state, so that lost versions are not reused. Call it once,
 * before the first request. May be repeated after a crash. Returns the number of sequences.
 */
export async function raiseEpochs(store: SequenceStore): Promise<number> {
  const names = await store.names();
  for (const name of names) await store.sequence(name).raiseEpoch();
  return names.length;
}
