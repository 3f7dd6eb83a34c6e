import type { DefinedReconciler } from '#lib/client/controller/define-reconciler.ts';
import type { DefinedWebhook } from './webhook.ts';

/** The functions that modules export, by function name. */
export interface ExportedFunctions {
  readonly reconcilers: ReadonlyMap<string, DefinedReconciler>;
  readonly webhooks: ReadonlyMap<string, DefinedWebhook>;
}

/**
 * The reconcilers and webhooks among the exports of modules. Ignores other exports. Throws TypeError if two functions have the same name.
 * The same function may be exported twice.
 */
export function exportedFunctions(...modules: readonly object[]): ExportedFunctions {
  const exported = new Set(modules.flatMap((module): unknown[] => Object.values(module)));
  const values = [...exported].filter(isDefined);
  const names = values.map(({ declaration }) => declaration.name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined) throw new TypeError(`${twice} is declared twice`);
  return {
    reconcilers: new Map(values.flatMap((one) => ('reconcile' in one ? [[one.declaration.name, one]] : []))),
    webhooks: new Map(values.flatMap((one) => ('respond' in one ? [[one.declaration.name, one]] : []))),
  };
}

const isDefined = (value: unknown): value is DefinedReconciler | DefinedWebhook =>
  typeof value === 'object' && value !== null && 'declaration' in value && ('reconcile' in value || 'respond' in value);
