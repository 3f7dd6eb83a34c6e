import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { CheckpointFile } from '../checkpointmanager/checkpoint-file.ts';

/** A checkpoint as errors name it: the manager that has it, and its path. */
export interface CheckpointNames {
  readonly manager: 'CPU' | 'memory';
  readonly path: string;
}

/** The state of a checkpoint; undefined where there is none. Rejects where it cannot be used; the text says what to do. */
export async function restoredState<S>(
  file: CheckpointFile,
  decode: (bytes: Uint8Array) => S,
  { manager, path }: CheckpointNames,
): Promise<S | undefined> {
  const bytes = await file.read();
  try {
    return bytes === undefined ? undefined : decode(bytes);
  } catch (cause) {
    const remedy = `please drain this node and delete the ${manager} manager checkpoint file ${quote(path)} before restarting Kubelet`;
    throw new Error(`could not restore state from checkpoint: ${messageOfError(cause)}, ${remedy}`, { cause });
  }
}
