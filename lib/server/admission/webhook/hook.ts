import { MatchConditions } from '#lib/api/admission-cel/match-conditions.ts';
import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
} from '#lib/api/types/admissionregistration.v1.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { type ClientConfig, parseClientConfig } from '#lib/server/webhook/client-config.ts';
import { type Criteria, webhookCriteria } from '../matching/criteria.ts';

/** One webhook of a configuration, parsed once until the configuration changes. */
export interface Hook {
  readonly configuration: string;
  readonly name: string;
  readonly client: ClientConfig;
  readonly criteria: Criteria;
  readonly conditions: MatchConditions;
  readonly ignoresFailure: boolean;
  readonly timeoutSeconds: number;
  /** Whether a dry run may call it. */
  readonly allowsDryRun: boolean;
  readonly reviewVersions: readonly string[];
  readonly reinvocable: boolean;
}

type Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;

const known = new WeakMap<Configuration, readonly Hook[]>();

/** The webhooks of a stored configuration, in order. */
export function hooksOf(configuration: Configuration): readonly Hook[] {
  const made = known.get(configuration) ?? (configuration.webhooks ?? []).map((hook) => parse(configuration, hook));
  known.set(configuration, made);
  return made;
}

const DRY = new Set(['None', 'NoneOnDryRun']);

function parse(configuration: Configuration, hook: ValidatingWebhook | MutatingWebhook): Hook {
  return {
    configuration: nameOf(configuration),
    name: hook.name,
    client: parseClientConfig(hook.clientConfig),
    criteria: webhookCriteria(hook),
    conditions: new MatchConditions(hook.matchConditions, { params: false, authorizer: true }),
    ignoresFailure: hook.failurePolicy === 'Ignore',
    timeoutSeconds: hook.timeoutSeconds || 10,
    allowsDryRun: DRY.has(hook.sideEffects ?? ''),
    reviewVersions: hook.admissionReviewVersions ?? [],
    reinvocable: 'reinvocationPolicy' in hook && hook.reinvocationPolicy === 'IfNeeded',
  };
}
