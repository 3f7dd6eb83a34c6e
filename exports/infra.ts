export type { SecretReference } from '#lib/client/controller/function-settings.ts';
export { AggregatedApi, type AggregatedApiProps } from '../infra/constructs/users/aggregated-api.ts';
export type { Platform } from '../infra/constructs/users/platform.ts';
export { Reconciler, type ReconcilerProps } from '../infra/constructs/users/reconciler.ts';
export type { UsersFunctionProps } from '../infra/constructs/users/users-function.ts';
export { Webhook } from '../infra/constructs/users/webhook.ts';
export { type Context, ContextError, parseContext } from '../infra/context.ts';
export { PlatformStack } from '../infra/platform-stack.ts';
