import type { Clock } from '#lib/machinery/clock.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import type { Admission } from '#lib/server/registry/admission.ts';
import type { ResourceDefinition } from '#lib/server/registry/resource.ts';
import type { OperationContext } from '#lib/server/registry/rest/context.ts';
import type { RequestContext } from '#lib/server/request/request-context.ts';
import { managerOf } from './field-manager.ts';
import type { ListBounds } from './handlers/list-bounds.ts';
import type { WatchBounds } from './handlers/watch-bounds.ts';
import type { WatchMetrics } from './metrics/watch-metrics.ts';

/** A request and the resource that it resolved to: the input of every handler. */
export interface Scope {
  readonly context: RequestContext;
  readonly definition: ResourceDefinition;
  readonly admission: Admission;
  readonly cluster: string;
  readonly clock: Clock;
  readonly watches: WatchBounds;
  readonly lists: ListBounds;
  readonly watchMetrics: WatchMetrics;
}

/** Returns the storage operation of a request. `subresource` is the subresource through which it writes. */
export function operation(
  scope: Pick<Scope, 'context' | 'admission' | 'cluster'>,
  options: { dryRun?: boolean; fieldManager?: string; subresource?: string; document?: JsonObject } = {},
): OperationContext {
  const { context, admission, cluster } = scope;
  return {
    ...context,
    cluster,
    namespace: context.info.namespace,
    dryRun: options.dryRun ?? false,
    fieldManager: managerOf(options.fieldManager ?? '', context.request.headers['user-agent']),
    subresource: options.subresource ?? context.info.subresource,
    admission,
    options: options.document,
  };
}
