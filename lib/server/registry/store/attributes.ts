import { annotate } from '#lib/server/request/request-audit.ts';
import type { Attributes } from '../admission.ts';
import type { OperationContext } from '../rest/context.ts';

type Written = Pick<Attributes, 'operation' | 'scheme' | 'resource' | 'name' | 'object' | 'oldObject'>;

/** The admission attributes of one write: a view of its request. */
export function attributesOf(context: OperationContext, written: Written): Attributes {
  const { namespace, subresource, user, dryRun, options } = context;
  return {
    ...written,
    kind: written.scheme.kind,
    subresource,
    namespace,
    dryRun,
    options,
    user,
    annotate: (key, value, shows) => annotate(context, key, value, shows),
    context,
  };
}
