import {
  type FieldError,
  type FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { validateWebhookService, validateWebhookUrl } from '#lib/server/webhook/validation.ts';
import type { Conversion } from '../definition.ts';
import { isCABundle } from './ca-bundle.ts';
import { invalidLabel } from './names.ts';
import type { ValidationOptions } from './options.ts';
import { hasAcceptedReviewVersion, REVIEW_VERSIONS } from './review-versions.ts';

const STRATEGIES = ['None', 'Webhook'];
/** Validates `spec.conversion`: its strategy and its webhook. */
export function validateConversion(conversion: Conversion, path: FieldPath, options: ValidationOptions): FieldError[] {
  const { strategy } = conversion;
  const errors = enumErrors(strategy, STRATEGIES, path.child('strategy'));
  const more = strategy === 'Webhook' ? webhookErrors(conversion, path, options) : noWebhookErrors(conversion, path);
  return [...errors, ...more];
}

/** Validates a required string with a fixed set of values. */
export function enumErrors(value: string, accepted: readonly string[], path: FieldPath): FieldError[] {
  if (value === '') return [required(path)];
  return accepted.includes(value) ? [] : [notSupported(path, value, accepted)];
}

function noWebhookErrors({ clientConfig, reviewVersions }: Conversion, path: FieldPath): FieldError[] {
  const text = 'should not be set when strategy is not set to Webhook';
  return [
    ...(clientConfig === undefined ? [] : [forbidden(path.child('webhookClientConfig'), text)]),
    ...(reviewVersions.length === 0 ? [] : [forbidden(path.child('conversionReviewVersions'), text)]),
  ];
}

function webhookErrors(conversion: Conversion, path: FieldPath, options: ValidationOptions): FieldError[] {
  return [
    ...clientErrors(conversion, path.child('webhookClientConfig'), options),
    ...reviewVersionErrors(conversion.reviewVersions, path.child('conversionReviewVersions'), options),
  ];
}

function clientErrors({ clientConfig }: Conversion, path: FieldPath, options: ValidationOptions): FieldError[] {
  if (clientConfig === undefined) return [required(path, 'required when strategy is set to Webhook')];
  const { url, service, caBundle } = clientConfig;
  const errors: FieldError[] = [];
  if ((url === undefined) === (service === undefined)) {
    errors.push(required(path, 'exactly one of url or service is required'));
  } else if (url !== undefined) errors.push(...validateWebhookUrl(url, path.child('url')));
  else if (service !== undefined) errors.push(...validateWebhookService(service, path.child('service')));
  if (caBundle === '' || options.allowInvalidCABundle || isCABundle(caBundle)) return errors;
  const text = 'unable to load root certificates: unable to parse bytes as PEM block';
  return [...errors, invalid(path.child('caBundle'), caBundle, text)];
}

function reviewVersionErrors(versions: readonly string[], path: FieldPath, options: ValidationOptions): FieldError[] {
  if (versions.length === 0) return [required(path)];
  const seen = new Set<string>();
  const errors = versions.flatMap((version, i) =>
    seen.size === seen.add(version).size
      ? [invalid(path.index(i), version, 'duplicate version')]
      : invalidLabel(version, path.index(i)),
  );
  if (!options.requireRecognizedConversionReviewVersion || hasAcceptedReviewVersion(versions)) return errors;
  return [...errors, invalid(path, versions, `must include at least one of ${REVIEW_VERSIONS.join(', ')}`)];
}
