import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { count, items, text, texts } from '#lib/machinery/unstructured.ts';
import { parseClientConfig, type ClientConfig } from '#lib/webhook/client-config.ts';
import { MatchConditions } from '#lib/admission-cel/match-conditions.ts';
import { webhookCriteria, type Criteria } from '../matching/criteria.ts';

/** One webhook of a configuration, made ready once for as long as the configuration stays as it is. */
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

const known = new WeakMap<JsonObject, readonly Hook[]>();

/** The webhooks of a stored configuration, in order. */
export function hooksOf(configuration: JsonObject): readonly Hook[] {
  const made = known.get(configuration) ?? items(configuration, 'webhooks').map((hook) => parse(configuration, hook));
  known.set(configuration, made);
  return made;
}

const DRY = new Set(['None', 'NoneOnDryRun']);

function parse(configuration: JsonObject, hook: JsonObject): Hook {
  return {
    configuration: nameOf(configuration),
    name: text(hook, 'name'),
    client: parseClientConfig(objectAt(hook, 'clientConfig')),
    criteria: webhookCriteria(hook),
    conditions: new MatchConditions(hook, { params: false, authorizer: true }),
    ignoresFailure: text(hook, 'failurePolicy') === 'Ignore',
    timeoutSeconds: Number(count(hook, 'timeoutSeconds')) || 10,
    allowsDryRun: DRY.has(text(hook, 'sideEffects')),
    reviewVersions: texts(hook, 'admissionReviewVersions'),
    reinvocable: text(hook, 'reinvocationPolicy') === 'IfNeeded',
  };
}
