import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { uptime } from 'node:os';

/** Size in bytes of the header of SQLite's index of a write-ahead log. The index begins with two copies, in the machine's byte order. */
const INDEX_HEADER = 48;
const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const LITTLE_ENDIAN_LOG = 0x377f0682;

/** The contents of the log according to its index. */
interface Index {
  readonly pageSize: number;
  /** The number of committed frames. */
  readonly frames: number;
  readonly salts: Buffer;
}

interface Sums {
  readonly one: number;
  readonly two: number;
}

/** How much of a write-ahead log is readable, in frames. Each written page has one frame. */
export interface LostLog {
  readonly frames: number;
  readonly readable: number;
}

/**
 * Finds how much of the write-ahead log was lost since a process ended without closing the database. Undefined if nothing was lost. SQLite
 * itself treats the first unreadable frame as the log's end. The index survives a killed process and contains the true end. Call this
 * before the first connection, which recreates the index. An index from before the machine's last boot proves nothing: it is never synced,
 * so after a power failure it may be ahead of the log. `bootedAt` is in milliseconds since 1970.
 */
export function lostLog(databasePath: string, bootedAt = Date.now() - uptime() * 1000): LostLog | undefined {
  const path = `${databasePath}-shm`;
  const index = readIndex(path);
  if (index === undefined || index.frames === 0 || statSync(path).mtimeMs < bootedAt) return undefined;
  const readable = readableFrames(`${databasePath}-wal`, index);
  return readable < index.frames ? { frames: index.frames, readable } : undefined;
}

function readIndex(path: string): Index | undefined {
  const bytes = withFile(path, (file) => readAt(file, 0, 2 * INDEX_HEADER)) ?? Buffer.alloc(0);
  return indexIn(bytes.subarray(0, INDEX_HEADER)) ?? indexIn(bytes.subarray(INDEX_HEADER));
}

/** Undefined for a partly written index. */
function indexIn(bytes: Buffer): Index | undefined {
  if (bytes.length < INDEX_HEADER || bytes[12] !== 1) return undefined;
  const { one, two } = summed(bytes.subarray(0, 40), { one: 0, two: 0 }, true);
  if (bytes.readUInt32LE(40) !== one || bytes.readUInt32LE(44) !== two) return undefined;
  const size = bytes.readUInt16LE(14);
  return { pageSize: size === 1 ? 65_536 : size, frames: bytes.readUInt32LE(16), salts: bytes.subarray(32, 40) };
}

const readableFrames = (path: string, index: Index): number =>
  withFile(path, (file) => {
    const header = readAt(file, 0, LOG_HEADER);
    if (header.length < LOG_HEADER || !header.subarray(16, 24).equals(index.salts)) return 0;
    const isLittle = header.readUInt32BE(0) === LITTLE_ENDIAN_LOG;
    let sums = summed(header.subarray(0, 24), { one: 0, two: 0 }, isLittle);
    if (!hasSums(header, 24, sums)) return 0;
    const length = FRAME_HEADER + index.pageSize;
    for (let read = 0; ; read++) {
      if (read === index.frames) return read;
      const frame = readAt(file, LOG_HEADER + read * length, length);
      if (frame.length < length || !frame.subarray(8, 16).equals(index.salts)) return read;
      sums = summed(frame.subarray(FRAME_HEADER), summed(frame.subarray(0, 8), sums, isLittle), isLittle);
      if (!hasSums(frame, 16, sums)) return read;
    }
  }) ?? 0;

const hasSums = (bytes: Buffer, at: number, { one, two }: Sums): boolean =>
  bytes.readUInt32BE(at) === one && bytes.readUInt32BE(at + 4) === two;

/** SQLite's checksum of the bytes, which continues the sums in `before`. */
function summed(bytes: Buffer, before: Sums, isLittle: boolean): Sums {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let { one, two } = before;
  for (let at = 0; at < bytes.length; at += 8) {
    one = (one + words.getUint32(at, isLittle) + two) >>> 0;
    two = (two + words.getUint32(at + 4, isLittle) + one) >>> 0;
  }
  return { one, two };
}

/** Reads at most this many bytes. */
function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, position));
}

/** Undefined if the file does not exist. */
function withFile<T>(path: string, work: (file: number) => T): T | undefined {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return work(file);
  } finally {
    closeSync(file);
  }
}
