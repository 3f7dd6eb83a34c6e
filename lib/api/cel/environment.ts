import type { CostEstimator } from './cost/estimate.ts';
import type { Overload } from './functions/function.ts';
import type { Constant, Library, Validator } from './functions/library.ts';
import { macroKey } from './parser/builder.ts';
import type { Macro } from './parser/macro.ts';
import type { TypeProvider } from './types/provider.ts';
import type { Type } from './types/type.ts';

/** The declarations that expressions are compiled against. Immutable. */
export interface Environment {
  readonly functions: ReadonlyMap<string, readonly Overload[]>;
  readonly macros: ReadonlyMap<string, Macro>;
  readonly constants: ReadonlyMap<string, Constant>;
  readonly validators: readonly Validator[];
  readonly variables: ReadonlyMap<string, Type>;
  readonly types: TypeProvider | undefined;
  readonly estimator: CostEstimator;
  /** The namespace for looking up names. */
  readonly container: string;
  /** Whether all elements of a literal must have the same type. Kubernetes requires this, the language does not. */
  readonly homogeneousLiterals: boolean;
  /** Optional syntax: `.?`, `[?`, `{?`, `[?x]`. */
  readonly optionals: boolean;
  /** Field names in backticks. */
  readonly identEscapes: boolean;
}

/** Declarations to add to an environment, and its dialect. The defaults are Kubernetes'. */
export interface EnvironmentOptions {
  readonly libraries?: readonly Library[];
  readonly variables?: Readonly<Record<string, Type>>;
  readonly types?: TypeProvider;
  readonly estimator?: CostEstimator;
  readonly container?: string;
  readonly homogeneousLiterals?: boolean;
  readonly optionals?: boolean;
  readonly identEscapes?: boolean;
}

/** Returns an environment with these declarations, in addition to those of the base if given. */
export function environment(options: EnvironmentOptions, base?: Environment): Environment {
  const variables = new Map([...(base?.variables ?? []), ...Object.entries(options.variables ?? {})]);
  return {
    ...declarations(options.libraries, base),
    variables,
    types: options.types ?? base?.types,
    estimator: options.estimator ?? base?.estimator ?? {},
    container: options.container ?? base?.container ?? '',
    homogeneousLiterals: options.homogeneousLiterals ?? base?.homogeneousLiterals ?? true,
    optionals: options.optionals ?? base?.optionals ?? true,
    identEscapes: options.identEscapes ?? base?.identEscapes ?? false,
  };
}

type Declarations = Pick<Environment, 'functions' | 'macros' | 'constants' | 'validators'>;

/** Shares the base's declarations if none are added. */
function declarations(libraries: readonly Library[] = [], base?: Environment): Declarations {
  if (base && libraries.length === 0) return base;
  const functions = new Map(base?.functions);
  const macros = new Map(base?.macros);
  const constants = new Map(base?.constants);
  const validators = new Set(base?.validators);
  for (const library of libraries) {
    for (const { name, overloads } of library.functions ?? []) {
      functions.set(name, merged(functions.get(name) ?? [], overloads));
    }
    for (const macro of library.macros ?? []) macros.set(macroKey(macro), macro);
    for (const constant of library.constants ?? []) constants.set(constant.name, constant);
    for (const validator of library.validators ?? []) validators.add(validator);
  }
  return { functions, macros, constants, validators: [...validators] };
}

function merged(known: readonly Overload[], added: readonly Overload[]): readonly Overload[] {
  const ids = new Set(known.map((overload) => overload.id));
  return [...known, ...added.filter((overload) => !ids.has(overload.id))];
}
