import { messageOfError } from '#lib/machinery/error-message.ts';
import { StoreError } from '#lib/storage/errors.ts';

const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const FULL = 13;
const NOT_A_DATABASE = 26;
/** SQLite's code for a write-ahead log whose index cannot grow. The commit is not visible, and the next one overwrites it. */
const INDEX_FULL = 4874;

/**
 * Converts a failure of SQLite, or of a file next to its own. Overloaded and NoSpace mean that no change was made. Unavailable means that
 * the outcome is unknown.
 */
export function storeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  if (isFull(error)) return new StoreError('NoSpace', NO_SPACE, { cause: error });
  const code = extendedCode(error) & 0xff;
  const message = messageOfError(error);
  if (code === BUSY || code === LOCKED) return new StoreError('Overloaded', message, { cause: error });
  if (code === CORRUPT || code === NOT_A_DATABASE) return new StoreError('Corrupt', message, { cause: error });
  return new StoreError('Unavailable', message, { cause: error });
}

const NO_SPACE = 'the disk is full: nothing was written; try again when it has space';

function isFull(error: unknown): boolean {
  const code = extendedCode(error);
  return (code & 0xff) === FULL || code === INDEX_FULL || NO_SPACE_CODES.has(codeOf(error));
}

const NO_SPACE_CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT']);

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** SQLite's extended result code, whose low byte is the primary code. 0 for other errors. */
function extendedCode(error: unknown): number {
  if (!(error instanceof Error) || !('errcode' in error)) return 0;
  return typeof error.errcode === 'number' ? error.errcode : 0;
}
