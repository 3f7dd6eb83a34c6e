import { equal, objectAt, ownField, type JsonObject } from '#lib/machinery/json-value.ts';
import { ensure, items, text, unlessText } from '#lib/machinery/unstructured.ts';
import { FieldPath, invalid, notSupported, required, type FieldError } from '#lib/machinery/validation/field.ts';
import { nameIsDNSSubdomain } from '#lib/machinery/validation/names.ts';
import type { KindStrategy } from '../../strategy.ts';
import { checked, each } from '../shared/validate.ts';
import { validateRBACName } from './rules.ts';

const GROUP = 'rbac.authorization.k8s.io';
const ROLE_REF = FieldPath.of('roleRef');
const SUBJECT_KINDS = ['ServiceAccount', 'User', 'Group'];

function setDefaults(binding: JsonObject): void {
  unlessText(ensure(binding, 'roleRef'), 'apiGroup', GROUP);
  for (const subject of items(binding, 'subjects')) {
    const kind = text(subject, 'kind');
    if (kind === 'User' || kind === 'Group') unlessText(subject, 'apiGroup', GROUP);
  }
}

function validateRoleRef(binding: JsonObject, kinds: readonly string[]): FieldError[] {
  const ref = objectAt(binding, 'roleRef');
  const [group, kind, name] = [text(ref, 'apiGroup'), text(ref, 'kind'), text(ref, 'name')];
  const path = ROLE_REF.child('name');
  return [
    ...(group === GROUP ? [] : [notSupported(ROLE_REF.child('apiGroup'), group, [GROUP])]),
    ...(kinds.includes(kind) ? [] : [notSupported(ROLE_REF.child('kind'), kind, kinds)]),
    ...(name === '' ? [required(path)] : checked(name, path, (value) => validateRBACName(value, false))),
  ];
}

/** Upstream's ValidateRoleBindingSubject. Bindings of the cluster say which namespace an account is of. */
function validateSubject(subject: JsonObject, path: FieldPath, namespaced: boolean): FieldError[] {
  const [kind, name, group] = [text(subject, 'kind'), text(subject, 'name'), text(subject, 'apiGroup')];
  const errors = name === '' ? [required(path.child('name'))] : [];
  if (!SUBJECT_KINDS.includes(kind)) return [...errors, notSupported(path.child('kind'), kind, SUBJECT_KINDS)];
  const account = kind === 'ServiceAccount';
  const homeless = account && !namespaced && text(subject, 'namespace') === '';
  const expected = account ? '' : GROUP;
  return [
    ...errors,
    ...(account && name !== '' ? checked(name, path.child('name'), (value) => nameIsDNSSubdomain(value, false)) : []),
    ...(group === expected ? [] : [notSupported(path.child('apiGroup'), group, [expected])]),
    ...(homeless ? [required(path.child('namespace'))] : []),
  ];
}

/** What a binding gives is fixed: it would be another binding. Upstream shows the reference by its Go fields. */
function roleRefKept(binding: JsonObject, old: JsonObject): FieldError[] {
  if (equal(ownField(binding, 'roleRef'), ownField(old, 'roleRef'))) return [];
  const ref = objectAt(binding, 'roleRef');
  const shown = new Map([
    ['APIGroup', text(ref, 'apiGroup')],
    ['Kind', text(ref, 'kind')],
    ['Name', text(ref, 'name')],
  ]);
  return [invalid(ROLE_REF, shown, 'cannot change roleRef')];
}

function bindingStrategy(namespaced: boolean, kinds: readonly string[]): KindStrategy {
  const validate = (binding: JsonObject): FieldError[] => [
    ...validateRoleRef(binding, kinds),
    ...each(items(binding, 'subjects'), FieldPath.of('subjects'), (subject, path) =>
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
