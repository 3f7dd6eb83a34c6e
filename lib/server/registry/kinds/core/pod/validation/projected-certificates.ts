import type { ClusterTrustBundleProjection, PodCertificateProjection } from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { validateLabelSelector } from '#lib/machinery/validation/labels.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { isKubernetesSignerName, validateSignerName } from '../../../shared/signer-name.ts';
import { requiredText } from '../../../shared/validate.ts';
import { localNonReservedPath } from './paths.ts';
import type { Projection } from './projection.ts';

/** Validates the file of a cluster trust bundle, which is selected by name or by signer. */
export function validateClusterTrustBundle(
  source: ClusterTrustBundleProjection,
  path: FieldPath,
  { claim }: Projection,
): FieldError[] {
  return [
    ...bundleNames(source, path),
    ...requiredText(source, 'path', path),
    ...localNonReservedPath(source.path, path.child('path')),
    ...claim(source.path),
  ];
}

function bundleNames(source: ClusterTrustBundleProjection, path: FieldPath): FieldError[] {
  if (source.name !== undefined && source.signerName !== undefined) {
    return [invalid(path, source, 'only one of name and signerName may be used')];
  }
  if (source.name !== undefined) return byName(source.name, source, path);
  if (source.signerName !== undefined) return bySigner(source.signerName, source, path);
  return [required(path, 'either name or signerName must be specified')];
}

function byName(
  name: string,
  { labelSelector: selector }: ClusterTrustBundleProjection,
  path: FieldPath,
): FieldError[] {
  const where = path.child('name');
  const errors = name === '' ? [required(where, 'must be a valid object name')] : [];
  for (const message of bundleName(name)) {
    errors.push(invalid(where, name, `not a valid clustertrustbundlename: ${message}`));
  }
  if (selector === undefined) return errors;
  const message = 'labelSelector must be unset if name is specified';
  return [...errors, invalid(path.child('labelSelector'), selector, message)];
}

/** The part of a bundle's name up to its last colon is the signer's name. */
function bundleName(name: string): string[] {
  return nameIsDNSSubdomain(name.slice(name.lastIndexOf(':') + 1), false);
}

function bySigner(signer: string, { labelSelector }: ClusterTrustBundleProjection, path: FieldPath): FieldError[] {
  const where = path.child('signerName');
  return [
    ...(signer === '' ? [required(where, 'must be a valid signer name')] : []),
    ...validateSignerName(signer, where),
    ...validateLabelSelector(labelSelector, path.child('labelSelector')),
  ];
}

const KEY_TYPES = ['RSA3072', 'RSA4096', 'ECDSAP256', 'ECDSAP384', 'ECDSAP521', 'ED25519'];
const DAY = 24 * 60 * 60;

/** Validates the files of a pod certificate and the request for it. */
export function validatePodCertificate(
  source: PodCertificateProjection,
  path: FieldPath,
  projection: Projection,
): FieldError[] {
  const { signerName = '', keyType = '' } = source;
  return [
    ...validateSignerName(signerName, path.child('signerName')),
    ...(KEY_TYPES.includes(keyType) ? [] : [notSupported(path.child('keyType'), keyType, KEY_TYPES)]),
    ...expiration(source, path.child('maxExpirationSeconds')),
    ...certificatePaths(source, path, projection),
  ];
}

function expiration(
  { signerName = '', maxExpirationSeconds: seconds }: PodCertificateProjection,
  path: FieldPath,
): FieldError[] {
  if (seconds === undefined) return [];
  const limit = isKubernetesSignerName(signerName) ? DAY : 91 * DAY;
  if (seconds < 3600) return [invalid(path, seconds, 'if provided, maxExpirationSeconds must be >= 3600')];
  return seconds > limit ? [invalid(path, seconds, `if provided, maxExpirationSeconds must be <= ${limit}`)] : [];
}

const CERTIFICATE_PATHS = ['credentialBundlePath', 'keyPath', 'certificateChainPath'] as const;

function certificatePaths(source: PodCertificateProjection, path: FieldPath, { claim }: Projection): FieldError[] {
  const set = CERTIFICATE_PATHS.filter((field) => (source[field] ?? '') !== '');
  if (set.length === 0) {
    return [required(path, `specify at least one of credentialBundlePath, keyPath, and certificateChainPath`)];
  }
  return set.flatMap((field) => {
    const target = source[field] ?? '';
    return [...localNonReservedPath(target, path.child(field)), ...claim(target)];
  });
}
