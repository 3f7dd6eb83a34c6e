import * as z from 'zod';
import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import { sortedEntries } from '#lib/machinery/sorted-entries.ts';
import { CorruptCheckpointError } from '../../checkpointmanager/checkpoint-store.ts';
import { checksumOf, goInt, goMap, goPointer, goString, goStruct } from '../../checkpointmanager/checksum.ts';
import { CPUSet, parseCPUSet } from '../cpuset.ts';
import { CPUState } from './state.ts';

/** The name of the checkpoint. */
export const CPU_MANAGER_STATE = 'cpu_manager_state';

type Entries = Readonly<Record<string, Readonly<Record<string, string>>>>;

const checkpointSchema = z.object({
  policyName: z.string().default(''),
  defaultCpuSet: z.string().default(''),
  entries: z.record(z.string(), z.record(z.string(), z.string())).default({}),
  checksum: z.number().default(0),
});

/** The text of the checkpoint in upstream's second version, which 1.36 writes unless pod-level resource managers are enabled. */
export function encodeCPUState(policyName: string, state: CPUState): string {
  const defaultCpuSet = String(state.defaultSet);
  const entries = Object.fromEntries(
    [...state.assignments]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([uid, sets]) => {
        const sorted = [...sets].toSorted(([a], [b]) => (a < b ? -1 : 1));
        return [uid, Object.fromEntries(sorted.map(([name, set]) => [name, String(set)]))];
      }),
  );
  const checksum = checksumOfState(policyName, defaultCpuSet, entries);
  const some = Object.keys(entries).length > 0 ? { entries } : {};
  return JSON.stringify({ policyName, defaultCpuSet, ...some, checksum });
}

/**
 * Reads the checkpoint of a policy. Throws CorruptCheckpointError if the checksum differs. Throws Error with upstream's text for another
 * policy or an invalid CPU set. Accepts a checksum of zero, as in files written by hand.
 */
export function decodeCPUState(bytes: Uint8Array, policyName: string): CPUState {
  const checkpoint = checkpointSchema.parse(JSON.parse(Buffer.from(bytes).toString()));
  const { defaultCpuSet, entries, checksum } = checkpoint;
  if (checksum !== 0 && checksum !== checksumOfState(checkpoint.policyName, defaultCpuSet, entries))
    throw new CorruptCheckpointError();
  if (checkpoint.policyName !== policyName) {
    const [own, other] = [quote(policyName), quote(checkpoint.policyName)];
    throw new Error(`configured policy ${own} differs from state checkpoint policy ${other}`);
  }
  const state = new CPUState(parsed(defaultCpuSet, `could not parse default cpu set ${quote(defaultCpuSet)}`));
  for (const [uid, sets] of sortedEntries(entries)) {
    for (const [name, text] of sortedEntries(sets)) {
      const failed = `could not parse cpuset ${quote(text)} for container ${quote(name)} in pod ${quote(uid)}`;
      state.setCPUSet(uid, name, parsed(text, failed));
    }
  }
  return state;
}

function parsed(text: string, failed: string): CPUSet {
  try {
    return parseCPUSet(text);
  } catch (error) {
    throw new Error(`${failed}: ${messageOfError(error)}`, { cause: error });
  }
}

/** The hashed struct has the name from older kubelets in every version. */
const checksumOfState = (policyName: string, defaultCpuSet: string, entries: Entries): number =>
  checksumOf(
    goPointer(
      goStruct('state.CPUManagerCheckpoint', {
        PolicyName: goString(policyName),
        DefaultCPUSet: goString(defaultCpuSet),
        Entries: goMap(
          'map[string]map[string]string',
          Object.entries(entries).map(([uid, sets]) => [
            uid,
            goMap(
              'map[string]string',
              Object.entries(sets).map(([name, text]) => [name, goString(text)]),
            ),
          ]),
        ),
        Checksum: goInt('checksum.Checksum', 0),
      }),
    ),
  );
