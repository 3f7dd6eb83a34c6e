import { CompileError, compile } from '#lib/api/cel/compile.ts';
import { type Environment, environment } from '#lib/api/cel/environment.ts';
import { authorizerType, resourceCheckType } from '#lib/api/cel/library/authorizer.ts';
import { baseEnvironment } from '#lib/api/cel/library/base-environment.ts';
import { jsonPatch } from '#lib/api/cel/library/jsonpatch.ts';
import { type Program, program } from '#lib/api/cel/program.ts';
import { typeText } from '#lib/api/cel/types/format.ts';
import { dynType, sameType, type Type } from '#lib/api/cel/types/type.ts';
import { CelError } from '#lib/api/cel/values/value.ts';
import { type MostCost, mostCost } from './most-cost.ts';
import { mutationTypes } from './mutation-types.ts';
import { AdmissionTypes, namespaceType, requestType, variablesType } from './types.ts';

/** The variables that an expression may use in addition to the object, the old object, the request and the namespace. */
export interface Declarations {
  readonly params: boolean;
  readonly authorizer: boolean;
  /** The composed variables of a policy that have been declared so far. */
  readonly variables?: ReadonlyMap<string, Type>;
  /** Whether the expression may create objects and patches. */
  readonly mutates?: boolean;
}

/** A compiled expression, or its compilation error. */
export type Expression =
  | {
      readonly text: string;
      readonly program: Program;
      readonly type: Type;
      readonly most: MostCost;
      readonly error?: undefined;
    }
  | { readonly text: string; readonly error: string; readonly most?: undefined };

/** The CEL environment for the expressions of a policy or a webhook. */
export function admissionEnvironment({ params, authorizer, variables, mutates = false }: Declarations): Environment {
  return environment(
    {
      variables: {
        object: dynType,
        oldObject: dynType,
        namespaceObject: namespaceType,
        request: requestType,
        ...(params ? { params: dynType } : {}),
        ...(authorizer ? { authorizer: authorizerType, 'authorizer.requestResource': resourceCheckType } : {}),
        ...(variables === undefined ? {} : { variables: variablesType }),
      },
      types: new AdmissionTypes(variables ?? new Map(), mutates ? mutationTypes : undefined),
      libraries: mutates ? [jsonPatch] : [],
    },
    baseEnvironment(),
  );
}

/** Compiles an expression that must return one of the types in `results`. If `results` is empty, any type is valid. */
export function compileExpression(text: string, env: Environment, results: readonly Type[]): Expression {
  const compiled = compile(text, env);
  if (compiled instanceof CompileError) return { text, error: `compilation failed: ${compiled.message}` };
  const { type, checked } = compiled;
  if (results.length > 0 && !results.some((result) => sameType(result, type))) {
    return { text, error: wrongType(results, type) };
  }
  const made = program(checked, env);
  if (made instanceof CelError) return { text, error: `program instantiation failed: ${made.message}` };
  return { text, program: made, type, most: mostCost(checked) };
}

function wrongType(results: readonly Type[], type: Type): string {
  const names = results.map(typeText);
  const wanted = names.length === 1 ? names[0] : `one of [${names.join(' ')}]`;
  return `must evaluate to ${wanted} but got ${typeText(type)}`;
}
