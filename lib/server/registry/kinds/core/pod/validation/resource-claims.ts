import type { PodResourceClaim } from '#lib/api/types/core.v1.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import {
  duplicate,
  type FieldError,
  FieldPath,
  forbidden,
  invalid,
  required,
} from '#lib/machinery/validation/field.ts';
import { dns1123Label, each, objectName } from '../../../shared/validate.ts';

const REFERENCES = ['resourceClaimName', 'resourceClaimTemplateName'] as const;

/** Upstream's validatePodResourceClaims. `isStatic` is true for a mirror pod. */
export function validateResourceClaims(
  claims: readonly PodResourceClaim[],
  path: FieldPath,
  isStatic: boolean,
): FieldError[] {
  const names = new Set<string>();
  return each(claims, path, (claim, at) => {
    if (isStatic) return [forbidden('[]', 'static pods do not support resource claims')];
    return [...claimName(claim.name, names, at.child('name')), ...references(claim, at)];
  });
}

function claimName(name: string, names: Set<string>, path: FieldPath): FieldError[] {
  if (name === '') return [required(path)];
  if (names.has(name)) return [duplicate(path, name)];
  names.add(name);
  return dns1123Label(name, path);
}

const BOTH = 'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified';
const NONE = 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`';

function references(claim: PodResourceClaim, path: FieldPath): FieldError[] {
  const set = REFERENCES.filter((field) => claim[field] !== undefined);
  return [
    ...(set.length === 2 ? [invalid(path, shown(claim), BOTH)] : []),
    ...(set.length === 0 ? [invalid(path, shown(claim), NONE)] : []),
    ...set.flatMap((field) => objectName(claim[field] ?? '', path.child(field))),
  ];
}

/** The claim in Go's JSON encoding of its internal type. */
function shown(claim: PodResourceClaim): JsonObject {
  return {
    Name: claim.name,
    ResourceClaimName: claim.resourceClaimName ?? null,
    ResourceClaimTemplateName: claim.resourceClaimTemplateName ?? null,
  };
}
