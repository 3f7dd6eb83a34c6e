import type {
  ConfigMapKeySelector,
  EnvFromSource,
  EnvVar,
  EnvVarSource,
  FileKeySelector,
  SecretKeySelector,
} from '#lib/api/types/core.v1.ts';
import { type FieldError, type FieldPath, invalid, required } from '#lib/machinery/validation/field.ts';
import { isConfigMapKey, isRelaxedEnvVarName } from '#lib/machinery/validation/formats.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import { checked, dns1123Label, each, objectName } from '../../../shared/validate.ts';
import { alternativesOf } from './alternatives.ts';
import { ENV_FIELD_PATHS, validateFieldRef, validateResourceFieldRef } from './field-references.ts';
import { pathNoBacksteps } from './paths.ts';

/** Upstream's ValidateEnv: names and sources of a container's environment variables. */
export function validateEnv(vars: readonly EnvVar[], path: FieldPath): FieldError[] {
  return each(vars, path, (variable, at) => {
    const { name } = variable;
    const named = name === '' ? [required(at.child('name'))] : checked(name, at.child('name'), isRelaxedEnvVarName);
    return [...named, ...validateValueFrom(variable, at.child('valueFrom'))];
  });
}

const source = alternativesOf<EnvVarSource>();
const SOURCES = [
  source('fieldRef', (ref, path) => validateFieldRef(ref, ENV_FIELD_PATHS, path)),
  source('resourceFieldRef', (ref, path) => validateResourceFieldRef(ref, path, false)),
  source('configMapKeyRef', keyRef),
  source('secretKeyRef', keyRef),
  source('fileKeyRef', fileKeyRef),
];

const ONE_OF = 'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
const TOO_MANY = 'may not have more than one field specified at a time';

function validateValueFrom({ value = '', valueFrom: from }: EnvVar, path: FieldPath): FieldError[] {
  if (from === undefined) return [];
  const set = SOURCES.filter(({ isSet }) => isSet(from));
  const errors = set.flatMap(({ validate }) => validate(from, path, undefined));
  if (set.length === 0) return [...errors, invalid(path, '', ONE_OF)];
  if (value !== '') return [...errors, invalid(path, '', 'may not be specified when `value` is not empty')];
  return set.length > 1 ? [...errors, invalid(path, '', TOO_MANY)] : errors;
}

function keyRef({ name = '', key }: ConfigMapKeySelector | SecretKeySelector, path: FieldPath): FieldError[] {
  return [
    ...objectName(name, path.child('name')),
    ...(key === '' ? [required(path.child('key'))] : checked(key, path.child('key'), isConfigMapKey)),
  ];
}

function fileKeyRef({ key, volumeName, path: file }: FileKeySelector, path: FieldPath): FieldError[] {
  const [keyPath, volumePath, filePath] = [path.child('key'), path.child('volumeName'), path.child('path')];
  return [
    ...(key === '' ? [required(keyPath)] : checked(key, keyPath, isRelaxedEnvVarName)),
    ...(volumeName === '' ? [required(volumePath)] : dns1123Label(volumeName, volumePath)),
    ...(file === '' ? [required(filePath)] : pathNoBacksteps(file, filePath)),
  ];
}

/** Upstream's ValidateEnvFrom: sources that provide several environment variables. */
export function validateEnvFrom(sources: readonly EnvFromSource[], path: FieldPath): FieldError[] {
  return each(sources, path, ({ prefix = '', configMapRef, secretRef }, at) => [
    ...(prefix === '' ? [] : checked(prefix, at.child('prefix'), isRelaxedEnvVarName)),
    ...(configMapRef === undefined ? [] : envSource(configMapRef.name ?? '', at.child('configMapRef', 'name'))),
    ...(secretRef === undefined ? [] : envSource(secretRef.name ?? '', at.child('secretRef', 'name'))),
    ...(configMapRef === undefined && secretRef === undefined
      ? [invalid(path, '', 'must specify one of: `configMapRef` or `secretRef`')]
      : []),
    ...(configMapRef !== undefined && secretRef !== undefined ? [invalid(path, '', TOO_MANY)] : []),
  ]);
}

function envSource(name: string, path: FieldPath): FieldError[] {
  return name === '' ? [required(path)] : checked(name, path, (value) => nameIsDNSSubdomain(value, true));
}
