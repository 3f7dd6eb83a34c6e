import { type Environment, environment } from '../environment.ts';
import { optional } from '../stdlib/optional.ts';
import { standard } from '../stdlib/standard.ts';
import { twoVariables } from '../stdlib/two-variables.ts';
import { kubernetesEstimator, kubernetesLibraries } from './kubernetes.ts';

let shared: Environment | undefined;

/** Returns the language with Kubernetes' libraries. It is created once, for the first compiled expression. */
export function baseEnvironment(): Environment {
  return (shared ??= environment({
    libraries: [standard, optional, twoVariables, ...kubernetesLibraries],
    estimator: kubernetesEstimator(),
  }));
}
