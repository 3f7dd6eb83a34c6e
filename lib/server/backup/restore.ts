import type { SequenceStore } from '#lib/storage/sequence.ts';

/**
 * To be called once, before the first request, when a store was put back to what it was at some time: begins an epoch in every
 * sequence, so that no version of the lost future is given again. May be repeated after a crash. Answers how many there are.
 */
export async function raiseEpochs(store: SequenceStore): Promise<number> {
  const names = await store.names();
  for (const name of names) await store.sequence(name).raiseEpoch();
  return names.length;
}
