import { join, resolve } from 'node:path';
import type { Command } from 'commander';
import { EncryptedStore } from '#lib/storage/encryption/encrypted-store.ts';
import type { StoreError } from '#lib/storage/errors.ts';
import { readAll, type Totals } from '#lib/storage/read-all.ts';
import type { Flags } from '../command.ts';
import { ownerOf } from '../data-directory.ts';
import type { DataFlags } from '../data-store.ts';
import { encryptionOfFlags } from '../flags/encryption.ts';
import { lossOf, openSnapshot } from '../open-store.ts';

/** Adds `check`, which prints each fault of a data directory on one line. */
export function checkCommand(command: Command): void {
  command
    .command('check')
    .description('find damage in a data directory; the exit code is 1 if there is any')
    .action(async () => {
      const { damage, notes } = await check(command.opts<Flags>());
      for (const note of notes) console.error(`davit: ${note}`);
      for (const line of damage) console.log(line);
      if (damage.length > 0) process.exitCode = 1;
    });
}

/** The result of a check. */
export interface DataCheckResult {
  readonly damage: readonly string[];
  /** Remarks that do not indicate damage. */
  readonly notes: readonly string[];
}

/** Reads the whole data directory in its current state and changes nothing. Throws StartFault if it cannot be opened. */
export async function check(flags: DataFlags): Promise<DataCheckResult> {
  const directory = resolve(flags.dataDir);
  const { encryption } = await encryptionOfFlags(flags);
  const owner = await ownerOf(directory);
  const loss = owner === undefined ? lossOf(directory) : undefined;
  // Opening the data would rebuild the index of the log and destroy the evidence of the loss.
  if (loss !== undefined) return { damage: [loss], notes: ['what is left was not read'] };
  const plain = openSnapshot(directory);
  const lines = new Set<string>();
  const sealed = new Set<string>();
  const onDamage = ({ code, message }: StoreError): void =>
    void (encryption === undefined && code === 'Undecryptable' ? sealed : lines).add(message);
  const totals: Totals = { sequences: 0, objects: 0, changes: 0 };
  try {
    for (const line of plain.faults()) lines.add(line);
    const store = new EncryptedStore(plain, encryption ?? (() => undefined), onDamage);
    for await (const line of readAll(store, totals)) lines.add(line);
  } finally {
    await plain.close();
  }
  const { sequences, objects, changes } = totals;
  return {
    damage: [...lines],
    notes: [
      ...(owner === undefined ? [] : [`process ${owner.pid} has ${directory}; this is what it holds at this moment`]),
      ...(sealed.size === 0
        ? []
        : [`${sealed.size} objects are encrypted; --encryption-provider-config has them checked too`]),
      `${lines.size === 0 ? 'no' : lines.size} faults in ${objects} objects and ${changes} changes of ${sequences} logs in ${join(directory, 'davit.db')}`,
    ],
  };
}
