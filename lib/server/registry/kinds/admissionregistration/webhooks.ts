import type {
  MutatingWebhook,
  MutatingWebhookConfiguration,
  ValidatingWebhook,
  ValidatingWebhookConfiguration,
  WebhookClientConfig,
} from '#lib/api/types/admissionregistration.v1.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { isFullyQualifiedName } from '#lib/machinery/validation/formats.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { isDNS1035Label } from '#lib/machinery/validation/names.ts';
import { validateWebhookService, validateWebhookUrl } from '#lib/server/webhook/validation.ts';
import type { KindStrategy } from '../../strategy.ts';
import { repeatedAt } from '../shared/repeats.ts';
import { semanticEqual } from '../shared/semantic.ts';
import { checked, each, optionalOneOf } from '../shared/validate.ts';
import { validateMatchConditions } from './match-conditions.ts';
import { defaultRule, validateRule } from './rules.ts';
import { staticNameWarnings } from './static-name.ts';

type Configuration = ValidatingWebhookConfiguration | MutatingWebhookConfiguration;
type Hook = ValidatingWebhook | MutatingWebhook;

const WEBHOOKS = FieldPath.of('webhooks');
const SELECTORS = ['namespaceSelector', 'objectSelector'] as const;
const REVIEWS = ['v1', 'v1beta1'];
const ANY_EFFECTS = ['None', 'NoneOnDryRun', 'Some', 'Unknown'];
const NO_EFFECTS = ['None', 'NoneOnDryRun'];

/** The errors that an update may keep because the stored configuration already has them. */
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

const hooksOf = (configuration: Configuration): readonly Hook[] => configuration.webhooks ?? [];
const hasUnknownReviews = (hook: Hook): boolean => {
  const versions = hook.admissionReviewVersions ?? [];
  return versions.length > 0 && !versions.some((version) => REVIEWS.includes(version));
};

function optionsFor(configuration: Configuration, old: Configuration): Options {
  const [hooks, before] = [hooksOf(configuration), hooksOf(old)];
  const names = before.map((hook) => hook.name);
  const wrongSelector = (hook: Hook): boolean =>
    SELECTORS.some((field) => validateLabelSelector(hook[field], WEBHOOKS).length > 0);
  return {
    sideEffects: before.every((hook) => NO_EFFECTS.includes(hook.sideEffects ?? '')) ? NO_EFFECTS : ANY_EFFECTS,
    unknownReviews: before.some(hasUnknownReviews),
    sameNames: new Set(names).size < names.length,
    allowInvalidValues: before.some(wrongSelector),
    skipConditions:
      hooks.length === before.length &&
      hooks.every((hook, i) => semanticEqual(hook.matchConditions, before[i]?.matchConditions)),
  };
}

function validate(configuration: Configuration, options: Options): FieldError[] {
  const seen = new Set<string>();
  return each(hooksOf(configuration), WEBHOOKS, (hook, path) => {
    const name = hook.name;
    const again = name !== '' && seen.has(name) && !options.sameNames;
    seen.add(name);
    return [
      ...hookErrors(hook, path, options),
      ...reviewVersions(hook, path.child('admissionReviewVersions'), options),
      ...(again ? [duplicate(path.child('name'), name)] : []),
    ];
  });
}

function hookErrors(hook: Hook, path: FieldPath, options: Options): FieldError[] {
  const seconds = hook.timeoutSeconds;
  const wrongTime = seconds !== undefined && (seconds > 30 || seconds < 1);
  const selectors = SELECTORS.flatMap((field) => validateLabelSelector(hook[field], path.child(field), options));
  return [
    ...isFullyQualifiedName(path.child('name'), hook.name),
    ...each(hook.rules ?? [], path.child('rules'), validateRule),
    ...optionalOneOf<Hook>(hook, 'failurePolicy', path, ['Fail', 'Ignore']),
    ...optionalOneOf<Hook>(hook, 'matchPolicy', path, ['Equivalent', 'Exact']),
    ...sideEffects(hook, path.child('sideEffects'), options.sideEffects),
    ...(wrongTime
      ? [invalid(path.child('timeoutSeconds'), seconds, 'the timeout value must be between 1 and 30 seconds')]
      : []),
    ...selectors,
    ...('reinvocationPolicy' in hook ? optionalOneOf(hook, 'reinvocationPolicy', path, ['IfNeeded', 'Never']) : []),
    ...clientErrors(hook.clientConfig, path.child('clientConfig')),
    ...(options.skipConditions
      ? []
      : validateMatchConditions(hook.matchConditions ?? [], path.child('matchConditions'))),
  ];
}

function sideEffects(hook: Hook, path: FieldPath, allowed: readonly string[]): FieldError[] {
  if (hook.sideEffects === null) return [required(path, `must specify one of ${allowed.join(', ')}`)];
  const effects = hook.sideEffects;
  return allowed.includes(effects) ? [] : [notSupported(path, effects, allowed)];
}

function clientErrors(config: WebhookClientConfig, path: FieldPath): FieldError[] {
  const service = config.service;
  if ((config.url !== undefined) === (service !== undefined)) {
    return [required(path, 'exactly one of url or service is required')];
  }
  return service === undefined
    ? validateWebhookUrl(config.url ?? '', path.child('url'))
    : validateWebhookService(service, path.child('service'));
}

function reviewVersions(hook: Hook, path: FieldPath, options: Options): FieldError[] {
  const versions = hook.admissionReviewVersions ?? [];
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

function defaultHook(hook: Hook): void {
  hook.failurePolicy ??= 'Fail';
  hook.matchPolicy ??= 'Equivalent';
  hook.namespaceSelector ??= {};
  hook.objectSelector ??= {};
  hook.timeoutSeconds ??= 10;
  const service = hook.clientConfig.service;
  if (service !== undefined) service.port ??= 443;
  for (const rule of hook.rules ?? []) defaultRule(rule);
}

const common: KindStrategy<Configuration> = {
  allowUnconditionalUpdate: false,
  hasGeneration: true,
  exactGeneration: true,
  validate: (configuration) => validate(configuration, STRICT),
  validateUpdate: (configuration, old) => validate(configuration, optionsFor(configuration, old)),
  warnings: staticNameWarnings,
};

/** Upstream's pkg/registry/admissionregistration/validatingwebhookconfiguration. */
export const validatingWebhookConfigurationStrategy: KindStrategy<ValidatingWebhookConfiguration> = {
  ...common,
  default({ webhooks = [] }) {
    for (const hook of webhooks) defaultHook(hook);
  },
};

/** Upstream's pkg/registry/admissionregistration/mutatingwebhookconfiguration. */
export const mutatingWebhookConfigurationStrategy: KindStrategy<MutatingWebhookConfiguration> = {
  ...common,
  default({ webhooks = [] }) {
    for (const hook of webhooks) {
      defaultHook(hook);
      hook.reinvocationPolicy ??= 'Never';
    }
  },
};
