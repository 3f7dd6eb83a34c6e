import { messageOfError } from '#lib/machinery/error-message.ts';
import { quote } from '#lib/machinery/go.ts';
import type { CheckpointFile } from '../checkpointmanager/checkpoint-file.ts';

/** The names of a checkpoint in errors: its manager and its path. */
export interface CheckpointNames {
  readonly manager: 'CPU' | 'memory';
  readonly path: string;
}

/** The state from a checkpoint, or undefined if none exists. Rejects if it is unusable, with a text that explains the fix. */
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
