import { storageLookup } from '#lib/admission/lookup.ts';
import type { Clock } from '#lib/machinery/clock.ts';
import type { StorageOf } from '#lib/registry/built-in.ts';
import { unionAuthorizer, type Authorizer } from './authorizer.ts';
import { nodeAuthorizer } from './node/authorizer.ts';
import { nodeRules } from './node/rules-review.ts';
import { nodeRelations } from './node/relations.ts';
import { privilegedGroups } from './privileged-groups.ts';
import { rbacAuthorizer } from './rbac/authorizer.ts';
import type { PolicySource } from './rbac/policy-source.ts';
import { rbacRuleResolver } from './rbac/rules-review.ts';
import { unionRules, type RuleResolver } from './rule-resolver.ts';

export interface AuthorizationPorts {
  readonly storageOf: StorageOf;
  readonly cluster: string;
  readonly clock: Clock;
  readonly policies: PolicySource;
}

/** Who decides what a user may do, in this order, and who can list it. */
export function authorization(ports: AuthorizationPorts): { authorizer: Authorizer; ruleResolver: RuleResolver } {
  const relations = nodeRelations({ ...ports, lookup: storageLookup(ports) });
  return {
    authorizer: unionAuthorizer([
      privilegedGroups, // the administrator may do anything, also when nothing else works
      nodeAuthorizer(relations), // kubelets, whose rights follow their pods
      rbacAuthorizer(ports.policies), // everyone else what roles and bindings give
    ]),
    ruleResolver: unionRules([nodeRules, rbacRuleResolver(ports.policies)]),
  };
}
