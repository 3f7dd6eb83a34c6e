import { admissionEnvironment, compileExpression, type Declarations } from '#lib/api/admission-cel/expression.ts';
import { appliedType, jsonPatchType } from '#lib/api/admission-cel/mutation-types.ts';
import { Variables } from '#lib/api/admission-cel/variables.ts';
import { boolType, listType, nullType, stringType, type Type } from '#lib/api/cel/types/type.ts';
import type {
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicySpec,
} from '#lib/api/types/admissionregistration.v1.ts';
import { type FieldError, type FieldPath, invalid } from '#lib/machinery/validation/field.ts';

/** Returns an error if the expression does not compile. The error quotes `shown`. */
function compileErrors(
  given: string,
  path: FieldPath,
  declared: Declarations,
  { results, shown = given }: { readonly results: readonly Type[]; readonly shown?: string },
): FieldError[] {
  const { error } = compileExpression(given, admissionEnvironment(declared), results);
  return error === undefined ? [] : [invalid(path, shown, error)];
}

/** Validates a match condition, which has no variables. */
export const conditionErrors = (expression: string, path: FieldPath, params: boolean): FieldError[] =>
  compileErrors(expression, path, { params, authorizer: true }, { results: [boolType] });

/** The expressions of one policy, added in order: each variable is visible to the expressions after it. */
export class PolicyExpressions {
  readonly #declared: Declarations;
  readonly #variables: Variables;

  constructor(
    spec: ValidatingAdmissionPolicySpec | MutatingAdmissionPolicySpec,
    { mutates }: { readonly mutates: boolean },
  ) {
    const declared = { params: spec.paramKind !== undefined, authorizer: true };
    this.#variables = new Variables(declared);
    const composes = mutates || (spec.variables ?? []).length > 0;
    this.#declared = { ...declared, mutates, ...(composes ? { variables: this.#variables.types } : {}) };
  }

  variable(name: string, expression: string, path: FieldPath): FieldError[] {
    const { error } = this.#variables.add(name, expression);
    return error === undefined ? [] : [invalid(path, expression, error)];
  }

  validation(expression: string, path: FieldPath): FieldError[] {
    return compileErrors(expression, path, this.#declared, { results: [boolType] });
  }

  message(expression: string, path: FieldPath): FieldError[] {
    return compileErrors(expression, path, { ...this.#declared, authorizer: false }, { results: [stringType] });
  }

  annotation(expression: string, path: FieldPath): FieldError[] {
    const expected = { results: [stringType, nullType], shown: expression };
    return compileErrors(expression.trim(), path, this.#declared, expected);
  }

  mutation(patchType: string, expression: string, path: FieldPath): FieldError[] {
    const result = patchType === 'JSONPatch' ? listType(jsonPatchType) : appliedType;
    return compileErrors(expression.trim(), path, this.#declared, { results: [result] });
  }
}
