import { StoreError } from '#lib/storage/errors.ts';

const BUSY = 5;
const LOCKED = 6;
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** SQLite's failure as storage's: what is busy did nothing, of anything else it is unknown whether it was done. */
export function storeError(error: unknown): StoreError {
  if (error instanceof StoreError) return error;
  const code = primaryCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === BUSY || code === LOCKED) return new StoreError('Overloaded', message, { cause: error });
  if (code === CORRUPT || code === NOT_A_DATABASE) return new StoreError('Corrupt', message, { cause: error });
  return new StoreError('Unavailable', message, { cause: error });
}

/** The low byte of SQLite's extended result code. */
function primaryCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
