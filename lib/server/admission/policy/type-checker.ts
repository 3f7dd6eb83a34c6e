import { AdmissionTypes, namespaceType, requestType, variablesType } from '#lib/api/admission-cel/types.ts';
import { declaredType } from '#lib/api/admission-cel/variables.ts';
import { CompileError, compile } from '#lib/api/cel/compile.ts';
import { type Environment, environment } from '#lib/api/cel/environment.ts';
import { authorizerType } from '#lib/api/cel/library/authorizer.ts';
import { baseEnvironment } from '#lib/api/cel/library/base-environment.ts';
import type { TypeProvider } from '#lib/api/cel/types/provider.ts';
import { dynType, type Type } from '#lib/api/cel/types/type.ts';
import { typedObject } from '#lib/api/typed.ts';
import type {
  ExpressionWarning,
  NamedRuleWithOperations,
  ValidatingAdmissionPolicySpec,
} from '#lib/api/types/admissionregistration.v1.ts';
import { VALIDATING_ADMISSION_POLICIES } from '#lib/api/types/resources.ts';
import type { JsonObject } from '#lib/machinery/json-value.ts';
import {
  apiVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  parseApiVersion,
} from '#lib/machinery/schema.ts';
import { FieldPath } from '#lib/machinery/validation/field.ts';
import type { DeclType } from '#lib/server/apiextensions/cel/decl-type.ts';
import { SchemaTypes } from '#lib/server/apiextensions/cel/types.ts';

/** Finds the served kinds and their types. */
export interface KindSource {
  /** Returns the kinds that serve a resource. Without a group, returns those of every group. */
  kindsFor(resource: GroupVersionResource): Promise<readonly GroupVersionKind[]>;
  /** Returns the type of a kind's objects. Undefined if no schema is known. */
  typeOf(kind: GroupVersionKind): Promise<DeclType | undefined>;
}

const MAX_KINDS = 10;
const FIELDS = ['expression', 'messageExpression'] as const;
const VALIDATIONS = FieldPath.of('spec', 'validations');

/**
 * Returns the type errors in the expressions of a stored ValidatingAdmissionPolicy for the kinds that it matches, in the format of its
 * status. Upstream's TypeChecker. Skips rules with wildcards.
 */
export async function typeWarnings(policy: JsonObject, kinds: KindSource): Promise<ExpressionWarning[]> {
  const { spec } = typedObject(VALIDATING_ADMISSION_POLICIES, policy);
  const checks = await checksOf(spec, kinds);
  return (spec.validations ?? []).flatMap((validation, i) =>
    FIELDS.flatMap((field) => {
      const given = validation[field] ?? '';
      if (field !== 'expression' && given === '') return [];
      const faults = checks.flatMap(({ kind, env }) => faultOf(kind, given, env));
      const fieldRef = VALIDATIONS.index(i).child(field).toString();
      return faults.length === 0 ? [] : [{ fieldRef, warning: faults.join('\n') }];
    }),
  );
}

function faultOf(kind: GroupVersionKind, expression: string, env: Environment): string[] {
  const compiled = compile(expression, env);
  if (!(compiled instanceof CompileError)) return [];
  return [`${kind.group}/${kind.version}, Kind=${kind.kind}: ${compiled.message}\n`];
}

interface Check {
  readonly kind: GroupVersionKind;
  readonly env: Environment;
}

async function checksOf(spec: ValidatingAdmissionPolicySpec, kinds: KindSource): Promise<readonly Check[]> {
  const meant = await kindsMeant(spec, kinds);
  const paramKind = paramKindOf(spec);
  const params = paramKind === undefined ? undefined : await kinds.typeOf(paramKind);
  const checks = await Promise.all(
    meant.map(async (kind): Promise<Check[]> => {
      const object = await kinds.typeOf(kind);
      if (object === undefined) return [];
      const typed = {
        object: new SchemaTypes(object, `${kind.kind}0`),
        params: params && new SchemaTypes(params, `${paramKind?.kind}1`),
      };
      return [{ kind, env: environmentOf(spec, typed) }];
    }),
  );
  return checks.flat();
}

/** Returns the matched kinds, sorted. Stops at a rule that names ten kinds. */
async function kindsMeant(
  spec: ValidatingAdmissionPolicySpec,
  kinds: KindSource,
): Promise<readonly GroupVersionKind[]> {
  const found = new Map<string, GroupVersionKind>();
  for (const rule of spec.matchConstraints?.resourceRules ?? []) {
    let count = 0;
    for (const resource of resourcesOf(rule)) {
      for (const kind of await kinds.kindsFor(resource)) {
        found.set(`${apiVersion(kind)}/${kind.kind}`, kind);
        if (++count === MAX_KINDS) return sorted([...found.values()]);
      }
    }
  }
  return sorted([...found.values()]);
}

function resourcesOf({ apiGroups, apiVersions, resources = [] }: NamedRuleWithOperations): GroupVersionResource[] {
  const named = (values: readonly string[] = []): string[] =>
    values.some((value) => value.includes('*')) ? [] : values.toSorted();
  const whole = resources.filter((one) => !/[*/]/.test(one)).toSorted();
  return named(apiGroups).flatMap((group) =>
    named(apiVersions).flatMap((version) => whole.map((resource) => ({ group, version, resource }))),
  );
}

const sorted = (kinds: readonly GroupVersionKind[]): GroupVersionKind[] =>
  kinds.toSorted((a, b) => before(a.group, b.group) || before(a.version, b.version) || before(a.kind, b.kind));
const before = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

function paramKindOf({ paramKind }: ValidatingAdmissionPolicySpec): GroupVersionKind | undefined {
  const groupVersion = paramKind && parseApiVersion(paramKind.apiVersion ?? '');
  return groupVersion && { ...groupVersion, kind: paramKind.kind ?? '' };
}

interface Typed {
  readonly object: SchemaTypes;
  readonly params: SchemaTypes | undefined;
}

/**
 * Returns the environment in which expressions run, with the types of the objects. Like upstream, it does not declare the request's own
 * resource.
 */
function environmentOf(spec: ValidatingAdmissionPolicySpec, { object, params }: Typed): Environment {
  const variables = new Map<string, Type>();
  const env = environment(
    {
      variables: {
        object: object.self,
        oldObject: object.self,
        namespaceObject: namespaceType,
        request: requestType,
        authorizer: authorizerType,
        variables: variablesType,
        ...(spec.paramKind === undefined ? {} : { params: params?.self ?? dynType }),
      },
      types: new AdmissionTypes(variables, both(object, params)),
    },
    baseEnvironment(),
  );
  for (const { name, expression } of spec.variables ?? []) {
    const compiled = compile(expression, env);
    variables.set(name, compiled instanceof CompileError ? dynType : declaredType(compiled.type));
  }
  return env;
}

const both = (one: TypeProvider, other: TypeProvider | undefined): TypeProvider => ({
  findType: (name) => one.findType(name) ?? other?.findType(name),
  findField: (typeName, field) => one.findField(typeName, field) ?? other?.findField(typeName, field),
});
