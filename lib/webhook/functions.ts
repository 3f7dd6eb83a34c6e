/** A function that answers a webhook's request: JSON in, JSON out. */
export interface WebhookFunction {
  /** What the function answers, or its fault. `timeout` in milliseconds. */
  invoke(body: Uint8Array, options: { readonly timeout: number }): Promise<Uint8Array>;
}

/** Functions that stand in for Services: the name of one in a client configuration calls the function. */
export interface WebhookFunctions {
  find(service: { readonly namespace: string; readonly name: string }): WebhookFunction | undefined;
}

export const NO_FUNCTIONS: WebhookFunctions = { find: () => undefined };
