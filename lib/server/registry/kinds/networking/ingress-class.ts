import type { IngressClass, IngressClassParametersReference } from '#lib/api/types/networking.v1.ts';
import {
  type FieldError,
  FieldPath,
  forbidden,
  notSupported,
  required,
  tooLong,
} from '#lib/machinery/validation/field.ts';
import { isDomainPrefixedPath } from '#lib/machinery/validation/formats.ts';
import { byteLength } from '#lib/machinery/validation/messages.ts';
import { isDNS1123Label } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { immutable } from '../shared/semantic.ts';
import { checked } from '../shared/validate.ts';
import { validateReference } from './backend.ts';

const SPEC = FieldPath.of('spec');
const MAX_CONTROLLER = 250;

function validate(ingressClass: IngressClass): FieldError[] {
  const spec = ingressClass.spec;
  const controller = spec.controller ?? '';
  const path = SPEC.child('controller');
  return [
    ...(byteLength(controller) > MAX_CONTROLLER ? [tooLong(path, MAX_CONTROLLER)] : []),
    ...isDomainPrefixedPath(path, controller),
    ...validateParameters(spec.parameters, SPEC.child('parameters')),
  ];
}

function validateParameters(parameters: IngressClassParametersReference | undefined, path: FieldPath): FieldError[] {
  if (parameters === undefined) return [];
  return [...validateReference(parameters, path), ...validateScope(parameters, path)];
}

function validateScope(parameters: IngressClassParametersReference, path: FieldPath): FieldError[] {
  const { scope, namespace } = parameters;
  if (scope === null) return [required(path.child('scope'))];
  const where = path.child('namespace');
  if (scope === 'Cluster')
    return namespace !== undefined ? [forbidden(where, "`parameters.scope` is set to 'Cluster'")] : [];
  if (scope !== 'Namespace') return [notSupported(path.child('scope'), scope, ['Cluster', 'Namespace'])];
  if (namespace === undefined) return [required(where, "`parameters.scope` is set to 'Namespace'")];
  return checked(namespace, where, isDNS1123Label);
}

/** Upstream's pkg/registry/networking/ingressclass. */
export const ingressClassStrategy: KindStrategy<IngressClass> = {
  hasGeneration: true,
  default(ingressClass) {
    const parameters = ingressClass.spec.parameters;
    if (parameters !== undefined) parameters.scope ??= 'Cluster';
  },
  validate,
  validateUpdate: (ingressClass, old) => [
    ...immutable(ingressClass.spec, old.spec, 'controller', SPEC, 'networking.v1.IngressClassSpec'),
    ...validate(ingressClass),
  ],
};
