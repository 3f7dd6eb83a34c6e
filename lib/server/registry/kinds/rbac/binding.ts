import type { ClusterRoleBinding, RoleBinding, Subject } from '#lib/api/types/rbac.v1.ts';
import { equal } from '#lib/machinery/json-value.ts';
import { type FieldError, FieldPath, invalid, notSupported, required } from '#lib/machinery/validation/field.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { checked, each } from '../shared/validate.ts';
import { validateRBACName } from './rules.ts';

type AnyBinding = RoleBinding | ClusterRoleBinding;

const GROUP = 'rbac.authorization.k8s.io';
const ROLE_REF = FieldPath.of('roleRef');
const SUBJECT_KINDS = ['ServiceAccount', 'User', 'Group'];

function setDefaults(binding: AnyBinding): void {
  binding.roleRef.apiGroup ||= GROUP;
  for (const subject of binding.subjects ?? []) {
    const kind = subject.kind;
    if (kind === 'User' || kind === 'Group') subject.apiGroup ||= GROUP;
  }
}

function validateRoleRef(binding: AnyBinding, kinds: readonly string[]): FieldError[] {
  const ref = binding.roleRef;
  const [group, kind, name] = [ref.apiGroup, ref.kind, ref.name];
  const path = ROLE_REF.child('name');
  return [
    ...(group === GROUP ? [] : [notSupported(ROLE_REF.child('apiGroup'), group, [GROUP])]),
    ...(kinds.includes(kind) ? [] : [notSupported(ROLE_REF.child('kind'), kind, kinds)]),
    ...(name === '' ? [required(path)] : checked(name, path, (value) => validateRBACName(value, false))),
  ];
}

/** Upstream's ValidateRoleBindingSubject. Cluster role bindings must include the namespace of a service account. */
function validateSubject(subject: Subject, path: FieldPath, namespaced: boolean): FieldError[] {
  const [kind, name, group] = [subject.kind, subject.name, subject.apiGroup ?? ''];
  const errors = name === '' ? [required(path.child('name'))] : [];
  if (!SUBJECT_KINDS.includes(kind)) return [...errors, notSupported(path.child('kind'), kind, SUBJECT_KINDS)];
  const account = kind === 'ServiceAccount';
  const homeless = account && !namespaced && (subject.namespace ?? '') === '';
  const expected = account ? '' : GROUP;
  return [
    ...errors,
    ...(account && name !== '' ? checked(name, path.child('name'), (value) => nameIsDNSSubdomain(value, false)) : []),
    ...(group === expected ? [] : [notSupported(path.child('apiGroup'), group, [expected])]),
    ...(homeless ? [required(path.child('namespace'))] : []),
  ];
}

/** The role of a binding is immutable. Upstream's message contains the reference with Go field names. */
function roleRefKept(binding: AnyBinding, old: AnyBinding): FieldError[] {
  if (equal(binding.roleRef, old.roleRef)) return [];
  const ref = binding.roleRef;
  const shown = new Map([
    ['APIGroup', ref.apiGroup],
    ['Kind', ref.kind],
    ['Name', ref.name],
  ]);
  return [invalid(ROLE_REF, shown, 'cannot change roleRef')];
}

function bindingStrategy(namespaced: boolean, kinds: readonly string[]): KindStrategy<AnyBinding> {
  const validate = (binding: AnyBinding): FieldError[] => [
    ...validateRoleRef(binding, kinds),
    ...each(binding.subjects ?? [], FieldPath.of('subjects'), (subject, path) =>
      validateSubject(subject, path, namespaced),
    ),
  ];
  return {
    validateName: validateRBACName,
    allowCreateOnUpdate: true,
    default: setDefaults,
    validate,
    validateUpdate: (binding, old) => [...validate(binding), ...roleRefKept(binding, old)],
  };
}

/** Upstream's pkg/registry/rbac/rolebinding. */
export const roleBindingStrategy = bindingStrategy(true, ['Role', 'ClusterRole']);
/** Upstream's pkg/registry/rbac/clusterrolebinding. */
export const clusterRoleBindingStrategy = bindingStrategy(false, ['ClusterRole']);
