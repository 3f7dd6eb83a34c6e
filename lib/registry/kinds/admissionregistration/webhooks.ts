import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { count, has, items, text, texts } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  duplicate,
  invalid,
  notSupported,
  required,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { isFullyQualifiedName } from '#lib/machinery/validation/formats.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { isDNS1035Label } from '#lib/machinery/validation/names.ts';
import { validateWebhookService, validateWebhookUrl } from '#lib/webhook/validation.ts';
import type { KindStrategy } from '../../strategy.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { checked, each, optionalOneOf } from '../shared/validate.ts';
import { validateMatchConditions } from './match-conditions.ts';
import { defaultRule, validateRule } from './rules.ts';
import { staticNameWarnings } from './static-name.ts';
import { repeatedAt } from '../shared/repeats.ts';

const WEBHOOKS = FieldPath.of('webhooks');
const SELECTORS = ['namespaceSelector', 'objectSelector'];
const REVIEWS = ['v1', 'v1beta1'];
const ANY_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const NO_EFFECTS = ['None', 'NoneOnDryRun'];

/** What an update may keep that a new configuration may not have. */
interface Options {
  readonly sideEffects: readonly string[];
  readonly unknownReviews: boolean;
  readonly sameNames: boolean;
  readonly allowInvalidValues: boolean;
  readonly skipConditions: boolean;
}
const STRICT: Options = {
  sideEffects: NO_EFFECTS,
  unknownReviews: false,
  sameNames: false,
  allowInvalidValues: false,
  skipConditions: false,
};

const hooksOf = (configuration: JsonObject): JsonObject[] => items(configuration, 'webhooks');
const hasUnknownReviews = (hook: JsonObject): boolean => {
  const versions = texts(hook, 'admissionReviewVersions');
  return versions.length > 0 && !versions.some((version) => REVIEWS.includes(version));
};

function optionsFor(configuration: JsonObject, old: JsonObject): Options {
  const [hooks, before] = [hooksOf(configuration), hooksOf(old)];
  const names = before.map((hook) => text(hook, 'name'));
  const wrongSelector = (hook: JsonObject): boolean =>
    SELECTORS.some((field) => validateLabelSelector(objectAt(hook, field), WEBHOOKS).length > 0);
  return {
    sideEffects: before.every((hook) => NO_EFFECTS.includes(text(hook, 'sideEffects'))) ? NO_EFFECTS : ANY_EFFECTS,
    unknownReviews: before.some(hasUnknownReviews),
    sameNames: new Set(names).size < names.length,
    allowInvalidValues: before.some(wrongSelector),
    skipConditions:
      hooks.length === before.length &&
      hooks.every((hook, i) => semanticEqual(hook['matchConditions'], before[i]?.['matchConditions'])),
  };
}

function validate(configuration: JsonObject, options: Options): FieldError[] {
  const seen = new Set<string>();
  return each(hooksOf(configuration), WEBHOOKS, (hook, path) => {
    const name = text(hook, 'name');
    const again = name !== '' && seen.has(name) && !options.sameNames;
    seen.add(name);
    return [
      ...hookErrors(hook, path, options),
      ...reviewVersions(hook, path.child('admissionReviewVersions'), options),
      ...(again ? [duplicate(path.child('name'), name)] : []),
    ];
  });
}

function hookErrors(hook: JsonObject, path: FieldPath, options: Options): FieldError[] {
  const seconds = count(hook, 'timeoutSeconds');
  const wrongTime = has(hook, 'timeoutSeconds') && (seconds > 30 || seconds < 1);
  const selectors = SELECTORS.flatMap((field) =>
    validateLabelSelector(objectAt(hook, field), path.child(field), options),
  );
  return [
    ...isFullyQualifiedName(path.child('name'), text(hook, 'name')),
    ...each(items(hook, 'rules'), path.child('rules'), validateRule),
    ...optionalOneOf(hook, 'failurePolicy', path, ['Fail', 'Ignore']),
    ...optionalOneOf(hook, 'matchPolicy', path, ['Equivalent', 'Exact']),
    ...sideEffects(hook, path.child('sideEffects'), options.sideEffects),
    ...(wrongTime
      ? [invalid(path.child('timeoutSeconds'), seconds, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...selectors,
    ...optionalOneOf(hook, 'reinvocationPolicy', path, ['IfNeeded', 'Never']),
    ...clientErrors(objectAt(hook, 'clientConfig'), path.child('clientConfig')),
    ...(options.skipConditions
      ? []
      : validateMatchConditions(items(hook, 'matchConditions'), path.child('matchConditions'))),
  ];
}

function sideEffects(hook: JsonObject, path: FieldPath, allowed: readonly string[]): FieldError[] {
  if (!has(hook, 'sideEffects')) return [required(path, `must specify one of ${allowed.join(', ')}`)];
  const effects = text(hook, 'sideEffects');
  return allowed.includes(effects) ? [] : [notSupported(path, effects, allowed)];
}

function clientErrors(config: JsonObject | undefined, path: FieldPath): FieldError[] {
  const service = objectAt(config, 'service');
  if (has(config, 'url') === (service !== undefined)) {
    return [required(path, 'exactly one of url or service is required')];
  }
  return service === undefined
    ? validateWebhookUrl(text(config, 'url'), path.child('url'))
    : validateWebhookService(service, path.child('service'));
}

function reviewVersions(hook: JsonObject, path: FieldPath, options: Options): FieldError[] {
  const versions = texts(hook, 'admissionReviewVersions');
  if (versions.length === 0) return [required(path, `must specify one of ${REVIEWS.join(', ')}`)];
  const again = new Set(repeatedAt(versions));
  const errors = versions.flatMap((version, i) =>
    again.has(i)
      ? [invalid(path.index(i), version, 'duplicate version')]
      : checked(version, path.index(i), isDNS1035Label),
  );
  if (options.unknownReviews || !hasUnknownReviews(hook)) return errors;
  return [...errors, invalid(path, versions, `must include at least one of ${REVIEWS.join(', ')}`)];
}

function defaultHook(hook: JsonObject, mutating: boolean): void {
  hook['failurePolicy'] ??= 'Fail';
  hook['matchPolicy'] ??= 'Equivalent';
  hook['namespaceSelector'] ??= {};
  hook['objectSelector'] ??= {};
  hook['timeoutSeconds'] ??= 10;
  if (mutating) hook['reinvocationPolicy'] ??= 'Never';
  const service = objectAt(objectAt(hook, 'clientConfig'), 'service');
  if (service !== undefined) service['port'] ??= 443;
  for (const rule of items(hook, 'rules')) defaultRule(rule);
}

function webhookStrategy(mutating: boolean): KindStrategy {
  return {
    allowUnconditionalUpdate: false,
    hasGeneration: true,
    exactGeneration: true,
    default: (configuration) => {
      for (const hook of hooksOf(configuration)) defaultHook(hook, mutating);
    },
    validate: (configuration) => validate(configuration, STRICT),
    validateUpdate: (configuration, old) => validate(configuration, optionsFor(configuration, old)),
    warnings: staticNameWarnings,
  };
}

/** Upstream's pkg/registry/admissionregistration/validatingwebhookconfiguration. */
export const validatingWebhookConfigurationStrategy = webhookStrategy(false);
/** Upstream's pkg/registry/admissionregistration/mutatingwebhookconfiguration. */
export const mutatingWebhookConfigurationStrategy = webhookStrategy(true);
