import table from './generated/unserved-types.json' with { type: 'json' };
import type { TypeRow } from './row.ts';
import { addTypes } from './types.ts';

/**
 * Makes the codecs know every kind that upstream's do and this server does not serve: alpha, beta and legacy versions, reviews
 * that are sent to webhooks. Call it before the first look-up of a kind. A server never does: the table costs it nothing.
 */
export function knowUnservedKinds(): void {
  addTypes(table as unknown as Readonly<Record<string, TypeRow>>);
}
