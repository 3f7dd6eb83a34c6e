import { encodeJson } from '#lib/machinery/json.ts';
import { indentJson } from '#lib/machinery/json-indent.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { type Opcode, opcodes } from './sequence-matcher.ts';

const CONTEXT = 3;

/** A unified diff of two values as indented JSON, as in upstream's messages (upstream: util/diff.Diff, with go-difflib). */
export function unifiedDiff(a: Json | undefined, b: Json | undefined): string {
  const [before, after] = [pretty(a), pretty(b)];
  return hunks(opcodes(before, after))
    .map((hunk) => hunkText(hunk, before, after))
    .join('');
}

/** Go's json.MarshalIndent with one space. */
const pretty = (value: Json | undefined): string[] => indentJson(encodeJson(value ?? null), ' ').split('\n');

/** Groups changes with up to three equal lines around them. */
function hunks(edits: readonly Opcode[]): Opcode[][] {
  const groups: Opcode[][] = [[]];
  for (const [at, edit] of edits.entries()) {
    const group = groups.at(-1) ?? [];
    if (!edit.isEqual) group.push(edit);
    else if (at === 0) group.push(tail(edit));
    else if (at === edits.length - 1) group.push(head(edit));
    else if (edit.a[1] - edit.a[0] <= 2 * CONTEXT) group.push(edit);
    else {
      group.push(head(edit));
      groups.push([tail(edit)]);
    }
  }
  return groups.filter((group) => group.some(({ isEqual }) => !isEqual));
}

/** The first lines of an equal range. */
const head = ({ a, b, isEqual }: Opcode): Opcode => ({
  isEqual,
  a: [a[0], Math.min(a[1], a[0] + CONTEXT)],
  b: [b[0], Math.min(b[1], b[0] + CONTEXT)],
});

/** The last lines of an equal range. */
const tail = ({ a, b, isEqual }: Opcode): Opcode => ({
  isEqual,
  a: [Math.max(a[0], a[1] - CONTEXT), a[1]],
  b: [Math.max(b[0], b[1] - CONTEXT), b[1]],
});

function hunkText(hunk: readonly Opcode[], before: readonly string[], after: readonly string[]): string {
  const [first, last] = [hunk[0], hunk.at(-1)];
  if (first === undefined || last === undefined) return '';
  const lines = hunk.flatMap(({ isEqual, a, b }) =>
    isEqual
      ? before.slice(...a).map((line) => ` ${line}`)
      : [...before.slice(...a).map((line) => `-${line}`), ...after.slice(...b).map((line) => `+${line}`)],
  );
  const ranges = `-${rangeText(first.a[0], last.a[1])} +${rangeText(first.b[0], last.b[1])}`;
  return `@@ ${ranges} @@\n${lines.map((line) => `${line}\n`).join('')}`;
}

function rangeText(from: number, to: number): string {
  const length = to - from;
  if (length === 1) return `${from + 1}`;
  return `${length === 0 ? from : from + 1},${length}`;
}
