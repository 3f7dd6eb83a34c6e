import { StatusError } from '#lib/machinery/errors.ts';
import { deleteObject } from '#lib/server/registry/store/delete.ts';
import { select } from '#lib/server/registry/store/selection.ts';
import { parseKey } from '#lib/storage/keys.ts';
import type { ApiResponse } from '../api.ts';
import { listOptions } from '../options.ts';
import { negotiatedResponse } from '../respond.ts';
import { operation, type Scope } from '../scope.ts';
import { warnOfOrphans } from './delete.ts';
import { deleteDocument, deleteOptions } from './delete-options.ts';
import { listMetadata, listPage, pageBody, refuseSingle, respondList } from './list.ts';

/** The number of concurrent deletions, whose writes share log entries. */
const WORKERS = 64;

/** DELETE of a collection: deletes every object that the list options select, each by its own rules. Returns the list. */
export async function deleteCollectionHandler(scope: Scope): Promise<ApiResponse> {
  const { context, definition, cluster } = scope;
  const want = negotiatedResponse(scope);
  refuseSingle(scope, want);
  const options = listOptions(context.request.query);
  const { namespace } = context.info;
  const selection = select(definition, { ...options, cluster, namespace, name: '' });
  const deletion = await deleteOptions(context);
  warnOfOrphans(scope, deletion);
  const page = await listPage(scope, options, selection);
  const queue = [...page.objects];
  const work = async (): Promise<void> => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const at = parseKey(next.key);
      const op = {
        ...operation(scope, { dryRun: deletion.dryRun.length > 0, document: deleteDocument(deletion) }),
        namespace: at.namespace,
        isCollection: true,
      };
      await deleteObject(definition, op, at.name, deletion).catch(ignoreNotFound);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  return respondList(scope, want, pageBody(page), listMetadata(scope, page, selection.prefix));
}

/** Another client deleted it first. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof StatusError) || error.reason !== 'NotFound') throw error;
}
