import { apiVersion } from '#lib/machinery/schema.ts';
import type { FunctionState } from '#lib/sdk/invocation/function-state.ts';
import type { ApiSource } from './aggregated-apis.ts';
import type { RunningControllers } from './controllers.ts';
import type { LocalFunctions } from './functions/local-functions.ts';
import type { WebhookSource } from './webhooks.ts';

interface Functions {
  readonly controllers: RunningControllers | undefined;
  readonly webhooks: WebhookSource;
  readonly apis: ApiSource;
  readonly functions: LocalFunctions | undefined;
}

/** All of the user's functions by name, and files that are not loaded. */
export function functionStates({ controllers, webhooks, apis, functions }: Functions): readonly FunctionState[] {
  const hooks = webhooks.declarations().map(({ name }): FunctionState => ({ name, type: 'Webhook', state: 'Running' }));
  const served = apis
    .declarations()
    .map(
      (api): FunctionState => ({ name: api.name, type: 'AggregatedAPI', serves: apiVersion(api), state: 'Running' }),
    );
  const faults = functions?.faults() ?? new Map<string, string>();
  const declared = [...(controllers?.functions() ?? []), ...hooks, ...served].map((one): FunctionState => {
    const message = faults.get(one.name);
    return message === undefined ? one : { ...one, state: 'Failed', message };
  });
  const files = [...(functions?.notLoaded() ?? [])].map(
    ([name, message]): FunctionState => ({ name, type: 'File', state: 'Failed', message }),
  );
  return [...declared, ...files].sort((a, b) => a.name.localeCompare(b.name));
}
