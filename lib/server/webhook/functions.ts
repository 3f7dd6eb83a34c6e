/** A function that answers a webhook's request: JSON in, JSON out. */
export interface WebhookFunction {
  /** Resolves with the function's answer, or rejects with its error. `timeout` in milliseconds. */
  invoke(body: Uint8Array, options: { readonly timeout: number }): Promise<Uint8Array>;
}

type OptionalFunction = WebhookFunction | undefined;

/** Functions that stand in for Services: the name of one in a client configuration calls the function. */
export interface WebhookFunctions {
  find(service: { readonly namespace: string; readonly name: string }): OptionalFunction | Promise<OptionalFunction>;
}

/** Calls functions by their names, wherever they run. */
export interface FunctionInvoker {
  /** As WebhookFunction's. Rejects where there is no such function. */
  invoke(name: string, body: Uint8Array, options: { readonly timeout: number }): Promise<Uint8Array>;
}

/** Functions that are known before anything is stored, each by the Service `namespace/name` that it stands in for; then those of `others`. */
export function knownFunctions(
  known: ReadonlyMap<string, string>,
  invoker: FunctionInvoker,
  others: WebhookFunctions,
): WebhookFunctions {
  return {
    find(service) {
      const name = known.get(`${service.namespace}/${service.name}`);
      if (name === undefined) return others.find(service);
      return { invoke: (body, options) => invoker.invoke(name, body, options) };
    },
  };
}

/** No functions: webhooks of functions cannot be called. */
export const NO_FUNCTIONS: WebhookFunctions = { find: () => undefined };
