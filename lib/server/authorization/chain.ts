import type { Clock } from '#lib/machinery/clock.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import { storageLookup } from '#lib/storage/lookup.ts';
import type { StorageOf } from '#lib/storage/storage.ts';
import { abacAuthorizer, abacRules } from './abac/authorizer.ts';
import type { AbacPolicy } from './abac/policy-file.ts';
import { alwaysAllow, alwaysDeny, everyRule, noRules } from './always.ts';
import { type Authorizer, unionAuthorizer } from './authorizer.ts';
import type { AuthorizationMetrics } from './metrics.ts';
import { nodeAuthorizer } from './node/authorizer.ts';
import { nodeRelations } from './node/relations.ts';
import { nodeRules } from './node/rules-review.ts';
import { privilegedGroups } from './privileged-groups.ts';
import { rbacAuthorizer } from './rbac/authorizer.ts';
import type { PolicySource } from './rbac/policy-source.ts';
import { rbacRuleResolver } from './rbac/rules-review.ts';
import { type RuleResolver, unionRules } from './rule-resolver.ts';
import { type AuthorizationWebhook, webhookAuthorizer, webhookRules } from './webhook/authorizer.ts';

/** The ports of authorizers. */
export interface AuthorizationPorts {
  readonly storageOf: StorageOf;
  readonly cluster: string;
  readonly clock: Clock;
  readonly policies: PolicySource;
  /** Calls authorization webhooks. Undefined if none can be configured. */
  readonly webhooks?: WebhookClient;
  readonly metrics: AuthorizationMetrics;
}

/** One authorizer of the chain, with its configuration. */
export type AuthorizerOptions =
  | { readonly type: 'Node' | 'RBAC' | 'AlwaysAllow' | 'AlwaysDeny' }
  | { readonly type: 'ABAC'; readonly policies: readonly AbacPolicy[] }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: AuthorizationWebhook };

/** The modes that upstream's installers use. */
const DEFAULT: readonly AuthorizerOptions[] = [
  { type: 'Node' }, // kubelets, whose permissions depend on their pods
  { type: 'RBAC' }, // all other permissions, from roles and bindings
];

interface Authorization {
  readonly authorizer: Authorizer;
  readonly ruleResolver: RuleResolver;
}

/**
 * Returns the authorizer that calls the modes in order, and the resolver that lists their rules. Throws TypeError for a webhook without
 * `webhooks` and for a match condition that does not compile.
 */
export function authorization(
  ports: AuthorizationPorts,
  options: readonly AuthorizerOptions[] = DEFAULT,
): Authorization {
  const chain = options.map((one) => ({ ...authorizerOf(one, ports), labels: labelsOf(one) }));
  return {
    authorizer: unionAuthorizer([
      privilegedGroups, // administrators may do anything, even if every other mode fails
      ...chain.map(({ authorizer, labels }) => ports.metrics.observed(...labels, authorizer)),
    ]),
    ruleResolver: unionRules(chain.map(({ ruleResolver }) => ruleResolver)),
  };
}

/** Authorization whose modes can change. */
export interface ReconfigurableAuthorization extends Authorization {
  /** Replaces the authorizers. Throws TypeError without a change if the options are invalid. */
  reconfigure(options: readonly AuthorizerOptions[]): void;
}

/** Like `authorization`, but the options can change. Each request uses the current ones. */
export function reconfigurableAuthorization(
  ports: AuthorizationPorts,
  options?: readonly AuthorizerOptions[],
): ReconfigurableAuthorization {
  let current = authorization(ports, options);
  return {
    authorizer: (user, attributes) => current.authorizer(user, attributes),
    ruleResolver: (...asked) => current.ruleResolver(...asked),
    reconfigure: (next) => void (current = authorization(ports, next)),
  };
}

/** Upstream's metric labels. An authorizer without a name uses its type in lower case. */
const labelsOf = (options: AuthorizerOptions): [type: string, name: string] => [
  options.type,
  options.type === 'Webhook' ? options.name : options.type.toLowerCase(),
];

function authorizerOf(options: AuthorizerOptions, ports: AuthorizationPorts): Authorization {
  switch (options.type) {
    case 'Node': {
      const relations = nodeRelations({ ...ports, lookup: storageLookup(ports) });
      return { authorizer: nodeAuthorizer(relations), ruleResolver: nodeRules };
    }
    case 'RBAC':
      return { authorizer: rbacAuthorizer(ports.policies), ruleResolver: rbacRuleResolver(ports.policies) };
    case 'ABAC':
      return { authorizer: abacAuthorizer(options.policies), ruleResolver: abacRules(options.policies) };
    case 'Webhook': {
      const { webhooks, clock, metrics } = ports;
      if (webhooks === undefined) throw new TypeError('an authorization webhook needs a way out: webhooks');
      return {
        authorizer: webhookAuthorizer(options, { webhooks, clock, metrics }),
        ruleResolver: webhookRules,
      };
    }
    case 'AlwaysAllow':
      return { authorizer: alwaysAllow, ruleResolver: everyRule };
    case 'AlwaysDeny':
      return { authorizer: alwaysDeny, ruleResolver: noRules };
    default:
      return options satisfies never;
  }
}
