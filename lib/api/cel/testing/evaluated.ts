import { CompileError, compile } from '../compile.ts';
import { environment } from '../environment.ts';
import { kubernetesEstimator, kubernetesLibraries } from '../library/kubernetes.ts';
import { activationOf, program } from '../program.ts';
import { optional } from '../stdlib/optional.ts';
import { standard } from '../stdlib/standard.ts';
import { twoVariables } from '../stdlib/two-variables.ts';
import { intType, listType, stringType } from '../types/type.ts';
import { elementsOf, listOf } from '../values/list.ts';
import { CelError, ListValue, MapValue, type Result } from '../values/value.ts';

const kubernetes = environment({
  libraries: [standard, optional, twoVariables, ...kubernetesLibraries],
  variables: { s: stringType, l: listType(stringType), n: listType(intType) },
  estimator: kubernetesEstimator(),
});
const variables = activationOf({ s: 'abc def', l: listOf(['b', 'a', 'c']), n: listOf([3n, 1n, 2n]) });

/** Evaluates an expression in Kubernetes' environment. Returns its value as plain JavaScript, and its cost. */
export function evaluated(expression: string): { readonly value: unknown; readonly cost: number } {
  const compiled = compile(expression, kubernetes);
  if (compiled instanceof CompileError) return { value: { issues: compiled.message }, cost: 0 };
  const ready = program(compiled.checked, kubernetes);
  if (ready instanceof CelError) return { value: plain(ready), cost: 0 };
  const { value, cost } = ready.evaluate(variables);
  return { value: plain(value), cost };
}

function plain(value: Result): unknown {
  if (value instanceof CelError) return { error: value.message };
  if (typeof value === 'bigint') return Number(value);
  if (value instanceof ListValue) return elementsOf(value).map(plain);
  if (!(value instanceof MapValue)) return value;
  return Object.fromEntries([...value.keys()].map((key) => [String(key), plain(value.get(key) ?? null)]));
}
