import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, text } from '#lib/machinery/unstructured.ts';
import { invalid, required, type FieldError, type FieldPath } from '#lib/machinery/validation/field.ts';
import { isConfigMapKey, isRelaxedEnvVarName } from '#lib/machinery/validation/formats.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { checked, dns1123Label, each, objectName } from '../../../shared/validate.ts';
import { ENV_FIELD_PATHS, validateFieldRef, validateResourceFieldRef } from './field-references.ts';
import { pathNoBacksteps } from './paths.ts';

export function validateEnv(vars: readonly JsonObject[], path: FieldPath): FieldError[] {
  return each(vars, path, (variable, at) => {
    const name = text(variable, 'name');
    const named = name === '' ? [required(at.child('name'))] : checked(name, at.child('name'), isRelaxedEnvVarName);
    return [...named, ...validateValueFrom(variable, at.child('valueFrom'))];
  });
}

type Source = (source: JsonObject, path: FieldPath) => FieldError[];

const SOURCES: readonly (readonly [string, Source])[] = [
  ['fieldRef', (ref, path) => validateFieldRef(ref, ENV_FIELD_PATHS, path)],
  ['resourceFieldRef', (ref, path) => validateResourceFieldRef(ref, path, false)],
  ['configMapKeyRef', keyRef],
  ['secretKeyRef', keyRef],
  ['fileKeyRef', fileKeyRef],
];

const ONE_OF = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
const TOO_MANY = 'may not have more than one field specified at a time';

function validateValueFrom(variable: JsonObject, path: FieldPath): FieldError[] {
  const from = objectAt(variable, 'valueFrom');
  if (from === undefined) return [];
  const set = SOURCES.filter(([field]) => has(from, field));
  const errors = set.flatMap(([field, check]) => check(objectAt(from, field) ?? {}, path.child(field)));
  if (set.length === 0) return [...errors, invalid(path, '', ONE_OF)];
  if (text(variable, 'value') !== '') {
    return [...errors, invalid(path, '', 'may not be specified when `value` is not empty')];
  }
  return set.length > 1 ? [...errors, invalid(path, '', TOO_MANY)] : errors;
}

function keyRef(ref: JsonObject, path: FieldPath): FieldError[] {
  const key = text(ref, 'key');
  return [
    ...objectName(text(ref, 'name'), path.child('name')),
    ...(key === '' ? [required(path.child('key'))] : checked(key, path.child('key'), isConfigMapKey)),
  ];
}

function fileKeyRef(ref: JsonObject, path: FieldPath): FieldError[] {
  const unlessEmpty = (field: string, check: (value: string, at: FieldPath) => FieldError[]): FieldError[] => {
    const value = text(ref, field);
    return value === '' ? [required(path.child(field))] : check(value, path.child(field));
  };
  return [
    ...unlessEmpty('key', (value, at) => checked(value, at, isRelaxedEnvVarName)),
    ...unlessEmpty('volumeName', dns1123Label),
    ...unlessEmpty('path', pathNoBacksteps),
  ];
}

export function validateEnvFrom(sources: readonly JsonObject[], path: FieldPath): FieldError[] {
  return each(sources, path, (source, at) => {
    const prefix = text(source, 'prefix');
    const set = ['configMapRef', 'secretRef'].filter((field) => has(source, field));
    return [
      ...(prefix === '' ? [] : checked(prefix, at.child('prefix'), isRelaxedEnvVarName)),
      ...set.flatMap((field) => envSource(objectAt(source, field) ?? {}, at.child(field, 'name'))),
      ...(set.length === 0 ? [invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`')] : []),
      ...(set.length > 1 ? [invalid(path, '', TOO_MANY)] : []),
    ];
  });
}

function envSource(ref: JsonObject, path: FieldPath): FieldError[] {
  const name = text(ref, 'name');
  return name === '' ? [required(path)] : checked(name, path, (value) => nameIsDNSSubdomain(value, true));
}
