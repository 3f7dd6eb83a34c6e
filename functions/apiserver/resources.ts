import type { Clock } from '#lib/machinery/clock.ts';
import { defined } from '#lib/machinery/defined.ts';
import { paramGuards } from '#lib/server/admission/policy/param-rights.ts';
import { RuleMetrics } from '#lib/server/apiextensions/cel/rule-metrics.ts';
import { customResources } from '#lib/server/apiextensions/custom-resources.ts';
import { apiextensionsStrategies } from '#lib/server/apiextensions/strategy.ts';
import type { Authorizer } from '#lib/server/authorization/authorizer.ts';
import { rbacGuards } from '#lib/server/authorization/rbac/escalation.ts';
import type { PolicySource } from '#lib/server/authorization/rbac/policy-source.ts';
import { builtInResources } from '#lib/server/registry/built-in.ts';
import { resourceOfKind } from '#lib/server/registry/equivalents.ts';
import type { WebhookClient } from '#lib/server/webhook/client.ts';
import { DEFAULT_CLUSTER } from '#lib/storage/keys.ts';
import type { StorageOf } from '#lib/storage/storage.ts';

/** How the server determines the resources that it serves. */
export interface ResourcesOptions {
  readonly clock: Clock;
  /** Reports conditions that are not faults but may surprise an operator. Default: not reported. */
  reportWarning?(text: string): void;
}

interface Parts {
  readonly storageOf: StorageOf;
  readonly webhooks: WebhookClient | undefined;
  readonly authorizer: Authorizer;
  readonly policies: PolicySource;
}

/** The built-in and custom resources, and a lookup of both by kind. */
export function resources(options: ResourcesOptions, { storageOf, webhooks, authorizer, policies }: Parts) {
  const cluster = DEFAULT_CLUSTER;
  const ruleMetrics = new RuleMetrics(options.clock);
  const warn = (text: string): void => options.reportWarning?.(text);
  const custom = customResources({
    ruleMetrics,
    storageOf,
    cluster,
    warn,
    ...defined({ webhooks }),
  });
  const builtIn = builtInResources(storageOf, {
    guards: (own) => ({
      ...rbacGuards({ authorizer, policies }),
      ...paramGuards({ authorizer, cluster, resourceOfKind: resourceOfKind(own, custom) }),
    }),
    strategies: apiextensionsStrategies,
  });
  return { builtIn, custom, ofKind: resourceOfKind(builtIn, custom), collectors: [ruleMetrics] };
}
