import table from './generated/unserved-types.json' with { type: 'json' };
import type { TypeRow } from './row.ts';
import { addTypes } from './types.ts';

/**
 * Adds the kinds that upstream's codecs support but this server does not serve: alpha, beta and legacy versions, and webhook reviews. Call
 * it before the first lookup of a kind. A server never calls it, which saves the memory for the table.
 */
export function knowUnservedKinds(): void {
  addTypes(table as unknown as Readonly<Record<string, TypeRow>>);
}
