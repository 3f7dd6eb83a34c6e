import { declaredIn } from '../../infra/constructs/users/folder.ts';
import { deployRateOf } from '../../infra/constructs/users/reconciler.ts';
import { MEMORY } from '../../infra/constructs/users/users-function.ts';
import type { Context } from '../../infra/context.ts';
import type { DeployedReconciler } from './reconcile-price.ts';

/** The reconcilers of a deployment whose objects new code reconciles. Throws ContextError for a folder that cannot be deployed. */
export function reconcilersOf(context: Pick<Context, 'functions' | 'bundle' | 'bootstrap'>): DeployedReconciler[] {
  if (context.functions === undefined) return [];
  const { settings, files } = declaredIn(context.functions, context);
  const all = files
    .flatMap(({ reconcilers }) => reconcilers)
    .map(({ name }) => {
      const { memory = MEMORY, reconcileOnDeploy = true } = settings.get(name) ?? {};
      return { name, memory, perSecond: deployRateOf({ reconcileOnDeploy }) };
    });
  return all.filter(({ perSecond }) => perSecond > 0);
}
