import type { Json } from '#lib/machinery/json-value.ts';

const CONTEXT = 3;
/** The maximum size of the comparison table. Larger differences become one replaced block. */
const MAX_CELLS = 1_000_000;

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** A unified diff of two values as indented JSON, as in upstream's messages. */
export function unifiedDiff(a: Json | undefined, b: Json | undefined): string {
  const lines = compare(pretty(a), pretty(b));
  return hunks(lines)
    .map((hunk) => hunkText(lines, hunk))
    .join('');
}

function pretty(value: Json | undefined): string[] {
  const text = JSON.stringify(value ?? null, (_, item: Json) => (typeof item === 'bigint' ? Number(item) : item), 1);
  return text.split('\n');
}

function compare(a: readonly string[], b: readonly string[]): Line[] {
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const same = (text: string): Line => ({ sign: ' ', text });
  const middle = middleLines(a.slice(start, a.length - end), b.slice(start, b.length - end));
  return [...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)];
}

/** Compares via the longest common subsequence, with removals before additions. */
function middleLines(a: readonly string[], b: readonly string[]): Line[] {
  const removed = a.map((text): Line => ({ sign: '-', text }));
  const added = b.map((text): Line => ({ sign: '+', text }));
  if (a.length * b.length > MAX_CELLS) return [...removed, ...added];
  const width = b.length + 1;
  const lengths = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const next = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
      lengths[i * width + j] = next;
    }
  }
  function at(i: number, j: number): number {
    return lengths[i * width + j] as number;
  }
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i] as string });
      i++;
      j++;
    } else if (i < a.length && (j === b.length || at(i + 1, j) >= at(i, j + 1))) lines.push(removed[i++] as Line);
    else lines.push(added[j++] as Line);
  }
  return lines;
}

interface Hunk {
  readonly from: number;
  to: number;
}

/** Changes with their context lines. Adjacent hunks are merged. */
function hunks(lines: readonly Line[]): Hunk[] {
  const found: Hunk[] = [];
  for (const [i, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const last = found.at(-1);
    const to = Math.min(lines.length, i + CONTEXT + 1);
    if (last !== undefined && i - CONTEXT <= last.to) last.to = to;
    else found.push({ from: Math.max(0, i - CONTEXT), to });
  }
  return found;
}

function hunkText(lines: readonly Line[], { from, to }: Hunk): string {
  const side = (sign: '-' | '+'): string => {
    const before = lines.slice(0, from).filter((line) => line.sign === ' ' || line.sign === sign).length;
    const length = lines.slice(from, to).filter((line) => line.sign === ' ' || line.sign === sign).length;
    if (length === 1) return `${before + 1}`;
    return `${length === 0 ? before : before + 1},${length}`;
  };
  const body = lines.slice(from, to).map(({ sign, text }) => `${sign}${text}\n`);
  return `@@ -${side('-')} +${side('+')} @@\n${body.join('')}`;
}
