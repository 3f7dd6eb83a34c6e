import { type Compiled, CompileError, compile } from '#lib/api/cel/compile.ts';
import { estimateCost } from '#lib/api/cel/cost/cost.ts';
import { type Environment, environment } from '#lib/api/cel/environment.ts';
import { baseEnvironment } from '#lib/api/cel/library/base-environment.ts';
import { kubernetesEstimator } from '#lib/api/cel/library/kubernetes.ts';
import { MAX_REQUEST_SIZE } from '#lib/api/cel/library/limits.ts';
import { type Program, program } from '#lib/api/cel/program.ts';
import { type Kind, optionalType, type Type } from '#lib/api/cel/types/type.ts';
import { CelError } from '#lib/api/cel/values/value.ts';
import { validFieldPath } from '#lib/api/schema/field-path.ts';
import { additionalSchema, type ValidationRule } from '#lib/api/schema/json-schema-props.ts';
import type { Structural } from '#lib/api/schema/structural.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import type { DeclType } from './decl-type.ts';
import { SchemaTypes, schemaSizes } from './types.ts';

/** A compiled expression, and the maximum cost of one evaluation. */
export interface Expression {
  readonly program: Program;
  readonly maxCost: number;
}

/** One of `x-kubernetes-validations`, compiled. */
export interface CompiledRule {
  readonly rule: ValidationRule;
  /** Absent for an empty or invalid rule. */
  readonly expression?: Expression;
  /** Why the rule is invalid. */
  readonly error?: string;
  readonly usesOldSelf: boolean;
  readonly message?: Expression;
  readonly messageError?: string;
  /** The path below the schema's value at which errors are reported. '' for the value itself. */
  readonly fieldPath: string;
}

/** Compiles the rules of one schema, but not of nested schemas. `type` is the schema's type. */
export function compileRules(schema: Structural, type: DeclType): CompiledRule[] {
  const rules = schema.validations ?? [];
  if (rules.length === 0) return [];
  const types = new SchemaTypes(type);
  const estimator = kubernetesEstimator(schemaSizes(type));
  const withOldSelf = (oldSelf: Type): Environment =>
    environment({ variables: { self: types.self, oldSelf }, types, estimator }, baseEnvironment());
  const plain = withOldSelf(types.self);
  const optionalOld = rules.some(({ optionalOldSelf }) => optionalOldSelf === true)
    ? withOldSelf(optionalType(types.self))
    : plain;
  return rules.map((rule) => compileRule(rule, schema, rule.optionalOldSelf === true ? optionalOld : plain));
}

function compileRule(rule: ValidationRule, schema: Structural, env: Environment): CompiledRule {
  const { fieldPath = '', messageExpression = '' } = rule;
  const wrong = (error: string): CompiledRule => ({ rule, error, usesOldSelf: false, fieldPath: '' });
  if (rule.rule.trim() === '') return { rule, usesOldSelf: false, fieldPath: '' };
  const compiled = compile(rule.rule, env);
  if (compiled instanceof CompileError) return wrong(`compilation failed: ${compiled.message}`);
  if (!yields(compiled, 'bool')) return wrong('cel expression must evaluate to a bool');
  const usesOldSelf = mentions(compiled, 'oldSelf');
  const ready = prepare(compiled, env);
  if (typeof ready === 'string') return { ...wrong(`program instantiation failed: ${ready}`), usesOldSelf };
  const message = messageExpression === '' ? undefined : compileMessage(messageExpression, env);
  return {
    rule,
    expression: ready,
    usesOldSelf,
    ...(message === undefined ? {} : typeof message === 'string' ? { messageError: message } : { message }),
    fieldPath: typeof message === 'string' || fieldPath === '' ? '' : (rulePath(fieldPath, schema) ?? ''),
  };
}

function compileMessage(text: string, env: Environment): Expression | string {
  const compiled = compile(text, env);
  if (compiled instanceof CompileError) return `messageExpression compilation failed: ${compiled.message}`;
  if (!yields(compiled, 'string')) return 'messageExpression must evaluate to a string';
  const ready = prepare(compiled, env);
  return typeof ready === 'string' ? `messageExpression instantiation failed: ${ready}` : ready;
}

const yields = ({ type }: Compiled, kind: Kind): boolean => type.kind === kind && !type.nullable;

function mentions({ checked }: Compiled, variable: string): boolean {
  for (const reference of checked.references.values()) if (reference.name === variable) return true;
  return false;
}

function prepare({ checked }: Compiled, env: Environment): Expression | string {
  const made = program(checked, env);
  return made instanceof CelError ? made.message : { program: made, maxCost: estimateCost(checked, env.estimator).max };
}

/** Returns how many values of the type fit into a request: the worst case for values below unbounded lists and maps. */
export const maxCardinality = ({ minSize }: DeclType): number => Math.floor(MAX_REQUEST_SIZE / (minSize + 1));

/** Returns a rule's `fieldPath` as errors show it: `spec.a[key]`. Undefined if the schema does not contain it. */
function rulePath(fieldPath: string, schema: Structural): string | undefined {
  const valid = validFieldPath(fieldPath, schema);
  if (typeof valid === 'string') return undefined;
  let path = FieldPath.of('');
  let current: Structural | undefined = schema;
  for (const name of valid.names) {
    const property: Structural | undefined = current?.properties?.get(name);
    path = property === undefined ? path.key(name) : path.child(name);
    current = property ?? (current === undefined ? undefined : additionalSchema(current));
  }
  return path.toString();
}
