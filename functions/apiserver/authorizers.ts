import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { type AuthorizerOptions, reconfigurableAuthorization } from '#lib/server/authorization/chain.ts';
import { AuthorizationMetrics } from '#lib/server/authorization/metrics.ts';
import { policySource } from '#lib/server/authorization/rbac/policy-source.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { StorageOf } from '#lib/storage/storage.ts';

/** How the server authorizes requests. */
export interface AuthorizersOptions {
  readonly clock: Clock;
  /** The authorizers, in order. Default Node, RBAC. */
  readonly authorizers?: readonly AuthorizerOptions[];
}

interface Parts {
  readonly storageOf: StorageOf;
  readonly webhooks: WebhookClient | undefined;
}

/** The chain of `lib/server/authorization/chain.ts`, and the roles and bindings that it reads. */
export function authorizers({ clock, authorizers: asked }: AuthorizersOptions, { storageOf, webhooks }: Parts) {
  const policies = policySource(storageOf, DEFAULT_CLUSTER);
  const metrics = new AuthorizationMetrics(clock);
  const ports = { storageOf, cluster: DEFAULT_CLUSTER, clock, policies, metrics };
  const chain = reconfigurableAuthorization({ ...ports, ...defined({ webhooks }) }, asked);
  return { ...chain, policies, collectors: [metrics] };
}
