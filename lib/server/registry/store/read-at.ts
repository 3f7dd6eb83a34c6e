import { badRequest } from '#lib/machinery/errors.ts';
import { quote } from '#lib/machinery/go.ts';
import { MAX_UINT64 } from '#lib/machinery/integer-limits.ts';
import type { ReadAt } from '#lib/storage/storage.ts';

/** The state that a list reads, according to its resourceVersion and resourceVersionMatch. Throws 400 for an invalid version. */
export function listReadAt(resourceVersion: string, match: string): ReadAt {
  if (resourceVersion === '') return { kind: 'fresh' };
  const problem = versionProblem(resourceVersion);
  if (problem !== undefined) throw badRequest(`invalid resource version: ${problem}`);
  if (resourceVersion === '0') return { kind: 'any' };
  return { kind: match === 'Exact' ? 'exact' : 'notOlderThan', version: Number(resourceVersion) };
}

/** The reason why a text is not a resource version, in upstream's words. Undefined for a valid one. */
export function versionProblem(text: string): string | undefined {
  const why = !/^\d+$/.test(text) ? 'invalid syntax' : BigInt(text) > MAX_UINT64 ? 'value out of range' : undefined;
  if (why === undefined) return undefined;
  return `resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: ${why}`;
}
