import { ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, text } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  duplicate,
  forbidden,
  invalid,
  required,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { dns1123Label, each, objectName } from '../../../shared/validate.ts';

const REFERENCES = ['resourceClaimName', 'resourceClaimTemplateName'];

/** The pod's resource claims; `isStatic` of a pod that a kubelet mirrors. */
export function validateResourceClaims(
  claims: readonly JsonObject[],
  path: FieldPath,
  isStatic: boolean,
): FieldError[] {
  const names = new Set<string>();
  return each(claims, path, (claim, at) => {
    if (isStatic) return [forbidden('[]', 'static pods do not support resource claims')];
    return [...claimName(text(claim, 'name'), names, at.child('name')), ...references(claim, at)];
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

function references(claim: JsonObject, path: FieldPath): FieldError[] {
  const set = REFERENCES.filter((field) => has(claim, field));
  return [
    ...(set.length === 2 ? [invalid(path, shown(claim), BOTH)] : []),
    ...(set.length === 0 ? [invalid(path, shown(claim), NONE)] : []),
    ...set.flatMap((field) => objectName(text(claim, field), path.child(field))),
  ];
}

/** As Go's JSON has the claim's internal type. */
function shown(claim: JsonObject): JsonObject {
  return {
    Name: text(claim, 'name'),
    ResourceClaimName: ownField(claim, 'resourceClaimName') ?? null,
    ResourceClaimTemplateName: ownField(claim, 'resourceClaimTemplateName') ?? null,
  };
}
