import { arrayAt, objectAt, type Json, type JsonObject } from '#lib/machinery/json-value.ts';
import { nameOf } from '#lib/machinery/meta.ts';
import { at, text } from '#lib/machinery/unstructured.ts';
import { goSelector } from '../../kinds/shared/go-selector.ts';
import type { TableColumn, TablePrinter } from '../../printer.ts';
import { age, UNSET } from '../cells.ts';
import { column, named } from '../columns.ts';

const PARAM_KIND: TableColumn = column('ParamKind', 'The kind of the objects that configure the policy.');

/** Upstream's printValidatingAdmissionPolicy. */
export const validatingAdmissionPolicy: TablePrinter = {
  columns: named(column('Validations', 'The number of rules.', 'integer'), PARAM_KIND),
  cells: (object, now) => policyCells(object, 'validations', now),
};

/** Upstream's printMutatingAdmissionPolicy. */
export const mutatingAdmissionPolicy: TablePrinter = {
  columns: named(column('Mutations', 'The number of changes.', 'integer'), PARAM_KIND),
  cells: (object, now) => policyCells(object, 'mutations', now),
};

function policyCells(object: JsonObject, rules: string, now: Date): Json[] {
  const spec = objectAt(object, 'spec');
  const kind = objectAt(spec, 'paramKind');
  const kindText = kind === undefined ? UNSET : `${text(kind, 'apiVersion')}/${text(kind, 'kind')}`;
  return [nameOf(object), arrayAt(spec, rules).length, kindText, age(object, now)];
}

/** Upstream's printers of both kinds of bindings. */
export const admissionPolicyBinding: TablePrinter = {
  columns: named(
    column('PolicyName', 'The policy that is put into force.'),
    column('ParamRef', 'The objects that configure the policy.'),
  ),
  cells: (object, now) => [
    nameOf(object),
    text(objectAt(object, 'spec'), 'policyName'),
    paramText(at(object, 'spec', 'paramRef')),
    age(object, now),
  ],
};

/** Whether a parameter has a namespace is not known here: `*` stands for none. */
function paramText(param: JsonObject | undefined): string {
  const name = text(param, 'name');
  if (name !== '') return `${text(param, 'namespace') || '*'}/${name}`;
  const selector = objectAt(param, 'selector');
  return selector === undefined ? UNSET : goSelector(selector);
}
