import { parseStored } from '#lib/machinery/json.ts';
import { isObject, objectAt, stringAt } from '#lib/machinery/json-value.ts';
import { objectKey } from '#lib/storage/keys.ts';
import type { StoredIn } from './endpoint-slices.ts';
import type { FunctionInvoker, WebhookFunctions } from './functions.ts';

/** An annotation of a Service: the function that handles webhook calls instead of the Service. */
export const FUNCTION_ANNOTATION = 'davit.dev/function';

const SERVICES = { group: '', resource: 'services' };

/** Returns the functions named by the annotations of stored Services. */
export function annotatedFunctions({ cluster, storageOf }: StoredIn, invoker: FunctionInvoker): WebhookFunctions {
  return {
    async find({ namespace, name }) {
      const stored = await storageOf(SERVICES).get(objectKey({ cluster, ...SERVICES, namespace, name }), {
        kind: 'any',
      });
      const service = stored === undefined ? undefined : parseStored(stored.body);
      const metadata = isObject(service) ? objectAt(service, 'metadata') : undefined;
      const named = stringAt(objectAt(metadata, 'annotations'), FUNCTION_ANNOTATION);
      return named === undefined ? undefined : { invoke: (body, options) => invoker.invoke(named, body, options) };
    },
  };
}
