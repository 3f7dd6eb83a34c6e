import type { LogFile } from './log-files.ts';

const BLOCK = 64 * 1024;
const NEWLINE = 0x0a;

/**
 * The position at which the last `lines` lines of a file begin. A last line without a newline does not count (upstream:
 * findTailLineStartIndex).
 */
export async function tailStart(file: LogFile, lines: number): Promise<number> {
  let wanted = lines + 1; // the newline before the first line to show
  for (let right = await file.size(); right > 0; ) {
    const left = Math.max(0, right - BLOCK);
    const block = await file.read(left, right - left);
    for (let at = block.lastIndexOf(NEWLINE); at >= 0; at = at === 0 ? -1 : block.lastIndexOf(NEWLINE, at - 1))
      if (--wanted === 0) return left + at + 1;
    right = left;
  }
  return 0;
}
