import { objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, integer, text } from '#lib/machinery/unstructured.ts';
import { invalid, notSupported, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { requiredText } from '../../../shared/validate.ts';
import { isKubernetesSignerName, validateSignerName } from '../../../shared/signer-name.ts';
import { localNonReservedPath } from './paths.ts';
import type { Projection } from './projection.ts';

export function validateClusterTrustBundle(source: JsonObject, path: FieldPath, projection: Projection): FieldError[] {
  const target = text(source, 'path');
  return [
    ...bundleNames(source, path),
    ...requiredText(source, 'path', path),
    ...localNonReservedPath(target, path.child('path')),
    ...projection.claim(target),
  ];
}

function bundleNames(source: JsonObject, path: FieldPath): FieldError[] {
  if (has(source, 'name') && has(source, 'signerName')) {
    return [invalid(path, source, 'only one of name and signerName may be used')];
  }
  if (has(source, 'name')) return byName(source, path);
  if (has(source, 'signerName')) return bySigner(source, path);
  return [required(path, 'either name or signerName must be specified')];
}

function byName(source: JsonObject, path: FieldPath): FieldError[] {
  const name = text(source, 'name');
  const where = path.child('name');
  const errors = name === '' ? [required(where, 'must be a valid object name')] : [];
  for (const message of bundleName(name)) {
    errors.push(invalid(where, name, `not a valid clustertrustbundlename: ${message}`));
  }
  const selector = ownField(source, 'labelSelector');
  if (selector === undefined) return errors;
  const message = 'labelSelector must be unset if name is specified';
  return [...errors, invalid(path.child('labelSelector'), selector, message)];
}

/** Up to its last colon a bundle's name is its signer's. */
function bundleName(name: string): string[] {
  return nameIsDNSSubdomain(name.slice(name.lastIndexOf(':') + 1), false);
}

function bySigner(source: JsonObject, path: FieldPath): FieldError[] {
  const signer = text(source, 'signerName');
  const where = path.child('signerName');
  return [
    ...(signer === '' ? [required(where, 'must be a valid signer name')] : []),
    ...validateSignerName(signer, where),
    ...validateLabelSelector(objectAt(source, 'labelSelector'), path.child('labelSelector')),
  ];
}

const KEY_TYPES = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const DAY = 24 * 60 * 60;

export function validatePodCertificate(source: JsonObject, path: FieldPath, projection: Projection): FieldError[] {
  const keyType = text(source, 'keyType');
  return [
    ...validateSignerName(text(source, 'signerName'), path.child('signerName')),
    ...(KEY_TYPES.includes(keyType) ? [] : [notSupported(path.child('keyType'), keyType, KEY_TYPES)]),
    ...expiration(source, path.child('maxExpirationSeconds')),
    ...certificatePaths(source, path, projection),
  ];
}

function expiration(source: JsonObject, path: FieldPath): FieldError[] {
  const seconds = integer(source, 'maxExpirationSeconds');
  if (seconds === undefined) return [];
  const limit = isKubernetesSignerName(text(source, 'signerName')) ? DAY : 91 * DAY;
  if (seconds < 3600) return [invalid(path, seconds, 'if provided, maxExpirationSeconds must be >= 3600')];
  return seconds > limit ? [invalid(path, seconds, `if provided, maxExpirationSeconds must be <= ${limit}`)] : [];
}

const CERTIFICATE_PATHS = ['credentialBundlePath', 'keyPath', 'certificateChainPath'];

function certificatePaths(source: JsonObject, path: FieldPath, { claim }: Projection): FieldError[] {
  const set = CERTIFICATE_PATHS.filter((field) => text(source, field) !== '');
  if (set.length === 0) {
    return [required(path, `specify at least one of credentialBundlePath, keyPath, and certificateChainPath`)];
  }
  return set.flatMap((field) => {
    const target = text(source, field);
    return [...localNonReservedPath(target, path.child(field)), ...claim(target)];
  });
}
