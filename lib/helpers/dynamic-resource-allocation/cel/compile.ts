import { CompileError, compile } from '#lib/api/cel/compile.ts';
import { estimateCost } from '#lib/api/cel/cost/cost.ts';
import { type Environment, environment } from '#lib/api/cel/environment.ts';
import { baseEnvironment } from '#lib/api/cel/library/base-environment.ts';
import { kubernetesEstimator } from '#lib/api/cel/library/kubernetes.ts';
import { type Program, program } from '#lib/api/cel/program.ts';
import { bindings } from '#lib/api/cel/stdlib/bindings.ts';
import { typeText } from '#lib/api/cel/types/format.ts';
import { CelError } from '#lib/api/cel/values/value.ts';
import { DeviceTypes, deviceSize, deviceType } from './device-type.ts';

/** The maximum cost of a device selector, in cel-go's units. */
export const MAX_COST = 1_000_000;

/** A compiled device selector with its maximum cost for one device, or the compilation error. */
export type Selector = { readonly maxCost: number; readonly program: Program } | { readonly error: string };

let selectors: Environment | undefined;

/** Compiles an expression over `device`, which must yield a bool or an attribute. Upstream's dynamic-resource-allocation/cel. */
export function compileSelector(expression: string): Selector {
  const env = (selectors ??= selectorEnvironment());
  const compiled = compile(expression, env);
  if (compiled instanceof CompileError) return { error: `compilation failed: ${compiled.message}` };
  const { checked, type } = compiled;
  if (type.kind !== 'bool' && type.kind !== 'any')
    return { error: `must evaluate to bool or the unknown type, not ${typeText(type)}` };
  const made = program(checked, env);
  if (made instanceof CelError) return { error: `program instantiation failed: ${made.message}` };
  return { maxCost: estimateCost(checked, env.estimator).max, program: made };
}

const selectorEnvironment = (): Environment =>
  environment(
    {
      variables: { device: deviceType },
      types: new DeviceTypes(),
      libraries: [bindings],
      estimator: kubernetesEstimator(deviceSize),
    },
    baseEnvironment(),
  );
