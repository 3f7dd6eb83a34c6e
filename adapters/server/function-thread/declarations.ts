import { type Declaration, parseDeclarations } from '#lib/client/controller/declaration.ts';
import {
  type AggregatedApiDeclaration,
  parseAggregatedApiDeclaration,
} from '#lib/sdk/extension-apiserver/declaration.ts';
import { parseWebhookDeclaration, type WebhookDeclaration } from '#lib/sdk/webhook-sdk/declaration.ts';

/** The functions that a file declares. */
export interface Declarations {
  readonly reconcilers: readonly Declaration[];
  readonly webhooks: readonly WebhookDeclaration[];
  readonly apis: readonly AggregatedApiDeclaration[];
}

/**
 * Validates declarations, because the author's code may have sent them, and not the worker's own. Throws TypeError for an invalid
 * declaration.
 */
export const declarationsOf = ({
  reconcilers,
  webhooks,
  apis,
}: Readonly<Record<keyof Declarations, unknown>>): Declarations => ({
  reconcilers: parseDeclarations(reconcilers),
  webhooks: listOf(webhooks).map(parseWebhookDeclaration),
  apis: listOf(apis).map(parseAggregatedApiDeclaration),
});

function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new TypeError('declarations: must be a list');
}
