import table from './generated/unserved-types.json' with { type: 'json' };
import type { TypeRow } from './row.ts';
import { addTypes } from './types.ts';

/**
 * Adds the kinds to the codecs that upstream's codecs support but this server does not serve. These are alpha, beta and legacy versions,
 * and reviews for webhooks. Call it before the first lookup of a kind. A server never calls it, so it does not pay for the table.
 */
export function knowUnservedKinds(): void {
  addTypes(table as unknown as Readonly<Record<string, TypeRow>>);
}
