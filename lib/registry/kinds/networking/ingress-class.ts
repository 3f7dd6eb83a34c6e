import { byteLength } from '#lib/machinery/validation/messages.ts';
import { objectAt, type JsonObject } from '#lib/machinery/json-value.ts';
import { has, text } from '#lib/machinery/unstructured.ts';
import {
  FieldPath,
  forbidden,
  notSupported,
  required,
  tooLong,
  type FieldError,
} from '#lib/machinery/validation/field.ts';
import { isDomainPrefixedPath } from '#lib/machinery/validation/formats.ts';
import { isDNS1123Label } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { immutable } from '../shared/semantic.ts';
import { checked } from '../shared/validate.ts';
import { validateReference } from './backend.ts';

const SPEC = FieldPath.of('spec');
const MAX_CONTROLLER = 250;

function validate(ingressClass: JsonObject): FieldError[] {
  const spec = objectAt(ingressClass, 'spec');
  const controller = text(spec, 'controller');
  const path = SPEC.child('controller');
  return [
    ...(byteLength(controller) > MAX_CONTROLLER ? [tooLong(path, MAX_CONTROLLER)] : []),
    ...isDomainPrefixedPath(path, controller),
    ...validateParameters(objectAt(spec, 'parameters'), SPEC.child('parameters')),
  ];
}

function validateParameters(parameters: JsonObject | undefined, path: FieldPath): FieldError[] {
  if (parameters === undefined) return [];
  return [...validateReference(parameters, path), ...validateScope(parameters, path)];
}

function validateScope(parameters: JsonObject, path: FieldPath): FieldError[] {
  if (!has(parameters, 'scope')) return [required(path.child('scope'))];
  const scope = text(parameters, 'scope');
  const where = path.child('namespace');
  const named = has(parameters, 'namespace');
  if (scope === 'Cluster') return named ? [forbidden(where, "`parameters.scope` is set to 'Cluster'")] : [];
  if (scope !== 'Namespace') return [notSupported(path.child('scope'), scope, ['Cluster', 'Namespace'])];
  if (!named) return [required(where, "`parameters.scope` is set to 'Namespace'")];
  return checked(text(parameters, 'namespace'), where, isDNS1123Label);
}

/** Upstream's pkg/registry/networking/ingressclass. */
export const ingressClassStrategy: KindStrategy = {
  hasGeneration: true,
  default(ingressClass) {
    const parameters = objectAt(objectAt(ingressClass, 'spec'), 'parameters');
    if (parameters !== undefined) parameters['scope'] ??= 'Cluster';
  },
  validate,
  validateUpdate: (ingressClass, old) => [
    ...immutable(
      objectAt(ingressClass, 'spec'),
      objectAt(old, 'spec'),
      'controller',
      SPEC,
      'networking.v1.IngressClassSpec',
    ),
    ...validate(ingressClass),
  ],
};
