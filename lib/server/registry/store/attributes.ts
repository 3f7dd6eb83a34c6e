import type { Attributes } from '../admission.ts';
import type { OperationContext } from '../rest/context.ts';

type Written = Pick<Attributes, 'operation' | 'scheme' | 'resource' | 'name' | 'object' | 'oldObject'>;

/** The admission attributes of one write, including those of its request. */
export function attributesOf(context: OperationContext, written: Written): Attributes {
  const { namespace, subresource, user, dryRun, options, warn, annotate, took } = context;
  const { kind } = written.scheme;
  return { ...written, kind, subresource, namespace, dryRun, options, user, warn, annotate, took };
}
