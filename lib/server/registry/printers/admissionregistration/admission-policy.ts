import type {
  MutatingAdmissionPolicy,
  MutatingAdmissionPolicyBinding,
  ParamRef,
  ValidatingAdmissionPolicy,
  ValidatingAdmissionPolicyBinding,
} from '#lib/api/types/admissionregistration.v1.ts';
import type { Json } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { goSelector } from '../../kinds/shared/go-selector.ts';
import type { TableColumn, TablePrinter } from '../../printer.ts';
import { age, UNSET } from '../cells.ts';
import { column, named } from '../columns.ts';

const PARAM_KIND: TableColumn = column('ParamKind', 'The kind of the objects that configure the policy.');

/** Upstream's printValidatingAdmissionPolicy. */
export const validatingAdmissionPolicy: TablePrinter<ValidatingAdmissionPolicy> = {
  columns: named(column('Validations', 'The number of rules.', 'integer'), PARAM_KIND),
  cells: (object, now) => policyCells(object, object.spec.validations, now),
};

/** Upstream's printMutatingAdmissionPolicy. */
export const mutatingAdmissionPolicy: TablePrinter<MutatingAdmissionPolicy> = {
  columns: named(column('Mutations', 'The number of changes.', 'integer'), PARAM_KIND),
  cells: (object, now) => policyCells(object, object.spec.mutations, now),
};

function policyCells(
  policy: ValidatingAdmissionPolicy | MutatingAdmissionPolicy,
  rules: readonly Json[] | undefined,
  now: Date,
): Json[] {
  const kind = policy.spec.paramKind;
  const kindText = kind === undefined ? UNSET : `${kind.apiVersion ?? ''}/${kind.kind ?? ''}`;
  return [nameOf(policy), rules?.length ?? 0, kindText, age(policy, now)];
}

/** Upstream's printers of both kinds of policy bindings. */
export const admissionPolicyBinding: TablePrinter<ValidatingAdmissionPolicyBinding | MutatingAdmissionPolicyBinding> = {
  columns: named(
    column('PolicyName', 'The policy that is put into force.'),
    column('ParamRef', 'The objects that configure the policy.'),
  ),
  cells: (object, now) => [
    nameOf(object),
    object.spec.policyName ?? '',
    paramText(object.spec.paramRef),
    age(object, now),
  ],
};

/** Shows `*` for an absent namespace, because the binding does not reveal whether its parameter is namespaced. */
function paramText({ name, namespace, selector }: ParamRef = {}): string {
  if (name) return `${namespace || '*'}/${name}`;
  return selector === undefined ? UNSET : goSelector(selector);
}
