import { parseReference } from '#lib/api/cel/library/url.ts';
import { durationText } from '#lib/machinery/duration.ts';
import { Fault } from '#lib/machinery/fault.ts';
import {
  aggregate,
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  notSupported,
  required,
} from '#lib/machinery/validation/field.ts';
import { isQualifiedName } from '#lib/machinery/validation/names.ts';
import { type CredentialProvider, CredentialProviderConfigError, type TokenAttributes } from './config.ts';

/** The version for plugins that get service account tokens. */
const V1 = 'credentialprovider.kubelet.k8s.io/v1';
/** The versions that a plugin may use. All have the same fields for requests without tokens and for responses. */
const API_VERSIONS = [V1, `${V1}alpha1`, `${V1}beta1`];
const CACHE_TYPES = ['ServiceAccount', 'Token'];

/** Throws CredentialProviderConfigError with all errors in the plugins of a configuration, with upstream's message. */
export function checkProviders(providers: readonly CredentialProvider[]): void {
  const errors = validateProviders(providers);
  if (errors.length > 0)
    throw new CredentialProviderConfigError(`failed to validate credential provider config: ${aggregate(errors)}`);
}

function validateProviders(providers: readonly CredentialProvider[]): readonly FieldError[] {
  const path = FieldPath.of('providers');
  if (providers.length === 0) return [required(path, 'at least 1 item in plugins is required')];
  return providers.flatMap((provider, i) => [
    ...nameErrors(provider.name, path.child('name')),
    ...(providers.findIndex(({ name }) => name === provider.name) === i
      ? []
      : [duplicate(path.child('name'), provider.name)]),
    ...versionErrors(provider.apiVersion, path.child('apiVersion')),
    ...imageErrors(provider.matchImages, path.child('matchImages')),
    ...durationErrors(provider.defaultCacheDuration, path.child('defaultCacheDuration')),
    ...(provider.tokenAttributes == null
      ? []
      : tokenErrors(provider.tokenAttributes, provider.apiVersion, path.child('tokenAttributes'))),
  ]);
}

const nameErrors = (name: string, path: FieldPath): FieldError[] =>
  (
    [
      [name.includes('/'), "provider name cannot contain '/'"],
      [name.includes(' '), 'provider name cannot contain spaces'],
      [name === '.', "provider name cannot be '.'"],
      [name === '..', "provider name cannot be '..'"],
    ] as const
  ).flatMap(([isWrong, why]) => (isWrong ? [invalid(path, name, why)] : []));

function versionErrors(version: string, path: FieldPath): FieldError[] {
  if (version === '') return [required(path)];
  return API_VERSIONS.includes(version) ? [] : [notSupported(path, version, API_VERSIONS)];
}

function imageErrors(images: readonly string[], path: FieldPath): FieldError[] {
  if (images.length === 0) return [required(path, 'at least 1 item in matchImages is required')];
  return images.flatMap((image) => {
    const url = parseReference(`https://${image}`);
    return url instanceof Fault ? [invalid(path, image, `match image is invalid: ${url.message}`)] : [];
  });
}

function durationErrors(duration: bigint | null | undefined, path: FieldPath): FieldError[] {
  if (duration == null) return [required(path)];
  return duration < 0n ? [invalid(path, durationText(duration), 'must be greater than or equal to 0')] : [];
}

function tokenErrors(attributes: TokenAttributes, apiVersion: string, path: FieldPath): FieldError[] {
  const { requireServiceAccount: isRequired, serviceAccountTokenAudience: audience } = attributes;
  const {
    requiredServiceAccountAnnotationKeys: requiredKeys,
    optionalServiceAccountAnnotationKeys: optionalKeys,
    cacheType,
  } = attributes;
  const both = [...new Set(requiredKeys)].filter((key) => optionalKeys.includes(key)).sort();
  const kinds = `Supported values are: ${CACHE_TYPES.join(', ')}`;
  return [
    audience === '' && required(path.child('serviceAccountTokenAudience')),
    isRequired == null && required(path.child('requireServiceAccount')),
    apiVersion !== V1 && forbidden(path, `tokenAttributes is only supported for ${V1} API version`),
    isRequired === false &&
      requiredKeys.length > 0 &&
      forbidden(
        path.child('requiredServiceAccountAnnotationKeys'),
        'requireServiceAccount cannot be false when requiredServiceAccountAnnotationKeys is set',
      ),
    ...keyErrors(requiredKeys, path.child('requiredServiceAccountAnnotationKeys')),
    ...keyErrors(optionalKeys, path.child('optionalServiceAccountAnnotationKeys')),
    both.length > 0 && invalid(path, both, 'annotation keys cannot be both required and optional'),
    cacheType === '' &&
      required(path.child('cacheType'), `cacheType is required to be set when tokenAttributes is specified. ${kinds}`),
    cacheType !== '' &&
      !CACHE_TYPES.includes(cacheType) &&
      notSupported(path.child('cacheType'), cacheType, CACHE_TYPES),
  ].filter((error) => error !== false);
}

/** Checks that the keys are qualified names, case-insensitively. */
const keyErrors = (keys: readonly string[], path: FieldPath): FieldError[] =>
  keys.flatMap((key, i) => [
    ...isQualifiedName(key.toLowerCase()).map((why) => invalid(path, key, why)),
    ...(keys.indexOf(key) === i ? [] : [duplicate(path, key)]),
  ]);
