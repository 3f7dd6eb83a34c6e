/** Where the Services of functions are; what is in it is never asked about, so that a webhook cannot lock itself in. */
export const NAMESPACE = 'davit-system';

/** The reconciler that writes the objects of declared webhooks, and its only key. */
export const REGISTRATION = { reconciler: 'webhook-registration', name: 'webhooks' } as const;
