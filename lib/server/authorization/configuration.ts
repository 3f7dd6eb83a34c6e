import { parseDuration } from '#lib/machinery/duration.ts';
import { invalid as invalidDocument } from '#lib/machinery/errors.ts';
import { isObject, type JsonObject, objectAt, ownField, stringAt } from '#lib/machinery/json-value.ts';
import { items, text } from '#lib/machinery/unstructured.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  invalid,
  notSupported,
  required,
  tooMany,
} from '#lib/machinery/validation/field.ts';
import { isDNS1123Subdomain } from '#lib/machinery/validation/names.ts';
import type { AuthorizationWebhook } from './webhook/authorizer.ts';
import { compileError } from './webhook/match-conditions.ts';

/** A webhook in a configuration document. Its connection is configured in another file. */
export interface WebhookDocument extends Omit<AuthorizationWebhook, 'config'> {
  readonly kubeConfigFile: string;
}

/** One authorizer in a configuration document. */
export type AuthorizerDocument =
  | { readonly type: (typeof PLAIN)[number] }
  | { readonly type: 'Webhook'; readonly name: string; readonly webhook: WebhookDocument };

/** The authorizer types without further configuration. */
export const PLAIN = ['ABAC', 'AlwaysAllow', 'AlwaysDeny', 'Node', 'RBAC'] as const;
const TYPES = [...PLAIN, 'Webhook'].sort();
const KIND = { group: 'apiserver.config.k8s.io', kind: 'AuthorizationConfiguration' };
const VERSIONS = ['v1', 'v1beta1'].map((version) => `${KIND.group}/${version}`);
const MAX_CONDITIONS = 64;

/** The known fields of each part of a document. */
const FIELDS = {
  document: ['apiVersion', 'kind', 'authorizers'],
  authorizer: ['type', 'name', 'webhook'],
  webhook: [
    'authorizedTTL',
    'cacheAuthorizedRequests',
    'unauthorizedTTL',
    'cacheUnauthorizedRequests',
    'timeout',
    'subjectAccessReviewVersion',
    'matchConditionSubjectAccessReviewVersion',
    'failurePolicy',
    'connectionInfo',
    'matchConditions',
  ],
  connection: ['type', 'kubeConfigFile'],
  condition: ['expression'],
};

/** The authorizers in upstream's AuthorizationConfiguration, in order. Throws 422 with all errors. */
export function authorizersOf(document: JsonObject): AuthorizerDocument[] {
  const authorizers = items(document, 'authorizers');
  const path = FieldPath.of('authorizers');
  const errors = [
    ...kindErrors(document),
    ...unknown(document, FIELDS.document, undefined),
    ...(authorizers.length === 0 ? [required(path, 'at least one authorization mode must be defined')] : []),
    ...repeatErrors(authorizers, path),
    ...authorizers.flatMap((one, i) => authorizerErrors(one, path.index(i))),
  ];
  if (errors.length > 0) throw invalidDocument(KIND, '', errors);
  return authorizers.map(documentOf);
}

function kindErrors(document: JsonObject): FieldError[] {
  const [version, kind] = [text(document, 'apiVersion'), text(document, 'kind')];
  return [
    ...(VERSIONS.includes(version) ? [] : [notSupported(FieldPath.of('apiVersion'), version, VERSIONS)]),
    ...(kind === KIND.kind ? [] : [notSupported(FieldPath.of('kind'), kind, [KIND.kind])]),
  ];
}

function unknown(object: JsonObject | undefined, known: readonly string[], path: FieldPath | undefined): FieldError[] {
  return Object.keys(object ?? {})
    .filter((field) => !known.includes(field))
    .map((field) => invalid(path?.child(field) ?? FieldPath.of(field), field, 'unknown field'));
}

/** Only webhooks may occur more than once, with unique names. */
function repeatErrors(authorizers: readonly JsonObject[], path: FieldPath): FieldError[] {
  const seen = (field: string, i: number): boolean =>
    authorizers.slice(0, i).some((other) => text(other, field) === text(authorizers[i], field));
  return authorizers.flatMap((one, i) => [
    ...(text(one, 'type') !== 'Webhook' && seen('type', i)
      ? [duplicate(path.index(i).child('type'), text(one, 'type'))]
      : []),
    ...(text(one, 'name') !== '' && seen('name', i) ? [duplicate(path.index(i).child('name'), text(one, 'name'))] : []),
  ]);
}

function authorizerErrors(authorizer: JsonObject, path: FieldPath): FieldError[] {
  const [type, name] = [text(authorizer, 'type'), text(authorizer, 'name')];
  if (type === '') return [required(path.child('type'))];
  if (!TYPES.includes(type)) return [notSupported(path.child('type'), type, TYPES)];
  const webhook = objectAt(authorizer, 'webhook');
  const faults = isDNS1123Subdomain(name);
  return [
    ...unknown(authorizer, FIELDS.authorizer, path),
    ...(name === '' ? [required(path.child('name'))] : []),
    ...(name === '' || faults.length === 0
      ? []
      : [invalid(path.child('name'), name, `authorizer name is invalid: ${faults.join(', ')}`)]),
    ...(type === 'Webhook' && webhook === undefined
      ? [required(path.child('webhook'), 'required when type=Webhook')]
      : []),
    ...(type !== 'Webhook' && webhook !== undefined
      ? [invalid(path.child('webhook'), 'non-null', 'may only be specified when type=Webhook')]
      : []),
    ...(type === 'Webhook' && webhook !== undefined ? webhookErrors(webhook, path) : []),
  ];
}

/** In upstream's errors, a webhook's fields look like fields of the authorizer. */
function webhookErrors(webhook: JsonObject, path: FieldPath): FieldError[] {
  const choice = (field: string, among: readonly string[]): FieldError[] => {
    const value = text(webhook, field);
    if (value === '') return [required(path.child(field))];
    return among.includes(value) ? [] : [notSupported(path.child(field), value, among)];
  };
  const conditions = items(webhook, 'matchConditions');
  return [
    ...unknown(webhook, FIELDS.webhook, path.child('webhook')),
    ...durationErrors(webhook, 'timeout', path, 30_000),
    ...durationErrors(webhook, 'authorizedTTL', path),
    ...durationErrors(webhook, 'unauthorizedTTL', path),
    ...choice('subjectAccessReviewVersion', ['v1']),
    ...(conditions.length > 0 ? choice('matchConditionSubjectAccessReviewVersion', ['v1']) : []),
    ...choice('failurePolicy', ['NoOpinion', 'Deny']),
    ...connectionErrors(objectAt(webhook, 'connectionInfo'), path.child('connectionInfo')),
    ...conditionErrors(conditions, path.child('matchConditions')),
  ];
}

function durationErrors(webhook: JsonObject, field: string, path: FieldPath, most?: number): FieldError[] {
  const shown = text(webhook, field);
  if (shown === '') return [required(path.child(field))];
  const value = millisecondsOf(webhook, field);
  if (value === 0) return [required(path.child(field))];
  if (value > 0 && value <= (most ?? value)) return [];
  return [invalid(path.child(field), shown, most === undefined ? 'must be > 0s' : 'must be > 0s and <= 30s')];
}

/** The duration at `field` in ms. NaN if invalid. */
function millisecondsOf(webhook: JsonObject, field: string): number {
  try {
    return Number(parseDuration(text(webhook, field)) / 1_000_000n);
  } catch {
    return Number.NaN;
  }
}

function connectionErrors(connection: JsonObject | undefined, path: FieldPath): FieldError[] {
  const [type, file] = [text(connection, 'type'), text(connection, 'kubeConfigFile')];
  const where = path.child('kubeConfigFile');
  const errors = unknown(connection, FIELDS.connection, path);
  if (type === '') return [...errors, required(path.child('type'))];
  if (type !== 'KubeConfigFile') return [...errors, notSupported(path.child('type'), type, ['KubeConfigFile'])];
  if (file === '') return [...errors, required(where)];
  return file.startsWith('/') ? errors : [...errors, invalid(where, file, 'must be an absolute path')];
}

function conditionErrors(conditions: readonly JsonObject[], path: FieldPath): FieldError[] {
  if (conditions.length > MAX_CONDITIONS) return [tooMany(path, conditions.length, MAX_CONDITIONS)];
  return conditions.flatMap((condition, i) => {
    const expression = text(condition, 'expression');
    const where = path.index(i).child('expression');
    const errors = unknown(condition, FIELDS.condition, path.index(i));
    if (expression.trim() === '') return [...errors, required(where)];
    if (conditions.slice(0, i).some((other) => text(other, 'expression') === expression))
      return [...errors, duplicate(where, expression)];
    const fault = compileError(expression);
    return fault === undefined ? errors : [...errors, invalid(where, expression, fault)];
  });
}

function documentOf(authorizer: JsonObject): AuthorizerDocument {
  const plain = PLAIN.find((type) => type === text(authorizer, 'type'));
  if (plain !== undefined) return { type: plain };
  const webhook = objectAt(authorizer, 'webhook') ?? {};
  const kept = (field: string, ttl: string): number =>
    ownField(webhook, field) === false ? 0 : millisecondsOf(webhook, ttl);
  return {
    type: 'Webhook',
    name: text(authorizer, 'name'),
    webhook: {
      timeoutSeconds: Math.max(1, Math.ceil(millisecondsOf(webhook, 'timeout') / 1000)),
      authorizedTtl: kept('cacheAuthorizedRequests', 'authorizedTTL'),
      unauthorizedTtl: kept('cacheUnauthorizedRequests', 'unauthorizedTTL'),
      failurePolicy: stringAt(webhook, 'failurePolicy') === 'Deny' ? 'Deny' : 'NoOpinion',
      matchConditions: items(webhook, 'matchConditions')
        .filter(isObject)
        .map((one) => text(one, 'expression')),
      kubeConfigFile: text(objectAt(webhook, 'connectionInfo'), 'kubeConfigFile'),
    },
  };
}
