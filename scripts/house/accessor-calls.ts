import { globSync, readFileSync } from 'node:fs';
import { roomOf, room as top } from './rooms.ts';

/** The accessors that take a field name as a string. The compiler cannot check a call with a literal name. */
const ACCESSORS = [
  ['lib/machinery/json-value.ts', ['objectAt', 'arrayAt', 'stringAt', 'ownField']],
  [
    'lib/machinery/unstructured.ts',
    ['text', 'integer', 'count', 'flag', 'has', 'items', 'texts', 'entries', 'ensure', 'at'],
  ],
] as const;

const NAMES = ACCESSORS.flatMap(([, names]) => names);
const CALL = new RegExp(`(?<![.\\w#'])(${NAMES.join('|')})\\(`, 'g');

/** The number of calls in a source to an accessor with a literal field name. */
export function accessorCalls(source: string): number {
  const imported = new Set(NAMES.filter((name) => new RegExp(`import \\{[^}]*\\b${name}\\b[^}]*\\}`).test(source)));
  return [...source.matchAll(CALL)].filter(
    ({ 0: { length }, 1: name = '', index }) =>
      imported.has(name as (typeof NAMES)[number]) && hasLiteral(source, index + length),
  ).length;
}

/** Whether one of the arguments from `start` on is a string in single quotes. */
function hasLiteral(source: string, start: number): boolean {
  let depth = 0;
  for (let at = start; at < source.length; at++) {
    const char = source.charAt(at);
    if (char === "'") {
      if (depth === 0) return true;
      at = source.indexOf("'", at + 1);
    } else if ('([{'.includes(char)) depth++;
    else if (')]}'.includes(char) && --depth < 0) return false;
  }
  return false;
}

/**
 * Calls by room (`lib/scheduler`, `lib/server/registry`, `local`) in the files of a folder, except tests. The room with the most calls is
 * first.
 */
export function callsByRoom(root: string): (readonly [room: string, calls: number])[] {
  const rooms = new Map<string, number>();
  for (const file of globSync('{lib,adapters,functions,local}/**/*.ts', { cwd: root })) {
    if (/\.(?:test|conformance)\.ts$/.test(file)) continue;
    const calls = accessorCalls(readFileSync(`${root}/${file}`, 'utf8'));
    const room = file.startsWith('lib/') ? `lib/${roomOf(file)}` : top(file);
    if (calls > 0) rooms.set(room, (rooms.get(room) ?? 0) + calls);
  }
  return [...rooms].sort(([, a], [, b]) => b - a);
}

if (import.meta.main) {
  const rooms = callsByRoom(`${import.meta.dirname}/../..`);
  for (const [room, calls] of rooms) console.log(`${String(calls).padStart(6)} ${room}`);
  console.log(`${String(rooms.reduce((sum, [, calls]) => sum + calls, 0)).padStart(6)} in all`);
}
