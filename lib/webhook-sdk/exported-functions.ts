import type { DefinedReconciler } from '#lib/controller/define-reconciler.ts';
import type { DefinedWebhook } from './webhook.ts';

/** What a file of functions gives, by the functions' names. */
export interface ExportedFunctions {
  readonly reconcilers: ReadonlyMap<string, DefinedReconciler>;
  readonly webhooks: ReadonlyMap<string, DefinedWebhook>;
}

/** The reconcilers and webhooks among a module's exports; whatever else it exports is its own affair. */
export function exportedFunctions(module: object): ExportedFunctions {
  const values = Object.values(module).filter(isDefined);
  return {
    reconcilers: new Map(values.flatMap((one) => ('reconcile' in one ? [[one.declaration.name, one]] : []))),
    webhooks: new Map(values.flatMap((one) => ('respond' in one ? [[one.declaration.name, one]] : []))),
  };
}

const isDefined = (value: unknown): value is DefinedReconciler | DefinedWebhook =>
  typeof value === 'object' && value !== null && 'declaration' in value && ('reconcile' in value || 'respond' in value);
