/** A function that handles a webhook's request: JSON in, JSON out. */
export interface WebhookFunction {
  /** Resolves with the function's response, or rejects with its error. `timeout` is in ms. */
  invoke(body: Uint8Array, options: { readonly timeout: number }): Promise<Uint8Array>;
}

type OptionalFunction = WebhookFunction | undefined;

/** Functions that replace Services. A client configuration that names such a Service calls the function. */
export interface WebhookFunctions {
  find(service: { readonly namespace: string; readonly name: string }): OptionalFunction | Promise<OptionalFunction>;
}

/** Calls functions by name, wherever they run. */
export interface FunctionInvoker {
  /** Like the method of WebhookFunction. Rejects if the function does not exist. */
  invoke(name: string, body: Uint8Array, options: { readonly timeout: number }): Promise<Uint8Array>;
}

/**
 * Returns functions that are known from the start, each by the Service `namespace/name` that it replaces, followed by those of `others`.
 */
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

/** No functions: webhooks cannot call functions. */
export const NO_FUNCTIONS: WebhookFunctions = { find: () => undefined };
