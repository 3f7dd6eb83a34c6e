/** Where the Services of functions are; what is in it is never asked about, so that a webhook cannot lock itself in. */
export const NAMESPACE = 'davit-system';

/** What makes the objects of declared webhooks: a reconciler, and its one key. */
export const REGISTRATION = { reconciler: 'webhook-registration', name: 'webhooks' } as const;
