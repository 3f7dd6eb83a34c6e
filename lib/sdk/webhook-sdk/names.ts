/** The namespace of the Services of functions. Webhooks are never called for objects in it, so that a webhook cannot lock itself out. */
export const NAMESPACE = 'davit-system';

/** The reconciler that writes the objects of declared webhooks, and its single key. */
export const REGISTRATION = { reconciler: 'webhook-registration', name: 'webhooks' } as const;
